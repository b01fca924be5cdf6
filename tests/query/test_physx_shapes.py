"""What PhysX 5.3.1 (CPU, in sapien 3.0.3) answered to sweeps and overlaps, asked of the model."""

import numpy as np
import pytest

from course.query import (
    DEFAULT_FIELDS,
    HitFlag,
    HitType,
    QueryFilter,
    QueryFlag,
    overlap,
    sweep,
)
from course.world import Box, Sphere, pose

X = (1, 0, 0)
MTD = DEFAULT_FIELDS | HitFlag.MTD
BALL, CUBE = Sphere(0.25), Box((0.4, 0.4, 0.4))
PHYSX_BOX_ERROR = 1.3e-3  # m: its default sweep of a box stops short by about 1 mm
OVER_ALL = (Box((60, 2, 2)), pose(translation=(10, 0, 0)))


def at(x, y=0.0):
    return pose(translation=(x, y, 0))


@pytest.mark.parametrize(
    ("inflation", "ball", "cube", "position"),
    [(0, 2.25, 2.299, -0.5), (0.1, 2.15, 2.199, -0.6), (0.5, 1.75, 1.799, -1.0)],
)
def test_inflation(kinds, inflation, ball, cube, position):
    hit = sweep(kinds, BALL, at(-3), X, 10, inflation=inflation).block
    assert hit.distance == pytest.approx(ball, abs=1e-12)
    np.testing.assert_allclose(hit.p_WH, (position, 0, 0), atol=1e-12)
    block = sweep(kinds, CUBE, at(-3), X, 10, inflation=inflation).block
    assert block.distance == pytest.approx(cube, abs=PHYSX_BOX_ERROR)
    assert block.distance == pytest.approx(2.3 - inflation, abs=1e-12)  # PRECISE_SWEEP: 2.300


def test_inflation_makes_a_hit_of_a_miss(kinds):
    assert not sweep(kinds, CUBE, at(-3, 0.75), X, 5).found
    hit = sweep(kinds, CUBE, at(-3, 0.75), X, 5, inflation=0.1).block
    assert hit.distance == pytest.approx(2.2122, abs=PHYSX_BOX_ERROR)


def test_a_start_in_an_overlap(kinds):
    hit = sweep(kinds, BALL, at(-0.6), X, 5).block
    assert (hit.distance, hit.valid) == (0, HitFlag.NORMAL)
    np.testing.assert_array_equal(hit.n_W, (-1, 0, 0))


@pytest.mark.parametrize(
    ("x", "reach", "distance"), [(-0.6, 5, -0.15), (-0.2, 5, -0.55), (-0.6, 0, -0.15)]
)
def test_a_way_out_of_an_overlap(kinds, x, reach, distance):
    hit = sweep(kinds, BALL, at(x), X, reach, hit_flags=MTD).block
    assert hit.distance == pytest.approx(distance, abs=1e-12)
    assert hit.valid == HitFlag.POSITION | HitFlag.NORMAL


def test_a_sweep_of_no_length_asks_for_overlaps(kinds):
    assert sweep(kinds, BALL, at(-0.6), X, 0).found
    assert not sweep(kinds, BALL, at(-3), X, 0).found


def test_overlaps_and_their_buffers(row):
    """No room: one block. All BLOCK: no touches and one block. Room: 10 of 10, 4 of 4."""
    all_block = QueryFilter(
        flags=QueryFlag.STATIC | QueryFlag.PREFILTER, pre=lambda *_: HitType.BLOCK
    )
    for room, filters, block, touches in (
        (0, QueryFilter(), True, 0),
        (256, all_block, True, 0),
        (256, QueryFilter(), False, 10),
        (4, QueryFilter(), False, 4),
        (256, QueryFilter(flags=QueryFlag.STATIC | QueryFlag.NO_BLOCK), False, 10),
        (0, QueryFilter(flags=QueryFlag.STATIC | QueryFlag.ANY_HIT), True, 0),
    ):
        result = overlap(row, *OVER_ALL, capacity=room, filters=filters)
        assert (result.has_block, result.n_touches) == (block, touches)


def test_below_a_plane_is_an_overlap_though_no_ray_meets_it(kinds):
    assert overlap(kinds, Sphere(0.1), pose(translation=(0, 0, -6))).block.name == "floor"
