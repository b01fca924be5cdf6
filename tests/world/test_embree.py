import importlib
import sys

import numpy as np
import pytest

from course.world.agreement import assert_hits, clear_rays
from course.world.analytic import AnalyticCaster
from course.world.embree import BLOCK, EmbreeCaster
from course.world.poses import IDENTITY, pose
from course.world.random_scenes import random_rays, random_scene
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh


def moved(scene, offset):
    return Scene(
        [
            Body(name=b.name, shape=b.shape, X_WB=pose(translation=offset) * b.X_WB)
            for b in scene.bodies
        ]
    )


@pytest.mark.parametrize("offset", [1.0, 1e3, 1e4])
def test_the_tolerance_holds_far_from_the_origin(offset):
    rng = np.random.default_rng(0)
    offset *= np.array([1.0, -0.7, 0.4])
    scene = moved(random_scene(rng, frozenset({Box, Plane})), offset)
    near = random_rays(rng, 2000)
    rays = Rays(p_WO=near.p_WO + offset, d_W=near.d_W)
    caster, truth = EmbreeCaster(scene), AnalyticCaster(scene).cast_first(rays)
    assert_hits(
        caster,
        caster.cast_first(rays),
        distance=truth.distance,
        n_W=truth.n_W,
        body=truth.body,
        where=clear_rays(caster, rays),
        title=f"scene at {offset} m",
    )


def test_a_plane_has_no_end():
    scene = Scene([Body(name="floor", shape=Plane(), X_WB=IDENTITY)])
    hits = EmbreeCaster(scene).cast_first(Rays.through((0, 0, 1), [(1, 0, -1e-6), (1, 0, 0)]))
    np.testing.assert_allclose(hits.distance, [1e6, np.inf], rtol=1e-6)


def test_planes_and_meshes_hide_one_another_in_any_order():
    cube = Body(name="cube", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 0.5)))
    floor = Body(name="floor", shape=Plane(), X_WB=IDENTITY)
    lid = Body(name="lid", shape=Plane(), X_WB=pose(translation=(0, 0, -1)))
    for bodies in ([cube, floor, lid], [lid, floor, cube], [floor, cube, lid]):
        scene = Scene(bodies)
        hits = EmbreeCaster(scene).cast_first(
            Rays.through([(0.2, 0.1, 3), (2, 2, 3)], [(0, 0, -1), (0, 0, -1)])
        )
        assert hits.body.tolist() == [scene.index_of("cube"), scene.index_of("floor")]
        assert hits.distance.tolist() == [2, 3]


def test_a_plane_beyond_the_end_of_the_ray_is_not_hit():
    scene = Scene([Body(name="floor", shape=Plane(), X_WB=IDENTITY)])
    rays = Rays.through((0, 0, 3), [(0, 0, -1)], max_distance=2)
    hits = EmbreeCaster(scene).cast_first(rays)
    assert hits.body.tolist() == [-1]
    assert hits.distance.tolist() == [np.inf]


def test_a_reach_beyond_float32_is_infinite():
    scene = Scene([Body(name="floor", shape=Plane(), X_WB=IDENTITY)])
    rays = Rays.through((0, 0, 3), [(0, 0, -1), (0, 0, 1)], max_distance=1e300)
    assert EmbreeCaster(scene).cast_first(rays).distance.tolist() == [3, np.inf]


def test_many_rays_are_answered_in_order_across_blocks():
    cube = Body(name="cube", shape=Box((2, 2, 2)), X_WB=IDENTITY)
    count = 2 * BLOCK + 7
    starts = np.zeros((count, 3))
    starts[:, 2] = 2 + np.arange(count) % 1000
    hits = EmbreeCaster(Scene([cube])).cast_first(
        Rays(p_WO=starts, d_W=np.broadcast_to([0.0, 0.0, -1.0], (count, 3)))
    )
    np.testing.assert_array_equal(hits.distance, starts[:, 2] - 1)
    assert (hits.body == 0).all()


def test_no_ray_slips_between_two_triangles():
    """Rays at the edges of the triangles of a sphere, and at the diagonal of a box's face."""
    scene = Scene([Body(name="ball", shape=Sphere(1), X_WB=IDENTITY)])
    outward = np.random.default_rng(0).normal(size=(20000, 3))
    outward[::2, 0] = 0  # a plane of symmetry of the icosphere: only edges lie in it
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    assert EmbreeCaster(scene).cast_first(Rays.through(3 * outward, -outward)).hit.all()

    scene = Scene([Body(name="cube", shape=Box((1, 1, 1)), X_WB=IDENTITY)])
    x = np.linspace(-0.49, 0.49, 1000)
    for y in (x, -x):
        starts = np.stack([x, y, np.full_like(x, 3)], axis=1)
        hits = EmbreeCaster(scene).cast_first(
            Rays.through(starts, np.full_like(starts, (0, 0, -1)))
        )
        np.testing.assert_allclose(hits.distance, 2.5, rtol=1e-6)


def test_faces_of_meshes_are_told_across_blocks_and_among_other_bodies():
    """A strip of unit squares along x, two faces each, behind a wall with a gap, above a floor."""
    corner = np.array([(x, y, 0) for x in range(6) for y in (0, 1)])
    squares = 2 * np.arange(5)[:, np.newaxis] + np.array([(0, 2, 3, 0, 3, 1)])
    faces = squares.reshape(-1, 3)
    wall = Body(name="wall", shape=Box((2, 9, 1)), X_WB=pose(translation=(0, 0, 2)))
    strip = Body(name="strip", shape=TriangleMesh(corner, faces), X_WB=IDENTITY)
    floor = Body(name="floor", shape=Plane(), X_WB=pose(translation=(0, 0, -1)))
    caster = EmbreeCaster(Scene([floor, wall, strip]))

    count = BLOCK + 1000
    x = np.linspace(0.5, 5.5, count) + 1e-4
    starts = np.stack([x, np.full(count, 0.25), np.full(count, 5)], axis=1)
    hits = caster.cast_first(Rays(p_WO=starts, d_W=np.broadcast_to([0.0, 0.0, -1.0], (count, 3))))
    on_strip = (x > 1) & (x < 5)
    expected = np.where(on_strip, 2 * np.floor(x) + (x % 1 < 0.25), -1)
    sure = np.abs(x % 1 - 0.25) > 1e-3
    sure &= np.abs(x - np.round(x)) > 1e-3
    np.testing.assert_array_equal(hits.face[sure], expected[sure])
    np.testing.assert_array_equal(np.isnan(hits.uv[sure]).any(axis=1), ~on_strip[sure])
    points = strip.shape.points(hits.face, hits.uv)[sure & on_strip]
    np.testing.assert_allclose(points, hits.p_WH[sure & on_strip], atol=1e-6)


def test_a_scene_without_a_mesh_makes_no_arrays_of_faces():
    scene = Scene([Body(name="ball", shape=Sphere(1), X_WB=IDENTITY)])
    hits = EmbreeCaster(scene).cast_first(Rays.through((0, 0, 3), [(0, 0, -1)] * 9))
    assert hits.face.strides == (0,)
    assert hits.uv.strides == (0, 0)


def test_a_caster_can_be_used_again():
    """Embree writes distances into the array of ray ends, which must be made anew for each cast."""
    scene = Scene([Body(name="ball", shape=Sphere(1), X_WB=IDENTITY)])
    caster, rays = EmbreeCaster(scene), Rays.through((0, 0, 3), [(0, 0, -1), (0, 1, 0)])
    first, second = caster.cast_first(rays), caster.cast_first(rays)
    np.testing.assert_array_equal(first.distance, second.distance)
    assert first.body.tolist() == second.body.tolist() == [0, -1]


def test_a_missing_embreex_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    monkeypatch.delitem(sys.modules, "course.world.embree")
    with pytest.raises(ImportError, match=r"the Embree caster needs .*: pip install embreex$"):
        importlib.import_module("course.world.embree")
