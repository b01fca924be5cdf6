"""Triangles: against 60 digits, exact scaling, watertight seams, and what happens at borders."""

import mpmath
import numpy as np
import pytest
import trimesh

from course.world.intersections import meet_box, meet_mesh
from course.world.intersections import mesh as meet_module
from course.world.triangle_mesh import TriangleMesh

mpmath.mp.dps = 60
BOUND = 1e-12  # times (distance + size) / |cosine|
TRIANGLE = np.array([(0.3, -0.2, 0.1), (1.1, 0.1, -0.3), (0.2, 0.9, 0.4)])


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def ball(subdivisions=2, radius=1.0):
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions)
    return TriangleMesh(radius * mesh.vertices, mesh.faces)


def exact(p, d, corners):
    """Distance, u, v and |cosine| in 60 digits, by Cramer's rule."""
    p, d, a, b, c = ([mpmath.mpf(float(x)) for x in vector] for vector in (p, d, *corners))
    length = mpmath.sqrt(mpmath.fdot(d, d))
    d = [x / length for x in d]
    columns = [
        [x - y for x, y in zip(b, a, strict=True)],
        [x - y for x, y in zip(c, a, strict=True)],
        [-x for x in d],
    ]
    matrix = mpmath.matrix(columns).T
    u, v, distance = mpmath.lu_solve(
        matrix, mpmath.matrix([x - y for x, y in zip(p, a, strict=True)])
    )
    (e, f) = columns[:2]
    n = [e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)]
    return distance, u, v, abs(mpmath.fdot(n, d)) / mpmath.sqrt(mpmath.fdot(n, n))


@pytest.mark.parametrize("height", [1, 1e-3, 1e-6])
@pytest.mark.parametrize("cosine", [0.9, 1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("far", [2.0, 100.0, 1e4])
def test_a_face_is_met_to_its_bound_however_shallow_the_ray(height, cosine, far):
    """Also a sliver, a thousandth or a millionth as high as it is long."""
    rng = np.random.default_rng(int(far))
    corners = TRIANGLE.copy()
    base = corners[0] + (corners[1] - corners[0]) / 3
    corners[2] = base + height * (corners[2] - base)
    mesh = TriangleMesh(corners, [(0, 1, 2)])
    (n,) = mesh.normals
    weights = rng.dirichlet((2, 2, 2), size=40)
    in_plane = unit(np.cross(rng.normal(size=(40, 3)), n))
    d = unit(np.sqrt(1 - cosine**2) * in_plane - cosine * n)
    p = weights @ corners - far * rng.uniform(0.5, 1, (40, 1)) * d
    touches = meet_mesh(p, d, mesh)
    # Starts are rounded: seen along a shallow ray, some pass beside the sliver.
    assert len(touches.ray) > 30 or far * 1e-16 > 1e-3 * height * cosine
    for row, distance, uv in zip(touches.ray, touches.distance, touches.uv, strict=True):
        truth, u, v, true_cosine = exact(p[row], d[row], corners)
        allowed = BOUND * (truth + np.linalg.norm(p[row]) + 1) / true_cosine
        assert abs(distance - truth) <= allowed
        assert max(abs(uv[0] - u), abs(uv[1] - v)) <= allowed / height


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
def test_a_scene_twice_as_large_has_distances_exactly_twice_as_long(scale):
    rng = np.random.default_rng(3)
    mesh = ball()
    p = 2 * rng.normal(size=(500, 3))
    d = unit(rng.normal(size=(500, 3)) - p)
    small = meet_mesh(p, d, mesh)
    large = meet_mesh(scale * p, d, TriangleMesh(scale * mesh.vertices, mesh.faces))
    assert len(small.ray) > 50
    np.testing.assert_array_equal(scale * small.distance, large.distance)
    for column in ("ray", "n_S", "face", "uv"):
        np.testing.assert_array_equal(getattr(small, column), getattr(large, column))


def test_face_and_uv_give_the_point_and_the_normal_is_that_of_the_face():
    rng = np.random.default_rng(4)
    mesh = ball()
    p = 5 * unit(rng.normal(size=(3000, 3)))
    d = unit(rng.normal(size=(3000, 3)) * 0.4 - p)
    touches = meet_mesh(p, d, mesh)
    assert len(touches.ray) > 2000
    x = p[touches.ray] + touches.distance[:, None] * d[touches.ray]
    slope = np.einsum("ij,ij->i", touches.n_S, d[touches.ray])
    off = np.linalg.norm(mesh.points(touches.face, touches.uv) - x, axis=1)
    assert (off <= 1e-13 / -slope).all()
    np.testing.assert_array_equal(touches.n_S, mesh.normals[touches.face])
    assert (touches.uv >= 0).all()
    assert (touches.uv.sum(axis=1) <= 1 + 1e-15).all()


@pytest.mark.parametrize("far", [1.5, 1e3, 1e6])
def test_no_ray_slips_between_two_faces(far):
    """Rays at vertices, along edges and across them, from anywhere: each meets a front."""
    rng = np.random.default_rng(5)
    mesh = ball()
    a, b = mesh.vertices[mesh.faces[:, 0]], mesh.vertices[mesh.faces[:, 1]]
    part = rng.uniform(size=(len(a), 1))
    targets = np.concatenate([mesh.vertices, (a + b) / 2, a + part * (b - a)])
    targets = np.repeat(targets, 8, axis=0)
    inwards = unit(0.5 * unit(rng.normal(size=targets.shape)) - targets)
    touches = meet_mesh(targets - far * inwards, inwards, mesh)
    assert set(touches.ray.tolist()) == set(range(len(targets)))


def test_a_box_of_triangles_is_met_where_the_box_is():
    rng = np.random.default_rng(6)
    box = trimesh.creation.box((1, 2, 3))
    p = 6 * unit(rng.normal(size=(4000, 3)))
    d = unit(rng.uniform(-1.5, 1.5, size=(4000, 3)) - p)
    touches = meet_mesh(p, d, TriangleMesh(box.vertices, box.faces)).nearest()
    distance = meet_box(p, d, (1, 2, 3)).distance
    np.testing.assert_array_equal(touches.ray, np.flatnonzero(np.isfinite(distance)))
    np.testing.assert_allclose(touches.distance, distance[touches.ray], rtol=1e-13)


def test_all_fronts_are_met_in_order_of_rays_and_distances():
    """Three sheets, one of them seen from behind; the last in the list is the nearest."""
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
    up = np.array([(0, 1, 2), (0, 2, 3)])
    vertices = np.concatenate([square + np.array((0, 0, z)) for z in range(3)])
    mesh = TriangleMesh(vertices, np.concatenate([up, up[:, ::-1] + 4, up + 8]))
    p = [(0.5, 0.25, 5), (0.25, 0.5, -5), (3, 0, 5), (0.25, 0.5, 5)]
    d = [(0, 0, -1), (0, 0, 1), (0, 0, -1), (0, 0, -1)]
    touches = meet_mesh(np.array(p), np.array(d, float), mesh)
    assert touches.ray.tolist() == [0, 0, 1, 3, 3]
    assert touches.distance.tolist() == [3, 5, 6, 3, 5]
    assert touches.face.tolist() == [4, 0, 3, 5, 1]
    nearest = touches.nearest()
    assert nearest.ray.tolist() == [0, 1, 3]
    assert nearest.face.tolist() == [4, 3, 5]


def test_a_start_on_a_face_is_at_distance_zero_and_one_behind_it_meets_nothing():
    mesh = TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    p = np.array([(0.25, 0.25, 0), (0.25, 0.25, -1e-9), (0.25, 0.25, 1)])
    down = np.broadcast_to([0.0, 0.0, -1.0], (3, 3))
    touches = meet_mesh(p, down, mesh)
    assert touches.ray.tolist() == [0, 2]
    assert touches.distance.tolist() == [0, 1]
    assert meet_mesh(p, -down, mesh).ray.tolist() == []


def test_a_ray_in_the_plane_of_a_face_does_not_meet_it():
    mesh = TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    assert not len(meet_mesh(np.array([(-1, 0.25, 0.0)]), np.array([(1.0, 0, 0)]), mesh).ray)


def test_blocks_of_rays_do_not_show(monkeypatch):
    rng = np.random.default_rng(8)
    mesh, p = ball(), 3 * unit(rng.normal(size=(200, 3)))
    d = unit(0.8 * rng.normal(size=(200, 3)) - p)
    whole = meet_mesh(p, d, mesh)
    for pairs in (1, 7 * len(mesh.faces)):
        monkeypatch.setattr(meet_module, "BLOCK", pairs)
        for one, other in zip(whole, meet_mesh(p, d, mesh), strict=True):
            np.testing.assert_array_equal(one, other)


def test_no_rays_meet_nothing():
    touches = meet_mesh(np.zeros((0, 3)), np.zeros((0, 3)), ball())
    assert touches.uv.shape == (0, 2)
    assert touches.face.dtype == np.int32
