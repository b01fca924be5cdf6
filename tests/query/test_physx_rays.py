"""What PhysX 5.3.1 (CPU, in sapien 3.0.3) answered to rays, asked of the model.

Where PhysX promises nothing, such as the order of touches, the test is on what is promised. What
was measured on 5.6.1 (physx-js-webidl 2.7.3) says so.
"""

import numpy as np
import pytest

from course.query import (
    DEFAULT_FIELDS,
    FieldNotValidError,
    HitFlag,
    HitType,
    QueryCache,
    QueryFilter,
    QueryFlag,
    QueryScene,
    QueryShape,
    raycast,
)
from course.world import Body, Box, Scene, pose

START, X = (-3, 0, 0), (1, 0, 0)
BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC
EVERY_FIELD = DEFAULT_FIELDS | HitFlag.UV
TYPES = {"r0": HitType.NONE, "r1": HitType.TOUCH, "r2": HitType.BLOCK}


def pre(decisions, default=HitType.BLOCK, flags=BOTH | QueryFlag.PREFILTER, **more):
    return QueryFilter(flags=flags, pre=lambda c, _: decisions.get(c.name, default), **more)


def by_name(result):
    return {hit.name: hit.distance for hit in result.touches}


@pytest.fixture
def worded(row):
    scene = row
    for name, words in (("r0", (1, 0, 0, 0)), ("r1", (2, 0, 0, 0)), ("r2", (0, 0, 4, 0))):
        scene = scene.with_settings(name, QueryShape(words=words))
    return scene


@pytest.mark.parametrize("name", ["B", "S", "C"])
def test_a_solid_is_met_at_once_from_inside(kinds, name):
    x = kinds.candidate(name).body.X_WB.translation[0]
    hit = raycast(kinds, (x, 0.1, 0.1), X, 3).block
    assert (hit.name, hit.distance) == (name, 0)
    np.testing.assert_array_equal(hit.n_W, (-1, 0, 0))
    np.testing.assert_array_equal(hit.p_WH, (x, 0.1, 0.1))


def test_a_mesh_is_not_met_from_inside_unless_from_both_sides(kinds):
    assert not raycast(kinds, (20, 0.1, 0.1), X, 3).found
    assert raycast(kinds, (20, 0.1, 0.1), X, 30).block.name == "C"  # it goes on to the next
    both = DEFAULT_FIELDS | HitFlag.MESH_BOTH_SIDES
    hit = raycast(kinds, (20, 0.1, 0.1), X, 3, hit_flags=both).block
    assert (hit.name, hit.distance) == ("T", 0.5)
    np.testing.assert_array_equal(hit.n_W, (1, 0, 0))


def test_a_plane_is_not_met_from_below(kinds):
    assert not raycast(kinds, (0, 0, -6), (0, 0, -1), 9).found
    assert raycast(kinds, (5, 0, 0), (0, 0, -1), 9).block.name == "floor"


def test_fields_of_a_box_and_of_a_mesh(kinds):
    """Flags 0x003 and faceIndex 0xFFFFFFFF; the mesh 0x40b, uv (.4, .3), source face 11."""
    box = raycast(kinds, (-3, 0.1, 0.2), X, 9, hit_flags=EVERY_FIELD).block
    assert box.valid == HitFlag.POSITION | HitFlag.NORMAL
    mesh = raycast(kinds, (17, 0.1, 0.2), X, 9, hit_flags=EVERY_FIELD).block
    assert mesh.valid == EVERY_FIELD
    assert mesh.uv == pytest.approx((0.4, 0.3), abs=1e-15)
    assert mesh.face == 11  # PhysX says 9: it counts the faces of the cooked mesh


def test_fields_that_nobody_asked_for(kinds):
    """Flags 0x409 of a mesh: position, uv and face, no normal; flags 0 of a box, distance fine."""
    mesh = raycast(kinds, (17, 0.1, 0.2), X, 9, hit_flags=HitFlag(0)).block
    assert mesh.valid == HitFlag.POSITION | HitFlag.UV | HitFlag.FACE_INDEX
    with pytest.raises(FieldNotValidError, match=r"HitFlag\.NORMAL"):
        mesh.n_W  # noqa: B018
    box = raycast(kinds, (-3, 0, 0), X, 9, hit_flags=HitFlag(0)).block
    assert (box.valid, box.distance) == (HitFlag(0), 2.5)


def test_simulation_settings_hide_nothing_and_the_query_flag_does(kinds):
    def seen(settings):
        return raycast(kinds.with_settings("B", settings), START, X, 5).found

    assert seen(QueryShape(simulation_words=(1, 1, 0, 0)))
    assert seen(QueryShape(trigger=True))
    assert not seen(QueryShape(takes_part=False))


@pytest.mark.parametrize(
    ("words", "met"),
    [
        ((1, 0, 0, 0), {"r0"}),
        ((2, 0, 0, 0), {"r1"}),
        ((3, 0, 0, 0), {"r0", "r1"}),
        ((0, 0, 4, 0), {"r2"}),
        ((4, 0, 0, 0), set()),
        ((0, 1, 0, 0), set()),
        ((8, 0, 4, 0), {"r2"}),
        ((0, 0, 0, 0), {f"r{place}" for place in range(10)}),
    ],
)
def test_words(worded, words, met):
    result = raycast(worded, START, X, 99, capacity=16, filters=QueryFilter(words=words))
    assert set(by_name(result)) == met


def test_words_switched_off(worded):
    off = QueryFilter(words=(2, 0, 0, 0), flags=BOTH | QueryFlag.DISABLE_HARDCODED_FILTER)
    assert raycast(worded, START, X, 99, filters=off).block.name == "r0"


def test_calls_of_the_callback(worded):
    """1 with mask 2; 10 with the rule disabled; 0 without the flag of the stage."""
    counted = {"words": (2, 0, 0, 0), "default": HitType.TOUCH}
    flags = BOTH | QueryFlag.PREFILTER
    disabled = flags | QueryFlag.DISABLE_HARDCODED_FILTER
    calls = [
        len(
            raycast(
                worded, START, X, 99, capacity=16, filters=pre({}, **counted, flags=f)
            ).log.pre_calls
        )
        for f in (flags, disabled, BOTH)
    ]
    assert calls == [1, 10, 0]


def test_none_touch_and_block(row):
    with_room = raycast(row, START, X, 99, capacity=16, filters=pre(TYPES))
    assert (with_room.block.name, with_room.block.distance) == ("r2", 6.5)
    assert by_name(with_room) == {"r1": 4.5}
    without = raycast(row, START, X, 99, filters=pre(TYPES))
    assert (without.block.name, without.n_touches) == ("r2", 0)


def test_a_post_filter_by_distance(row):
    filters = QueryFilter(
        flags=BOTH | QueryFlag.POSTFILTER,
        post=lambda _, hit: HitType.NONE if hit.distance < 7 else HitType.BLOCK,
    )
    result = raycast(row, START, X, 99, filters=filters)
    assert (result.block.name, result.block.distance) == ("r3", 8.5)
    assert len(result.log.post_calls) >= 4  # PhysX: 4; the three that are dropped, and r3


def test_touch_made_block(row):
    filters = QueryFilter(
        flags=BOTH | QueryFlag.PREFILTER | QueryFlag.POSTFILTER,
        pre=lambda *_: HitType.TOUCH,
        post=lambda *_: HitType.BLOCK,
    )
    assert raycast(row, START, X, 99, capacity=16, filters=filters).block.name == "r0"


@pytest.mark.parametrize("first", ["block", "touch"])
def test_a_touch_and_a_block_at_one_distance_are_both_reported(first):
    names = ("block", "touch") if first == "block" else ("touch", "block")
    scene = QueryScene(
        Scene([Body(name=name, shape=Box((1, 1, 1)), X_WB=pose()) for name in names])
    )
    filters = pre({"touch": HitType.TOUCH})
    result = raycast(scene, START, X, 9, capacity=4, filters=filters)
    assert (result.block.name, by_name(result)) == ("block", {"touch": 2.5})


def test_any_hit_of_a_query(row):
    """4.5 instead of 2.5, on both versions. That it is not the closest is what is promised least."""
    filters = QueryFilter(flags=BOTH | QueryFlag.ANY_HIT)
    any_ = raycast(row, START, X, 99, filters=filters)
    assert any_.block.distance in {2.5 + 2 * place for place in range(10)}
    touching = pre({}, HitType.TOUCH, flags=BOTH | QueryFlag.PREFILTER | QueryFlag.ANY_HIT)
    assert raycast(row, START, X, 99, filters=touching).has_block  # a touch is put there as well


def test_any_hit_of_a_mesh(kinds):
    """3.5 instead of 2.5: the flag of a hit, which acts within one mesh."""
    flags = HitFlag.ANY_HIT | HitFlag.MESH_BOTH_SIDES
    any_ = raycast(kinds, (17, 0.1, 0.2), X, 9, hit_flags=flags).block.distance
    assert any_ == pytest.approx(3.5, abs=1e-15)


def test_true_without_a_block(row):
    """ret 1, hasBlock 0, nTouches 10; all TOUCH without room: ret 0; NO_BLOCK without room: ret 0."""
    touching = pre({}, HitType.TOUCH)
    with_room = raycast(row, START, X, 99, capacity=16, filters=touching)
    assert (with_room.found, with_room.has_block, with_room.n_touches) == (True, False, 10)
    assert not raycast(row, START, X, 99, filters=touching).found
    no_block = QueryFilter(flags=BOTH | QueryFlag.NO_BLOCK)
    assert not raycast(row, START, X, 99, filters=no_block).found


def test_touches_of_25_boxes_with_room_for_10():
    """PhysX 5.6.1: 10 touches, no block, true; which ten is not promised."""
    boxes = [
        Body(name=f"b{i}", shape=Box((1, 1, 1)), X_WB=pose(translation=(3 + 2 * i, 0, 0)))
        for i in range(25)
    ]
    result = raycast(QueryScene(Scene(boxes)), (0, 0, 0), X, 99, capacity=10)
    assert (result.found, result.has_block, result.n_touches) == (True, False, 10)
    assert {hit.distance for hit in result.touches} <= {2.5 + 2 * i for i in range(25)}
    assert (result.may_be_truncated, result.complete) == (True, False)


@pytest.mark.parametrize(("words", "met"), [(1, 1), (2, 1), (3, 1), (0, 1), (8, 0)])
def test_shape_words_1_2_4(words, met):
    """PhysX 5.6.1: query words 1, 2, 3 and 0 hit, 8 does not."""
    boxes = [
        Body(name=f"b{i}", shape=Box((1, 1, 1)), X_WB=pose(translation=(3 + 2 * i, 0, 0)))
        for i in range(3)
    ]
    settings = {f"b{i}": QueryShape(words=(1 << i, 0, 0, 0)) for i in range(3)}
    filters = QueryFilter(words=(words, 0, 0, 0))
    assert (
        raycast(QueryScene(Scene(boxes), settings), (0, 0, 0), X, 99, filters=filters).found == met
    )


@pytest.mark.parametrize("room", [59, 60])
def test_60_hits_fill_60_and_59_places_alike(room):
    boxes = [
        Body(name=f"b{i}", shape=Box((1, 1, 1)), X_WB=pose(translation=(3 + 2 * i, 0, 0)))
        for i in range(60)
    ]
    result = raycast(QueryScene(Scene(boxes)), (0, 0, 0), X, 200, capacity=room)
    assert result.n_touches == room
    assert result.may_be_truncated
    assert result.complete is (room == 60)


def test_a_cached_body_passes_every_filter(worded):
    mask = QueryFilter(words=(2, 0, 0, 0))
    r0 = QueryCache("r0")
    assert raycast(worded, START, X, 99, filters=mask).block.distance == 4.5
    cached = raycast(worded, START, X, 99, filters=mask, cache=r0)
    assert (cached.block.name, cached.block.distance) == ("r0", 2.5)
    dropped = raycast(worded, START, X, 99, filters=pre({"r0": HitType.NONE}), cache=r0)
    assert dropped.block.name == "r0"
