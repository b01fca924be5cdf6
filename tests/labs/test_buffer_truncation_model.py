"""The row of boxes against closed forms: what is kept is what the exercise's rule keeps, and the record is right."""

from itertools import product

import numpy as np
import pytest

from labs.buffer_exercises import KEPT_TOUCHES, MAY_BE_TRUNCATED, NEAREST_OF_TOUCHES, NUMBER_OF_HITS
from labs.buffer_truncation_model import (
    BLOCKS,
    LEFT,
    MOST,
    NO_BLOCK,
    RIGHT,
    Truncation,
    model,
    ray,
    row,
)

SETTINGS = list(product((0, 1, 2, 4, 7, 12), (1, 2, 5, 9, 12), (LEFT, RIGHT), BLOCKS))
WITH_ROOM = [setting for setting in SETTINGS if setting[0] > 0]
each_setting = pytest.mark.parametrize(
    ("capacity", "n_shapes", "seen_from", "block"), SETTINGS, ids=str
)
each_with_room = pytest.mark.parametrize(
    ("capacity", "n_shapes", "seen_from", "block"), WITH_ROOM, ids=str
)


def ask(capacity: int, n_shapes: int = 10, seen_from: str = RIGHT, block: str = NO_BLOCK):
    return model(capacity=capacity, n_shapes=n_shapes, seen_from=seen_from, block=block)


def touches(data: Truncation) -> list[float]:
    return [hit.distance for hit in data.result.touches]


def block_m(n_shapes: int, block: str) -> float:
    nearer = BLOCKS[block]
    return np.inf if nearer is None or nearer >= n_shapes else 2.5 + 2.0 * nearer


@each_with_room
def test_what_is_kept_is_what_comes_first_of_what_is_not_behind_the_block(
    capacity, n_shapes, seen_from, block
):
    order = touches(ask(MOST, n_shapes, seen_from))
    at = block_m(n_shapes, block)
    as_touches = np.array([distance for distance in order if distance != at])
    expected = KEPT_TOUCHES.reference(as_touches, capacity, at)
    np.testing.assert_allclose(
        touches(ask(capacity, n_shapes, seen_from, block)), expected, rtol=0, atol=1e-12
    )


@each_setting
def test_boxes_are_in_the_order_of_their_distances_and_places_are_those_of_the_buffer(
    capacity, n_shapes, seen_from, block
):
    data = ask(capacity, n_shapes, seen_from, block)
    np.testing.assert_array_equal(data.distance_m, 2.5 + 2 * np.arange(n_shapes))
    kept = data.place > 0
    np.testing.assert_allclose(
        data.distance_m[kept][np.argsort(data.place[kept])], touches(data), rtol=0, atol=1e-12
    )
    if data.result.has_block:
        assert data.distance_m[data.is_block] == pytest.approx(data.result.block.distance)


@each_setting
def test_the_record_of_completeness_is_never_wrong(capacity, n_shapes, seen_from, block):
    data = ask(capacity, n_shapes, seen_from, block)
    if data.result.complete is True:
        assert not data.lost.any()
    if data.result.complete is False:
        assert data.lost.any()
    if not data.result.may_be_truncated and capacity:
        assert data.result.complete is True
    hits = NUMBER_OF_HITS.reference(data.result.n_touches, data.result.has_block)
    assert hits == data.reported.sum() == len(data.result.hits)


@each_with_room
def test_the_exercises_say_of_the_row_what_the_query_says(capacity, n_shapes, seen_from, block):
    data = ask(capacity, n_shapes, seen_from, block)
    assert data.result.may_be_truncated == MAY_BE_TRUNCATED.reference(
        data.result.n_touches, capacity
    )
    if block == NO_BLOCK:
        nearest = NEAREST_OF_TOUCHES.reference(np.array(touches(data)), capacity)
        assert np.isnan(nearest) or nearest == pytest.approx(2.5)


def test_count_and_capacity_do_not_tell_full_from_truncated():
    full, over = ask(10), ask(9)
    assert [d.result.n_touches == d.capacity for d in (full, over)] == [True, True]
    assert [d.result.complete for d in (full, over)] == [True, False]


def test_the_order_is_that_of_the_places_and_not_that_of_the_distances():
    left, right = (touches(ask(MOST, 10, side)) for side in (LEFT, RIGHT))
    assert left != sorted(left)
    assert right != sorted(right)
    np.testing.assert_allclose(np.add(left, right), 23.0, rtol=0, atol=1e-12)  # same box, same turn


def test_from_the_right_the_nearest_is_lost_until_there_is_room_for_eight():
    lost = [bool(ask(room).lost[0]) for room in range(1, 11)]
    assert lost == [True] * 7 + [False] * 3


def test_a_block_makes_room():
    without, with_block = ask(4), ask(4, block="the 3rd nearest")
    assert (without.lost.sum(), with_block.lost.sum()) == (6, 0)
    assert touches(with_block) == pytest.approx([2.5, 4.5])
    assert with_block.result.complete is True


def test_without_room_the_closest_box_is_the_block():
    data = ask(0)
    assert (data.result.n_touches, data.nearest_reported_m) == (0, 2.5)
    assert data.asked_for.tolist() == [True] + [False] * 9


def test_nothing_computed_can_be_changed():
    data = ask(4)
    for name in ("p_WO", "d_W", "distance_m", "place", "is_block", "asked_for"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(data, name)[0] = 0


def test_bodies_are_in_no_order_in_the_scene():
    names = [body.name for body in row(10).scene.bodies]
    assert names != sorted(names)
    assert sorted(names) == [f"b{place}" for place in range(10)]


@pytest.mark.parametrize("n_shapes", [1, 10, 12])
@pytest.mark.parametrize("seen_from", [LEFT, RIGHT])
def test_the_ray_starts_two_and_a_half_metres_before_the_row(n_shapes, seen_from):
    p_WO, d_W = ray(n_shapes, seen_from)
    x = [body.X_WB.translation[0] for body in row(n_shapes).scene.bodies]
    assert min((np.array(x) - p_WO[0]) * d_W[0]) - 0.5 == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"capacity": -1}, ValueError, "capacity: expected at least 0, got -1"),
        ({"capacity": 2.5}, TypeError, "capacity"),
        ({"n_shapes": 0}, ValueError, "n_shapes: expected at least 1, got 0"),
        ({"n_shapes": 13}, ValueError, "n_shapes: expected at most 12, got 13"),
        ({"seen_from": "above"}, ValueError, "seen_from: expected 'left' or 'right', got 'above'"),
        ({"block": "b3"}, ValueError, "block: expected one of none, the nearest, .* got 'b3'"),
    ],
)
def test_refuses_what_is_no_question(wrong, error, message):
    good = {"capacity": 4, "n_shapes": 10, "seen_from": LEFT, "block": NO_BLOCK}
    with pytest.raises(error, match=message):
        model(**good | wrong)
