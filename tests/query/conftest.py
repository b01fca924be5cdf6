"""Scenes that tests of queries share."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.query import QueryScene, QueryShape
from course.world import Body, Box, Capsule, Cylinder, Plane, Scene, Sphere, TriangleMesh, pose

CUBE_VERTICES = np.array(
    [
        (-1, -1, -1),
        (1, -1, -1),
        (1, 1, -1),
        (-1, 1, -1),
        (-1, -1, 1),
        (1, -1, 1),
        (1, 1, 1),
        (-1, 1, 1),
    ]
)
CUBE_FACES = np.array(
    [
        (0, 2, 1),
        (0, 3, 2),
        (4, 5, 6),
        (4, 6, 7),
        (0, 1, 5),
        (0, 5, 4),
        (1, 2, 6),
        (1, 6, 5),
        (2, 3, 7),
        (2, 7, 6),
        (3, 0, 4),
        (3, 4, 7),
    ]
)


def cube(name, x, shape=None):
    """A body at (x, 0, 0): by default a box of 1 m."""
    return Body(name=name, shape=shape or Box((1, 1, 1)), X_WB=pose(translation=(x, 0, 0)))


@pytest.fixture
def rng():
    return np.random.default_rng(20261201)


@pytest.fixture
def row():
    """Ten boxes of 1 m, r0 at x = 0, r1 at x = 2, …, in the scene in no order; see PhysX's tests."""
    order = (7, 3, 9, 1, 5, 8, 2, 6, 4, 0)
    return QueryScene(Scene([cube(f"r{place}", 2 * place) for place in order]))


@pytest.fixture
def mesh_cube():
    """A cube of 1 m as 12 triangles, the same that PhysX was given."""
    return TriangleMesh(CUBE_VERTICES / 2, CUBE_FACES)


@pytest.fixture
def kinds(mesh_cube):
    """One of each: box B, sphere S, triangles T, capsule C, cylinder Y, 10 m apart, a floor below."""
    floor = Body(name="floor", shape=Plane(), X_WB=pose(translation=(0, 0, -5)))
    return QueryScene(
        Scene(
            [
                cube("B", 0),
                cube("S", 10, Sphere(0.5)),
                cube("T", 20, mesh_cube),
                cube("C", 30, Capsule(0.5, 1)),
                cube("Y", 40, Cylinder(0.5, 1)),
                floor,
            ]
        )
    )


def random_query_scene(rng, count=24, dynamic=0.5):
    """Boxes, spheres, capsules and meshes at random, crowded around the origin."""
    makers = (
        lambda: Box(tuple(rng.uniform(0.2, 1.5, 3))),
        lambda: Sphere(rng.uniform(0.1, 0.8)),
        lambda: Capsule(*rng.uniform(0.1, 0.7, 2)),
        lambda: TriangleMesh(CUBE_VERTICES * rng.uniform(0.1, 0.7, 3), CUBE_FACES),
    )
    bodies, settings = [], {}
    for place in range(count):
        turned = Rotation.from_rotvec(rng.normal(size=3))
        X_WB = pose(translation=rng.uniform(-3, 3, 3), rotation=turned)
        bodies.append(Body(name=f"b{place}", shape=makers[place % 4](), X_WB=X_WB))
        settings[f"b{place}"] = QueryShape(
            takes_part=bool(rng.random() < 0.9),
            dynamic=bool(rng.random() < dynamic),
            words=tuple(int(word) for word in rng.integers(0, 4, 4)),
        )
    return QueryScene(Scene(bodies), settings)


@pytest.fixture
def make_random_scene():
    return random_query_scene
