import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.query import HitType, QueryFilter, QueryFlag, QueryShape, overlap, overlap_pair
from course.world import Box, Capsule, Plane, Sphere, TriangleMesh, pose

BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC
ALL_BLOCK = QueryFilter(flags=BOTH | QueryFlag.PREFILTER, pre=lambda *_: HitType.BLOCK)
OVER_ALL = (Box((60, 2, 2)), pose(translation=(10, 0, 0)))


def test_a_ball_overlaps_what_is_nearer_than_its_radius(make_random_scene, rng):
    """Against the distance of the ball's centre from boxes, spheres and capsules, in closed form."""

    def from_centre(body, p_W):
        p = body.X_WB.inv().apply(p_W)
        match body.shape:
            case Sphere(radius):
                return np.linalg.norm(p) - radius
            case Capsule(radius, length):
                return np.linalg.norm(p - (0, 0, np.clip(p[2], -length / 2, length / 2))) - radius
            case Box(size):
                return np.linalg.norm(np.maximum(np.abs(p) - np.asarray(size) / 2, 0))
        return None

    checked = 0
    for _ in range(20):
        scene = make_random_scene(rng)
        for candidate in scene.candidates:
            scene = scene.with_settings(candidate.name, QueryShape())
        p_WS, radius = rng.uniform(-2, 2, 3), rng.uniform(0.2, 1)
        result = overlap(scene, Sphere(radius), pose(translation=p_WS), capacity=64)
        names = {hit.name for hit in result.touches}
        for candidate in scene.candidates:
            if not isinstance(candidate.body.shape, TriangleMesh):
                near = bool(from_centre(candidate.body, p_WS) <= radius)
                assert (candidate.name in names) == near
                checked += near
    assert checked > 10


def test_two_boxes_overlap_unless_an_axis_lies_between_them(rng):
    """The axes of separation: 6 face normals and 9 products of edges."""
    seen = set()
    for _ in range(300):
        sizes = rng.uniform(0.3, 1.5, (2, 3))
        poses = [
            pose(
                translation=rng.uniform(-0.8, 0.8, 3),
                rotation=Rotation.from_rotvec(rng.normal(size=3)),
            )
            for _ in range(2)
        ]
        R = [X.rotation.as_matrix() for X in poses]
        axes = [*R[0].T, *R[1].T, *(np.cross(a, b) for a in R[0].T for b in R[1].T)]
        between = poses[1].translation - poses[0].translation
        apart = any(
            abs(axis @ between) > sum(np.abs(axis @ R[i]) @ sizes[i] / 2 for i in range(2))
            for axis in axes
        )
        found = overlap_pair(Box(tuple(sizes[0])), poses[0], Box(tuple(sizes[1])), poses[1])
        assert found == (not apart)
        seen.add(found)
    assert seen == {True, False}


def test_touching_is_overlapping(kinds):
    touching = pose(translation=(0, 0, 1))
    assert overlap(kinds, Sphere(0.5), touching).found
    assert not overlap(kinds, Sphere(0.4999), touching).found


def test_all_is_below_a_plane(kinds):
    assert overlap(kinds, Sphere(0.1), pose(translation=(0, 0, -99))).block.name == "floor"


def test_a_hit_is_a_name_and_nothing_else(row):
    (hit, *_) = overlap(row, *OVER_ALL, capacity=16).touches
    for field in ("distance", "p_WH", "n_W", "face"):
        assert not hasattr(hit, field)


def test_of_blocks_one_is_left_and_the_record_says_that_others_were_lost(row):
    result = overlap(row, *OVER_ALL, capacity=256, filters=ALL_BLOCK)
    assert (result.has_block, result.n_touches, result.complete) == (True, 0, False)
    alone = overlap(row, Sphere(0.1), pose(), capacity=256, filters=ALL_BLOCK)
    assert (alone.block.name, alone.complete) == ("r0", True)


def test_the_one_block_is_not_the_nearest(row):
    """Around r5, near to r4 and r6 as well."""
    X_WS = pose(translation=(10, 0, 0))
    nearest = overlap(row, Sphere(0.1), X_WS).block.name
    assert nearest == "r5"
    assert overlap(row, Sphere(4), X_WS).block.name != nearest


def test_any_says_whether_there_is_anything(make_random_scene, rng):
    any_hit = QueryFilter(flags=BOTH | QueryFlag.ANY_HIT)
    answers = set()
    for _ in range(40):
        scene, X_WS = make_random_scene(rng), pose(translation=rng.uniform(-4, 4, 3))
        names = {hit.name for hit in overlap(scene, Sphere(0.4), X_WS, capacity=64).touches}
        any_ = overlap(scene, Sphere(0.4), X_WS, filters=any_hit)
        assert any_.found == bool(names)
        assert {hit.name for hit in any_.hits} <= names
        answers.add(any_.found)
    assert answers == {True, False}


@pytest.mark.parametrize(("room", "count"), [(0, 1), (4, 4), (10, 10), (256, 10)])
def test_a_buffer_keeps_as_many_as_it_has_room_for(row, room, count):
    result = overlap(row, *OVER_ALL, capacity=room)
    assert len(result.hits) == count
    assert result.complete is (room >= 10)


@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        (Plane(), TypeError, "shape: expected a Sphere, Capsule or Box, got Plane: it has no end"),
        (None, TypeError, "shape: expected a Sphere, Capsule or Box, got NoneType"),
    ],
)
def test_what_cannot_be_laid_into_a_scene_is_refused(row, shape, error, message):
    with pytest.raises(error, match=re.escape(message)):
        overlap(row, shape, pose())
