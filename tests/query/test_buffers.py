import pytest

from course.query import HitFlag, HitType, Layer, NoBlockError, QueryFilter, QueryFlag, raycast

START, X = (-3, 0, 0), (1, 0, 0)
BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC


def deciding(decisions, default=HitType.BLOCK, flags=BOTH):
    return QueryFilter(
        flags=flags | QueryFlag.PREFILTER, pre=lambda c, _: decisions.get(c.name, default)
    )


def test_found_does_not_mean_that_there_is_a_block(row):
    result = raycast(row, START, X, 99, capacity=16)
    assert (result.found, result.has_block, result.n_touches) == (True, False, 10)
    with pytest.raises(NoBlockError, match="no block, and 10 touches; look at has_block first"):
        result.block  # noqa: B018


def test_the_block_is_apart_from_the_touches(row):
    result = raycast(row, START, X, 99, capacity=16, filters=deciding({"r0": HitType.TOUCH}))
    assert (result.block.name, [hit.name for hit in result.touches]) == ("r1", ["r0"])
    assert [hit.name for hit in result.hits] == ["r0", "r1"]


def test_touches_without_room_are_lost_and_the_record_says_so(row):
    result = raycast(row, START, X, 99, filters=deciding({}, HitType.TOUCH))
    assert (result.found, result.complete) == (False, False)
    nothing = raycast(row, START, (0, 1, 0), 99)
    assert (nothing.found, nothing.complete) == (False, True)


def test_a_touch_without_room_behind_the_block_is_no_loss(row):
    """Whichever of the two the tree offers first."""
    for block, complete in (("r0", True), ("r9", False)):
        filters = deciding({block: HitType.BLOCK}, HitType.TOUCH)
        result = raycast(row, START, X, 99, filters=filters)
        assert (result.block.name, result.complete) == (block, complete)


def test_a_full_buffer_and_one_that_ran_over_look_the_same_and_the_record_tells_them_apart(row):
    full, over, ample = (raycast(row, START, X, 99, capacity=room) for room in (10, 9, 11))
    assert (full.n_touches, full.may_be_truncated, full.complete) == (10, True, True)
    assert (over.n_touches, over.may_be_truncated, over.complete) == (9, True, False)
    assert (ample.n_touches, ample.may_be_truncated, ample.complete) == (10, False, True)


def test_any_stops_and_does_not_know_what_else_there_is(row):
    filters = QueryFilter(flags=BOTH | QueryFlag.ANY_HIT)
    result = raycast(row, START, X, 99, filters=filters)
    assert (result.has_block, result.complete) == (True, None)
    assert raycast(row, START, (0, 1, 0), 99, filters=filters).complete is True


def test_any_takes_a_touch_for_a_block(row):
    only_touch = deciding({"r5": HitType.TOUCH}, HitType.NONE, BOTH | QueryFlag.ANY_HIT)
    assert raycast(row, START, X, 99, filters=only_touch).block.name == "r5"


def test_no_block_makes_touches_of_blocks(row):
    filters = deciding({"r3": HitType.NONE}, flags=BOTH | QueryFlag.NO_BLOCK)
    result = raycast(row, START, X, 99, capacity=16, filters=filters)
    assert (result.has_block, result.n_touches) == (False, 9)


def test_a_buffer_that_runs_over_first_makes_room_by_the_closest_block(row):
    """The tree offers r1 and r0 first; a block at r2 is found, and no more is needed than r0, r1."""
    filters = deciding({"r2": HitType.BLOCK}, HitType.TOUCH)
    for room, complete in ((2, None), (3, True), (16, True)):  # 2: it stops before it knows
        result = raycast(row, START, X, 99, capacity=room, filters=filters)
        assert {hit.name for hit in result.touches} == {"r0", "r1"}
        assert (result.block.name, result.complete) == ("r2", complete)
    over = raycast(row, START, X, 99, capacity=1, filters=filters)
    assert (over.n_touches, over.block.name, over.complete) == (1, "r2", False)


def test_the_block_is_the_closest_even_if_touches_ran_over(row):
    filters = deciding({"r6": HitType.BLOCK, "r8": HitType.BLOCK}, HitType.TOUCH)
    result = raycast(row, START, X, 99, capacity=1, filters=filters)
    assert (result.block.name, result.complete) == ("r6", False)


def test_every_face_of_a_mesh_needs_room_of_its_own(kinds):
    flags = HitFlag.MESH_MULTIPLE | HitFlag.MESH_BOTH_SIDES
    ray = {"p_WO": (17, 0.1, 0.2), "d_W": X, "max_distance": 5, "hit_flags": flags}
    assert [raycast(kinds, **ray, capacity=room).n_touches for room in (1, 2, 3)] == [1, 2, 2]
    assert [raycast(kinds, **ray, capacity=room).complete for room in (1, 2)] == [False, True]
    assert raycast(kinds, **ray).block.distance == 2.5
    one_a_body = ray | {"hit_flags": HitFlag.MESH_BOTH_SIDES}
    assert raycast(kinds, **one_a_body, capacity=16).n_touches == 1


def test_what_is_kept_and_then_thrown_out_left_at_the_collector(row):
    filters = deciding({"r0": HitType.BLOCK}, HitType.TOUCH)
    log = raycast(row, START, X, 99, capacity=16, filters=filters).log
    assert log.at(Layer.REPORTED) == ("r0",)
    assert log.at(Layer.COLLECTOR) == ("r1",)  # offered before r0 was known
    assert len(log.at(Layer.BOX)) == 8
