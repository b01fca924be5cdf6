from course.query.bounds import Bounds, bounds
from course.query.traversal import LEAF_SIZE, Tree


def leaves(node):
    return [node] if not node.children else [leaf for c in node.children for leaf in leaves(c)]


def test_a_leaf_is_small_and_keeps_the_order_of_the_scene(make_random_scene, rng):
    scene = make_random_scene(rng, count=100)
    for leaf in leaves(scene.static_tree.root):
        assert 1 <= len(leaf.members) <= LEAF_SIZE
        assert list(leaf.members) == sorted(leaf.members)


def test_a_box_is_around_all_that_it_holds(make_random_scene, rng):
    scene = make_random_scene(rng, count=60)
    waiting = [scene.dynamic_tree.root]
    while waiting:
        node = waiting.pop()
        below = [child.bounds for child in node.children]
        below += [scene.dynamic_tree.boxes[place] for place in node.members]
        for box in below:
            assert (node.bounds.lower <= box.lower).all()
            assert (node.bounds.upper >= box.upper).all()
        waiting += node.children


def test_every_body_is_offered_once_and_only_where_the_query_comes_near(make_random_scene, rng):
    scene = make_random_scene(rng, count=80)
    tree = scene.static_tree
    assert sorted(tree.offer(lambda _: True)) == sorted(tree.boxes)
    for candidate in scene.candidates:
        near = bounds(candidate.body)
        expected = sorted(place for place, box in tree.boxes.items() if box.overlaps(near))
        assert sorted(tree.offer(near.overlaps)) == expected


def test_the_order_is_that_of_the_tree_and_not_that_of_distances(row):
    def offered(scene):
        return [scene.candidates[place].name for place in scene.static_tree.offer(lambda _: True)]

    assert offered(row) == ["r1", "r0", "r3", "r2", "r4", "r5", "r6", "r7", "r9", "r8"]


def test_a_box_is_looked_at_when_the_walk_arrives_there(row):
    """A query that has found something is shorter from then on."""
    reach = 100.0
    offered = []

    def near(box: Bounds) -> bool:
        return bool(box.lower[0] <= reach)

    for place in row.static_tree.offer(near):
        offered.append(row.candidates[place].name)
        reach = row.candidates[place].body.X_WB.translation[0] + 0.5
    assert offered == ["r1", "r0"]


def test_what_has_no_end_is_offered_first(kinds):
    first, *_ = kinds.static_tree.offer(lambda _: True)
    assert kinds.candidates[first].name == "floor"


def test_nothing_makes_an_empty_tree():
    assert list(Tree.over([], []).offer(lambda _: True)) == []
