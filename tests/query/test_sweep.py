"""Sweeps, with proofs: a direction in which two shapes are apart, and a point that both have.

Two convex shapes that do not overlap are apart along some normal. So a hit is right if the shapes
are apart along its normal all the way, come together there at its distance, and its position lies
on the surfaces of both. None of this asks how the hit was found.
"""

import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

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
    overlap,
    overlap_pair,
    raycast,
    raycast_pair,
    sweep,
    sweep_pair,
)
from course.world import Body, Box, Capsule, Cylinder, Plane, Scene, Sphere, TriangleMesh, pose

X = np.array((1.0, 0, 0))
MTD = DEFAULT_FIELDS | HitFlag.MTD
KINDS = (Sphere, Capsule, Box)


def random_shape(kind, rng):
    match kind.__name__:
        case "Sphere":
            return Sphere(rng.uniform(0.1, 0.8))
        case "Capsule":
            return Capsule(rng.uniform(0.1, 0.4), rng.uniform(0.1, 1.2))
        case "Box":
            return Box(tuple(rng.uniform(0.2, 1.5, 3)))


def random_pose(rng, spread=2.0):
    rotation = Rotation.from_rotvec(rng.normal(size=3))
    return pose(translation=rng.uniform(-spread, spread, 3), rotation=rotation)


def reach_along(shape, X_WS, n_W):
    """How far a shape reaches along a unit direction in the world."""
    n_S = X_WS.rotation.as_matrix().T @ n_W
    match shape:
        case Sphere(radius):
            local = radius
        case Capsule(radius, length):
            local = abs(n_S[2]) * length / 2 + radius
        case Box(size):
            local = np.abs(n_S) @ np.asarray(size) / 2
    return float(n_W @ X_WS.translation + local)


def from_surface(shape, X_WS, p_W):
    """Signed distance of a point from the surface of a shape."""
    p = X_WS.rotation.as_matrix().T @ (p_W - X_WS.translation)
    match shape:
        case Sphere(radius):
            return np.linalg.norm(p) - radius
        case Capsule(radius, length):
            return np.linalg.norm(p - (0, 0, np.clip(p[2], -length / 2, length / 2))) - radius
        case Box(size):
            q = np.abs(p) - np.asarray(size) / 2
            return np.linalg.norm(np.maximum(q, 0)) + min(q.max(), 0)


def moved(X_WS, by):
    return pose(translation=X_WS.translation + by, rotation=X_WS.rotation)


def gap(shape, X_WS, other, X_WB, n_W):
    """How far two shapes are apart along a normal from the other to the shape."""
    return -reach_along(shape, X_WS, -n_W) - reach_along(other, X_WB, n_W)


@pytest.mark.parametrize("other", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("inflation", [0.0, 0.15])
def test_a_hit_is_proved_by_its_normal_and_its_position(kind, other, inflation, rng):
    hits = misses = 0
    for _ in range(60):
        shape, solid = random_shape(kind, rng), random_shape(other, rng)
        X_WB, X_WS = random_pose(rng, 0.5), random_pose(rng, 3.0)
        d_W = X_WB.translation - X_WS.translation + rng.normal(size=3)
        d_W /= np.linalg.norm(d_W)
        hit = sweep_pair(shape, X_WS, d_W, 9, solid, X_WB, inflation=inflation)
        if hit is None:
            misses += 1
            for along in np.linspace(0, 9, 20):
                assert not overlap_pair(shape, moved(X_WS, along * d_W), solid, X_WB)
        elif hit.distance > 0:
            hits += 1
            X_end = moved(X_WS, hit.distance * d_W)
            assert gap(shape, X_WS, solid, X_WB, hit.n_W) > inflation
            assert hit.n_W @ d_W < 0
            assert gap(shape, X_end, solid, X_WB, hit.n_W) == pytest.approx(inflation, abs=1e-9)
            assert from_surface(shape, X_end, hit.p_WH) == pytest.approx(0, abs=1e-9)
            assert from_surface(solid, X_WB, hit.p_WH) == pytest.approx(inflation, abs=1e-9)
    assert hits > 10
    assert misses > 3


@pytest.mark.parametrize("other", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_way_out_leads_out_and_no_way_out_is_shorter(kind, other, rng):
    overlaps = 0
    directions = rng.normal(size=(40, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for _ in range(25):
        shape, solid = random_shape(kind, rng), random_shape(other, rng)
        X_WB, X_WS = random_pose(rng, 0.3), random_pose(rng, 0.3)
        hit = sweep_pair(shape, X_WS, X, 0, solid, X_WB, hit_flags=MTD)
        if hit is None:
            continue
        overlaps += 1
        out = -hit.distance
        assert out >= 0
        assert gap(shape, X_WS, solid, X_WB, hit.n_W) == pytest.approx(-out, abs=1e-9)
        X_out = moved(X_WS, (out + 1e-9) * hit.n_W)
        assert not overlap_pair(shape, X_out, solid, X_WB)
        assert from_surface(solid, X_WB, hit.p_WH) == pytest.approx(0, abs=1e-8)
        for n_W in directions:
            assert -gap(shape, X_WS, solid, X_WB, n_W) >= out - 1e-12
    assert overlaps > 5


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_shape_overlaps_exactly_if_its_sweep_starts_overlapped(kind, make_random_scene, rng):
    both_sides = DEFAULT_FIELDS | HitFlag.MESH_BOTH_SIDES
    overlapped = 0
    for _ in range(8):
        scene = make_random_scene(rng, count=80)
        shape, X_WS = random_shape(kind, rng), random_pose(rng)
        names = {hit.name for hit in overlap(scene, shape, X_WS, capacity=64).touches}
        for length in (0, 3):
            touches = sweep(
                scene, shape, X_WS, X, length, capacity=64, hit_flags=both_sides
            ).touches
            assert {hit.name for hit in touches if hit.distance == 0} == names
        overlapped += len(names)
    assert overlapped > 5


@pytest.mark.parametrize(
    ("solid", "grown"),
    [
        (Sphere(0.5), Sphere(0.8)),
        (Capsule(0.2, 1.0), Capsule(0.5, 1.0)),
    ],
)
def test_a_swept_sphere_is_a_ray_against_a_grown_solid(solid, grown, rng):
    hits = 0
    for _ in range(200):
        X_WB, start = random_pose(rng, 0.3), rng.uniform(-3, 3, 3)
        d_W = rng.normal(size=3) - start
        d_W /= np.linalg.norm(d_W)
        swept = sweep_pair(Sphere(0.3), pose(translation=start), d_W, 9, solid, X_WB)
        ray = raycast_pair(start, d_W, 9, grown, X_WB)
        assert (swept is None) == (ray is None)
        if swept is not None:
            hits += 1
            assert swept.distance == pytest.approx(ray.distance, abs=1e-12)
            np.testing.assert_allclose(swept.n_W, ray.n_W, atol=1e-10)
    assert hits > 30


@pytest.mark.parametrize(
    "solid",
    [Sphere(0.6), Capsule(0.4, 0.8), Box((0.8, 1.0, 1.3)), Plane()],
    ids=lambda solid: type(solid).__name__,
)
def test_a_sphere_of_almost_no_radius_is_a_ray(solid, rng):
    radius, hits = 1e-9, 0
    for _ in range(100):
        X_WB, start = random_pose(rng, 0.2), rng.uniform(-3, 3, 3)
        if isinstance(solid, Plane):
            start = X_WB.apply([start[0], start[1], abs(start[2])])
        d_W = rng.normal(size=3) * 0.3 - start
        d_W /= np.linalg.norm(d_W)
        ray = raycast_pair(start, d_W, 9, solid, X_WB)
        swept = sweep_pair(Sphere(radius), pose(translation=start), d_W, 9, solid, X_WB)
        if ray is not None and ray.distance > 0:
            hits += 1
            cosine = -float(ray.n_W @ d_W)
            assert swept.distance == pytest.approx(ray.distance, abs=2 * radius / cosine + 1e-12)
    assert hits > 30


def test_an_inflated_sphere_meets_where_a_larger_one_does(make_random_scene, rng):
    for _ in range(10):
        scene, X_WS = make_random_scene(rng), random_pose(rng, 4)
        inflated = sweep(scene, Sphere(0.2), X_WS, X, 8, inflation=0.3, capacity=64)
        larger = sweep(scene, Sphere(0.5), X_WS, X, 8, capacity=64)
        wanted = {hit.name: hit.distance for hit in larger.touches}
        assert {hit.name: hit.distance for hit in inflated.touches} == pytest.approx(
            wanted, abs=1e-12
        )


def test_a_mesh_is_met_where_the_box_of_the_same_faces_is(kinds, rng):
    hits = 0
    for kind in KINDS * 8:
        shape, X_WS = random_shape(kind, rng), random_pose(rng, 1)
        start = pose(translation=(17, *X_WS.translation[1:]), rotation=X_WS.rotation)
        mesh = sweep(kinds, shape, start, X, 5)
        box = sweep_pair(shape, moved(start, (-20, 0, 0)), X, 5, Box((1, 1, 1)), pose())
        assert mesh.has_block == (box is not None)
        if box is not None:
            hits += 1
            assert mesh.block.distance == pytest.approx(box.distance, abs=1e-9)
            assert HitFlag.FACE_INDEX in mesh.block.valid
    assert hits > 5


def test_a_face_that_looks_along_the_motion_counts_if_both_sides_do(kinds):
    inside = pose(translation=(20, 0, 0))
    assert not sweep(kinds, Sphere(0.05), inside, X, 3).found
    both = DEFAULT_FIELDS | HitFlag.MESH_BOTH_SIDES
    assert sweep(kinds, Sphere(0.05), inside, X, 3, hit_flags=both).block.distance == pytest.approx(
        0.45
    )


def test_a_plane_is_met_by_the_lowest_point(rng):
    for kind in KINDS * 5:
        shape, X_WS, X_WB = random_shape(kind, rng), random_pose(rng), random_pose(rng)
        n_W = X_WB.rotation.as_matrix()[:, 2]
        apart = -reach_along(shape, X_WS, -n_W) - float(n_W @ X_WB.translation)
        hit = sweep_pair(shape, X_WS, -n_W, 9, Plane(), X_WB, hit_flags=MTD)
        assert hit.distance == pytest.approx(apart, abs=1e-12)
        np.testing.assert_allclose(hit.n_W, n_W, atol=1e-15)
        assert float(n_W @ (hit.p_WH - X_WB.translation)) == pytest.approx(0, abs=1e-9)


def test_the_deepest_overlap_is_the_closest_hit():
    scene = QueryScene(
        Scene(
            [
                Body(name=name, shape=Sphere(0.5), X_WB=pose(translation=(0, y, 0)))
                for name, y in (("shallow", 0.6), ("deep", -0.3), ("apart", 3.0))
            ]
        )
    )
    hit = sweep(scene, Sphere(0.25), pose(), X, 1, hit_flags=MTD).block
    assert (hit.name, hit.distance) == ("deep", pytest.approx(-0.45))
    every = sweep(scene, Sphere(0.25), pose(), X, 1, hit_flags=MTD, capacity=9).touches
    assert {touch.name for touch in every} == {"deep", "shallow"}


def test_an_overlap_has_no_position_and_says_which_flag_gives_one(kinds):
    hit = sweep(kinds, Sphere(0.25), pose(translation=(-0.6, 0, 0)), X, 5).block
    message = "hit on 'B': p_WH is not valid: the sweep starts in an overlap, where no one point"
    with pytest.raises(FieldNotValidError, match=re.escape(message) + r".*HitFlag\.MTD"):
        hit.p_WH  # noqa: B018
    with pytest.raises(FieldNotValidError, match="a sweep has no uv; only a ray has"):
        hit.uv  # noqa: B018


def test_filters_and_collecting_are_those_of_a_ray(row):
    start = pose(translation=(-3, 0, 0))
    ball = Sphere(0.25)
    types = {"r0": HitType.NONE, "r1": HitType.TOUCH}
    filters = QueryFilter(
        flags=QueryFlag.STATIC | QueryFlag.PREFILTER,
        pre=lambda c, _: types.get(c.name, HitType.BLOCK),
    )
    swept = sweep(row, ball, start, X, 99, capacity=16, filters=filters)
    ray = raycast(row, (-3, 0, 0), X, 99, capacity=16, filters=filters)
    assert swept.block.name == ray.block.name == "r2"
    assert [hit.name for hit in swept.touches] == [hit.name for hit in ray.touches] == ["r1"]
    some = sweep(row, ball, start, X, 99, capacity=3)
    assert (some.n_touches, some.complete) == (3, False)
    masked = QueryFilter(words=(2, 0, 0, 0))
    cached = sweep(row, ball, start, X, 99, filters=masked, cache=QueryCache("r0"))
    assert cached.block.name == "r0"


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (TriangleMesh(np.eye(3), [(0, 1, 2)]), "got TriangleMesh: it is a surface, and not convex"),
        (Plane(), "got Plane: it has no end"),
        (Cylinder(1, 1), "got Cylinder: there is no exact answer for it here"),
        (0.25, "got float"),
    ],
)
def test_what_cannot_be_moved_is_refused(row, shape, message):
    message = f"shape: expected a Sphere, Capsule or Box, {message}"
    with pytest.raises(TypeError, match=re.escape(message)):
        sweep(row, shape, pose(), X, 1)


def test_a_body_without_an_exact_answer_is_refused_if_it_is_near_and_not_filtered_out(kinds):
    def ask(scene, x):
        return sweep(scene, Sphere(0.2), pose(translation=(x, 0, 0)), X, 3)

    with pytest.raises(TypeError, match="body 'Y': no sweep or overlap against a Cylinder"):
        ask(kinds, 38)
    assert ask(kinds, -3).block.name == "B"
    assert not ask(kinds.with_settings("Y", QueryShape(takes_part=False)), 38).found


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"max_distance": -1},
            ValueError,
            "max_distance: expected a finite number in m, 0 or more",
        ),
        ({"max_distance": np.inf}, ValueError, "max_distance: expected a finite number in m"),
        ({"inflation": -0.1}, ValueError, "inflation: expected a finite number in m, 0 or more"),
        ({"inflation": np.nan}, ValueError, "inflation: expected a number in m, got nan"),
        ({"d_W": (2, 0, 0)}, ValueError, "d_W: expected a direction of length 1"),
        ({"X_WS": np.zeros((4, 4))}, ValueError, "X_WS: expected the last row"),
        ({"scene": Scene()}, TypeError, "scene: expected a QueryScene, got Scene"),
        ({"capacity": -1}, ValueError, "capacity: expected at least 0, got -1"),
    ],
)
def test_broken_questions_are_refused(row, changes, error, message):
    good = {"scene": row, "shape": Sphere(1), "X_WS": pose(), "d_W": X, "max_distance": 1}
    with pytest.raises(error, match=re.escape(message)):
        sweep(**good | changes)
