import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.query.bounds import Bounds, bounds
from course.world import Body, Box, Capsule, Cylinder, Plane, Sphere, TriangleMesh, pose

TETRAHEDRON = TriangleMesh(
    [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
)


def support(shape, d):
    """How far a shape reaches along unit directions (N, 3) of its own frame."""
    match shape:
        case Box(size):
            return np.abs(d) @ np.asarray(size) / 2
        case Sphere(radius):
            return np.full(len(d), radius)
        case Capsule(radius, length):
            return np.abs(d[:, 2]) * length / 2 + radius
        case Cylinder(radius, length):
            return np.abs(d[:, 2]) * length / 2 + np.hypot(d[:, 0], d[:, 1]) * radius
        case TriangleMesh():
            return (d @ shape.vertices.T).max(axis=1)


@pytest.mark.parametrize(
    "shape",
    [Box((1, 2, 3)), Sphere(0.7), Capsule(0.3, 1.2), Cylinder(0.5, 0.4), TETRAHEDRON],
    ids=lambda shape: type(shape).__name__,
)
def test_a_box_reaches_as_far_as_its_body_along_every_axis(shape, rng):
    axes = np.eye(3)
    for _ in range(20):
        X_WB = pose(
            translation=rng.normal(size=3), rotation=Rotation.from_rotvec(rng.normal(size=3))
        )
        box = bounds(Body(name="body", shape=shape, X_WB=X_WB))
        R_WB = X_WB.rotation.as_matrix()
        np.testing.assert_allclose(
            box.upper, X_WB.translation + support(shape, axes @ R_WB), atol=2e-8
        )
        np.testing.assert_allclose(
            box.lower, X_WB.translation - support(shape, -axes @ R_WB), atol=2e-8
        )
        assert (box.upper > X_WB.translation + support(shape, axes @ R_WB)).all()


def test_a_plane_has_no_end():
    assert not bounds(Body(name="floor", shape=Plane(), X_WB=pose())).finite


def test_a_ray_meets_a_box_within_its_reach():
    box = Bounds(lower=np.array([1.0, -1, -1]), upper=np.array([2.0, 1, 1]))
    zero, forward = np.zeros(3), np.array([1.0, 0, 0])
    assert box.met_by(zero, forward, 1)
    assert not box.met_by(zero, forward, 0.999)
    assert not box.met_by(zero, -forward, 9)
    assert box.met_by(np.array([1.5, 0, 0]), -forward, 1e-9)
    assert not box.met_by(np.array([0.0, 1.001, 0]), forward, 9)
    assert box.met_by(np.array([0.0, 1, 0]), forward, 9)
    assert box.met_by(zero, np.array([1.0, 1e-310, 0]), 9)


def test_boxes_overlap_if_they_do_along_every_axis():
    box = Bounds(lower=np.zeros(3), upper=np.ones(3))
    for axis in range(3):
        aside = np.zeros(3)
        aside[axis] = 1
        assert box.overlaps(Bounds(lower=box.lower + aside, upper=box.upper + aside))
        assert not box.overlaps(
            Bounds(lower=box.lower + 1.001 * aside, upper=box.upper + 1.001 * aside)
        )
