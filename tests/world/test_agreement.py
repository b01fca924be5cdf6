import numpy as np
import pytest

from course.world.agreement import SHALLOW, assert_hits, clear_rays
from course.world.analytic import AnalyticCaster
from course.world.embree import EmbreeCaster
from course.world.poses import IDENTITY
from course.world.random_scenes import random_rays, random_scene
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

SHAPES = frozenset({Plane, Box, Sphere, Capsule, Cylinder, TriangleMesh})


def test_rays_at_a_rim_or_an_edge_are_not_clear():
    down = np.full((5, 3), (0, 0, -1))
    ball = EmbreeCaster(Scene([Body(name="ball", shape=Sphere(0.5), X_WB=IDENTITY)]))
    starts = [(x, 0, 3) for x in (0, 0.4999, 0.5001, 0.51, 0.495)]
    assert clear_rays(ball, Rays.through(starts, down)).tolist() == [
        True,
        False,
        False,
        True,
        False,
    ]

    cube = EmbreeCaster(Scene([Body(name="cube", shape=Box((1, 1, 1)), X_WB=IDENTITY)]))
    starts = [(x, 0, 3) for x in (0, 0.4999999, 0.5000001, 0.501, 0.499)]
    assert clear_rays(cube, Rays.through(starts, down)).tolist() == [True, False, False, True, True]


def test_rays_near_an_edge_of_a_mesh_are_not_clear():
    """Whether the edge is a border, or inside the surface."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    sheet = TriangleMesh(corners, [(0, 1, 2), (0, 2, 3)])
    caster = EmbreeCaster(Scene([Body(name="sheet", shape=sheet, X_WB=IDENTITY)]))
    starts = [(x, 0.5, 3) for x in (0.2, 1e-8, -1e-8, -0.01, 0.01, 0.5, 0.5 + 1e-8, 0.51)]
    clear = clear_rays(caster, Rays.through(starts, np.full((8, 3), (0, 0, -1))))
    assert clear.tolist() == [True, False, False, True, True, False, False, True]


@pytest.mark.parametrize("seed", range(20))
def test_analytic_and_embree_agree_on_random_scenes_of_all_shapes(seed):
    rng = np.random.default_rng(seed)
    caster = EmbreeCaster(random_scene(rng, SHAPES))
    assert {type(body.shape) for body in caster.scene.bodies} == SHAPES
    rays = random_rays(rng, 500)
    truth, clear = AnalyticCaster(caster.scene).cast_first(rays), clear_rays(caster, rays)
    assert clear.mean() >= 0.7
    hits = caster.cast_first(rays)
    assert_hits(
        caster,
        hits,
        distance=truth.distance,
        n_W=truth.n_W,
        body=truth.body,
        where=clear,
        title=f"seed {seed}",
    )
    np.testing.assert_array_equal(hits.face[clear], truth.face[clear])


def test_where_a_normal_jumps_a_ray_is_not_clear():
    cube = EmbreeCaster(Scene([Body(name="cube", shape=Box((1, 1, 1)), X_WB=IDENTITY)]))
    towards = np.array([(-0.5 + 1e-8, 0, 0.5), (-0.5 - 1e-8, 0, 0.5), (-0.5, 0, 0.4)])
    direction = np.array([1, 0, -2])
    rays = Rays.through(towards - direction, np.full((3, 3), direction))
    assert clear_rays(cube, rays).tolist() == [False, False, True]


def test_clear_rays_meet_no_surface_at_a_shallow_angle_and_are_most_of_all():
    rng = np.random.default_rng(32)
    caster = EmbreeCaster(random_scene(rng, frozenset({Box, Plane, Sphere})))
    rays = random_rays(rng, 600)
    clear = clear_rays(caster, rays)
    hits = AnalyticCaster(caster.scene).cast_first(rays)
    cosine = np.abs(np.einsum("ij,ij->i", hits.n_W, rays.d_W))
    assert (cosine[clear & hits.hit] >= SHALLOW).all()
    assert 0.9 < clear.mean() < 1
