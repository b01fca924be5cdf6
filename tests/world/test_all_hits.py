import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.world.analytic import AnalyticCaster
from course.world.poses import IDENTITY, pose
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world

CUBE = mesh_in_world(Body(name="cube", shape=Box((1, 1, 1)), X_WB=IDENTITY))
SHAPES = [
    Box((1, 1, 1)),
    Sphere(0.5),
    Capsule(0.25, 0.5),
    Cylinder(0.5, 1),
    TriangleMesh(CUBE.vertices, CUBE.faces),
    Plane(),
]
FIELDS = ("distance", "n_W", "body", "face", "uv")


def row_of_cubes():
    cubes = [
        Body(name=f"cube {z}", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, z)))
        for z in (6, 3, 9)
    ]
    return AnalyticCaster(Scene(cubes))


def test_rows_of_one_ray():
    rays = Rays.through([(0, 0, 0), (5, 0, 0), (0, 0, 7.5)], [(0, 0, 1), (0, 0, 1), (0, 0, -1)])
    hits = row_of_cubes().cast_all(rays)
    assert len(hits) == 5
    assert hits.offsets.tolist() == [0, 3, 3, 5]
    assert hits.count.tolist() == [3, 0, 2]
    assert hits.ray.tolist() == [0, 0, 0, 2, 2]
    np.testing.assert_array_equal(hits.p_WH[:, 2], [2.5, 5.5, 8.5, 6.5, 3.5])
    last = hits.of_ray(2)
    assert last.body.tolist() == [0, 1]
    assert last.distance.tolist() == [1, 4]
    assert last.offsets.tolist() == [0, 2]
    assert last.ray.tolist() == [0, 0]
    np.testing.assert_array_equal(last.p_WH, hits.p_WH[3:])
    assert len(hits.of_ray(1)) == 0
    for name in (*FIELDS, "offsets", "count", "ray", "p_WH"):
        assert not getattr(hits, name).flags.writeable


def test_no_such_ray_is_refused():
    hits = row_of_cubes().cast_all(Rays.through((0, 0, 0), [(0, 0, 1)] * 2))
    with pytest.raises(ValueError, match=re.escape("ray: expected 0 to 1, got 2")):
        hits.of_ray(2)
    with pytest.raises(ValueError, match="ray: expected at least 0, got -1"):
        hits.of_ray(-1)


def test_types_do_not_depend_on_what_was_found():
    rays = Rays.through((0, 0, 0), [(0, 0, -1)])
    for caster in (row_of_cubes(), AnalyticCaster(Scene())):
        hits = caster.cast_all(rays)
        assert len(hits) == 0
        assert (hits.body.dtype, hits.face.dtype, hits.ray.dtype) == (np.int32,) * 3
        assert (hits.offsets.dtype, hits.distance.dtype) == (np.int64, np.float64)
        assert (hits.n_W.shape, hits.uv.shape, hits.p_WH.shape) == ((0, 3), (0, 2), (0, 3))
        assert not hits.first().hit.any()


# Places and starts on a coarse grid: bodies overlap, coincide, touch, and hold starts inside.
coarse = st.integers(-2, 2).map(lambda k: k / 2)
places = st.tuples(coarse, coarse, coarse)
bodies = st.lists(st.tuples(st.sampled_from(SHAPES), places), max_size=6)
directions = places.filter(any)


@settings(deadline=None, max_examples=150)
@given(bodies, st.lists(st.tuples(places, directions), min_size=1, max_size=8), st.booleans())
def test_all_hits_are_those_of_each_body_alone_in_order(placed, rays, every_face):
    scene = Scene(
        [
            Body(name=f"{i}", shape=shape, X_WB=pose(translation=p))
            for i, (shape, p) in enumerate(placed)
        ]
    )
    cast = Rays.through([p for p, _ in rays], [d for _, d in rays], max_distance=2.5)
    caster = AnalyticCaster(scene)
    hits = caster.cast_all(cast, every_face=every_face)

    first = caster.cast_first(cast)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(hits.first(), name), getattr(first, name), name)
    np.testing.assert_array_equal(hits.first().p_WH, first.p_WH)

    for ray in range(len(cast)):
        one = hits.of_ray(ray)
        order = list(zip(one.distance, one.body, one.face, strict=True))
        assert order == sorted(order)
        assert len(set(order)) == len(order)
    for index, body in enumerate(scene.bodies):
        alone = AnalyticCaster(Scene([body])).cast_first(cast)
        rows = hits.body == index
        if not every_face:
            assert hits.ray[rows].tolist() == np.flatnonzero(alone.hit).tolist()
            assert hits.distance[rows].tolist() == alone.distance[alone.hit].tolist()
        else:
            assert set(hits.ray[rows].tolist()) == set(np.flatnonzero(alone.hit).tolist())


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_face_and_uv_give_the_point_of_the_ray(seed, every_face):
    rng = np.random.default_rng(seed)
    X_WB = pose(translation=rng.normal(size=3))
    mesh = TriangleMesh(rng.normal(size=(12, 3)), np.arange(12).reshape(4, 3))
    p = 4 * rng.normal(size=(60, 3))
    rays = Rays.through(p, X_WB.translation + 0.5 * rng.normal(size=(60, 3)) - p)
    caster = AnalyticCaster(Scene([Body(name="soup", shape=mesh, X_WB=X_WB)]))
    hits = caster.cast_all(rays, every_face=every_face)
    off = np.linalg.norm(X_WB.apply(mesh.points(hits.face, hits.uv)) - hits.p_WH, axis=1)
    slope = np.abs(np.einsum("ij,ij->i", hits.n_W, rays.d_W[hits.ray]))
    edges = np.linalg.norm(
        np.roll(mesh.vertices[mesh.faces], 1, axis=1) - mesh.vertices[mesh.faces], axis=2
    )
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    slimness = edges.max(axis=1) ** 2 / np.linalg.norm(np.cross(b - a, c - a), axis=1)
    assert (off <= 1e-13 * slimness[hits.face] / slope).all()
