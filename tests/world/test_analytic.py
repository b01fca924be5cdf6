import numpy as np

from course.world.analytic import AnalyticCaster
from course.world.poses import IDENTITY, pose, rotate_vectors
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

TETRA = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]


def test_rays_in_float32_are_measured_along_a_length_of_one():
    """Such a direction is unit to 1e-7 only; a distance of 1 km would be off by a tenth of a mm."""
    wall = Body(name="wall", shape=Box((1e4, 1e4, 1)), X_WB=pose(translation=(0, 0, 1000.5)))
    d_W = np.random.default_rng(0).normal(size=(100, 3)) * (0.2, 0.2, 0) + (0, 0, 1)
    d_W = (d_W / np.linalg.norm(d_W, axis=1, keepdims=True)).astype(np.float32)
    hits = AnalyticCaster(Scene([wall])).cast_first(Rays(p_WO=np.zeros(3), d_W=d_W))
    assert hits.distance.dtype == np.float64
    cosine = d_W[:, 2] / np.linalg.norm(d_W.astype(np.float64), axis=1)
    np.testing.assert_allclose(hits.distance, 1000 / cosine, rtol=1e-14)


def test_of_two_bodies_at_one_distance_the_earlier_is_reported():
    twins = [Body(name=name, shape=Box((1, 1, 1)), X_WB=IDENTITY) for name in ("a", "b")]
    hits = AnalyticCaster(Scene(twins)).cast_first(Rays.through((0, 0, 3), [(0, 0, -1)]))
    assert hits.body.tolist() == [0]


def test_a_start_inside_two_solids_is_at_distance_zero():
    bodies = [
        Body(name="ball", shape=Sphere(1), X_WB=pose(translation=(0, 0, 0.5))),
        Body(name="floor", shape=Plane(), X_WB=pose(translation=(0, 0, 9))),
    ]
    hits = AnalyticCaster(Scene(bodies)).cast_first(Rays.through((0, 0, 0), [(3, 0, 4)]))
    assert hits.distance.tolist() == [0]
    np.testing.assert_allclose(hits.n_W, [(-0.6, 0, -0.8)], rtol=1e-15)


def test_a_rotated_and_moved_scene_gives_the_same_distances():
    rng = np.random.default_rng(5)
    X_WS = pose(translation=(3, -2, 1), rotation=[[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]])
    places = [pose(translation=rng.uniform(-2, 2, 3)) for _ in range(6)]
    wedge = TriangleMesh(0.8 * np.array([(0, 0, 1), (1, 0, -1), (-1, 1, -1), (-1, -1, -1)]), TETRA)
    shapes = [Box((0.5, 1, 1.5)), Sphere(0.6), Capsule(0.4, 1), Cylinder(0.5, 1), wedge, wedge]

    def scene(X):
        bodies = enumerate(zip(shapes, places, strict=True))
        return Scene([Body(name=f"{i}", shape=s, X_WB=X * X_SB) for i, (s, X_SB) in bodies])

    p = rng.normal(size=(1000, 3)) * 4
    d = rng.uniform(-2, 2, size=(1000, 3)) - p
    still = AnalyticCaster(scene(IDENTITY)).cast_first(Rays.through(p, d))
    moved = AnalyticCaster(scene(X_WS)).cast_first(
        Rays.through(X_WS.apply(p), X_WS.rotation.apply(d))
    )
    assert still.hit.sum() > 100
    np.testing.assert_array_equal(moved.body, still.body)
    np.testing.assert_array_equal(moved.face, still.face)
    assert set(still.body.tolist()) == {-1, *range(6)}
    np.testing.assert_allclose(moved.distance, still.distance, atol=1e-11)
    np.testing.assert_allclose(moved.n_W, rotate_vectors(X_WS, still.n_W), atol=1e-11)
