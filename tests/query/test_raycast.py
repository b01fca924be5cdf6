import re

import numpy as np
import pytest

from course.query import HitFlag, HitType, QueryFilter, QueryFlag, QueryShape, raycast
from course.world import AnalyticCaster, Rays, Scene

START, X = (-3.0, 0.0, 0.0), (1.0, 0.0, 0.0)
BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC
ANY = QueryFilter(flags=BOTH | QueryFlag.ANY_HIT)


@pytest.fixture(params=range(8))
def case(request, make_random_scene):
    """A random scene, all of which takes part, and 25 rays through it."""
    rng = np.random.default_rng(request.param)
    scene = make_random_scene(rng, count=32)
    for candidate in scene.candidates:
        kept = QueryShape(dynamic=candidate.settings.dynamic, words=candidate.settings.words)
        scene = scene.with_settings(candidate.name, kept)
    starts, ends = rng.uniform(-5, 5, (2, 25, 3))
    rays = Rays.through(starts, ends - starts, max_distance=9)
    return scene, rays


def each(rays):
    return zip(rays.p_WO, rays.d_W, strict=True)


def test_the_closest_is_what_a_caster_finds(case):
    scene, rays = case
    hits = AnalyticCaster(scene.scene).cast_first(rays)
    for ray, (p_WO, d_W) in enumerate(each(rays)):
        result = raycast(scene, p_WO, d_W, 9)
        assert result.has_block == hits.hit[ray]
        if result.has_block:
            assert result.block.distance == pytest.approx(hits.distance[ray], abs=1e-12)
            np.testing.assert_allclose(result.block.p_WH, hits.p_WH[ray], atol=1e-12)
            np.testing.assert_allclose(result.block.n_W, hits.n_W[ray], atol=1e-12)


def test_all_touches_are_what_a_caster_finds_one_a_body(case):
    scene, rays = case
    hits = AnalyticCaster(scene.scene).cast_all(rays)
    for ray, (p_WO, d_W) in enumerate(each(rays)):
        result = raycast(scene, p_WO, d_W, 9, capacity=64)
        of_ray = hits.of_ray(ray)
        wanted = {
            scene.candidates[body].name: distance
            for body, distance in zip(of_ray.body, of_ray.distance, strict=True)
        }
        assert {hit.name: hit.distance for hit in result.touches} == pytest.approx(
            wanted, abs=1e-12
        )
        assert result.complete is True


def test_the_closest_is_the_smallest_of_all(case):
    scene, rays = case
    for p_WO, d_W in each(rays):
        closest = raycast(scene, p_WO, d_W, 9)
        every = raycast(scene, p_WO, d_W, 9, capacity=64).touches
        assert closest.has_block == bool(every)
        if every:
            assert closest.block.distance == min(hit.distance for hit in every)


def test_touches_are_within_the_block_and_none_of_those_is_missing(case):
    scene, rays = case
    filters = QueryFilter(
        flags=BOTH | QueryFlag.PREFILTER,
        pre=lambda c, _: HitType.BLOCK if c.name.endswith(("3", "6")) else HitType.TOUCH,
    )
    for p_WO, d_W in each(rays):
        every = raycast(scene, p_WO, d_W, 9, capacity=64).touches
        blocks = [hit.distance for hit in every if hit.name.endswith(("3", "6"))]
        reach = min(blocks, default=9)
        result = raycast(scene, p_WO, d_W, 9, capacity=64, filters=filters)
        assert result.has_block == bool(blocks)
        expected = {
            hit.name for hit in every if hit.distance <= reach and not hit.name.endswith(("3", "6"))
        }
        assert {hit.name for hit in result.touches} == expected


def test_any_is_one_of_all_and_there_is_one_whenever_there_is_any(case):
    scene, rays = case
    for p_WO, d_W in each(rays):
        any_ = raycast(scene, p_WO, d_W, 9, filters=ANY)
        every = {
            hit.name: hit.distance for hit in raycast(scene, p_WO, d_W, 9, capacity=64).touches
        }
        assert any_.has_block == bool(every)
        if any_.has_block:
            assert every[any_.block.name] == any_.block.distance


def test_a_truncated_answer_is_a_part_of_the_complete_one_and_says_so(case):
    scene, rays = case
    for p_WO, d_W in each(rays):
        every = {hit.name for hit in raycast(scene, p_WO, d_W, 9, capacity=64).touches}
        for room in (1, 2, 3):
            result = raycast(scene, p_WO, d_W, 9, capacity=room)
            some = [hit.name for hit in result.touches]
            assert len(set(some)) == len(some) == min(room, len(every))
            assert set(some) <= every
            assert result.complete is (len(every) <= room)


def test_any_need_not_be_the_closest_and_a_full_buffer_need_not_keep_it(make_random_scene, rng):
    """The model has the habits that it is about: else no lab could show them."""
    farther = lost = 0
    for _ in range(40):
        scene = make_random_scene(rng, count=40)
        closest = raycast(scene, (-5, 0, 0), X, 9)
        if closest.has_block:
            any_ = raycast(scene, (-5, 0, 0), X, 9, filters=ANY).block
            farther += any_.distance > closest.block.distance
            kept = {hit.name for hit in raycast(scene, (-5, 0, 0), X, 9, capacity=1).touches}
            lost += closest.block.name not in kept
    assert farther > 3
    assert lost > 3


def test_a_hit_at_the_end_of_the_reach_counts(row):
    assert raycast(row, START, X, 2.5).block.distance == 2.5
    assert not raycast(row, START, X, 2.499).found


def test_another_length_is_mended_if_one_asks(row):
    assert raycast(row, START, (2, 0, 0), 9, normalise=True).block.distance == 2.5
    with pytest.raises(ValueError, match="expected a direction of length 1"):
        raycast(row, START, (2, 0, 0), 9)


def test_a_query_changes_nothing_and_asked_again_answers_the_same(row):
    first, second = (raycast(row, START, X, 99, capacity=3) for _ in range(2))
    assert [hit.name for hit in first.touches] == [hit.name for hit in second.touches]


def test_a_face_from_behind_keeps_its_uv(kinds, mesh_cube):
    flags = HitFlag.POSITION | HitFlag.UV | HitFlag.FACE_INDEX | HitFlag.MESH_BOTH_SIDES
    hit = raycast(kinds, (20, 0.1, 0.2), X, 3, hit_flags=flags).block
    (p_BH,) = mesh_cube.points([hit.face], [hit.uv])
    np.testing.assert_allclose(p_BH, hit.p_WH - np.array((20, 0, 0)), atol=1e-15)


def test_a_scene_alone_is_not_enough():
    with pytest.raises(TypeError, match="scene: expected a QueryScene, got Scene"):
        raycast(Scene(), START, X, 1)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"max_distance": 0}, ValueError, "max_distance: expected a positive, finite number in m"),
        ({"max_distance": -1}, ValueError, "max_distance: expected a positive, finite number in m"),
        ({"max_distance": np.inf}, ValueError, "expected a positive, finite number in m, got inf"),
        ({"max_distance": np.nan}, ValueError, "max_distance: expected a number in m, got nan"),
        ({"p_WO": (0, np.nan, 0)}, ValueError, "p_WO: expected finite numbers, got nan"),
        ({"p_WO": [(0, 0, 0)]}, ValueError, "p_WO: expected shape (3,), got (1, 3)"),
        ({"d_W": (0, 0, 0)}, ValueError, "d_W: expected a direction, got zero"),
        ({"capacity": -1}, ValueError, "capacity: expected at least 0, got -1"),
        ({"capacity": 1.0}, TypeError, "capacity: expected a whole number, got 1.0"),
        ({"hit_flags": 3}, TypeError, "hit_flags: expected HitFlag.POSITION | ..., got 3"),
        ({"filters": None}, TypeError, "filters: expected a QueryFilter, got None"),
        ({"cache": "r0"}, TypeError, "cache: expected a QueryCache, got 'r0'"),
    ],
)
def test_broken_questions_are_refused(row, changes, error, message):
    good = {"p_WO": START, "d_W": X, "max_distance": 9}
    with pytest.raises(error, match=re.escape(message)):
        raycast(row, **good | changes)
