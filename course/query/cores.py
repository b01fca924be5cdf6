"""Convex shapes as a core that is grown: a core is the hull of a few points, a radius rounds it.

A sphere is a point grown by its radius, a capsule a segment, a box the hull of its corners, grown
by nothing. So one calculation serves all pairs of them (`course.query.hull`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import RigidTransform

from course.world.shapes import Box, Capsule, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

Points = NDArray[np.float64]

CORNERS = np.array(
    [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float64
)
"""(8, 3) corners of the box of size 1."""

CONVEX = (Sphere, Capsule, Box)
"""Kinds of shape that can be moved through a scene, or laid into it."""

WHY_NOT: dict[type[Shape], str] = {
    Plane: "it has no end",
    TriangleMesh: "it is a surface, and not convex; take its parts (chapter 13), or a box around it",
}
"""Kind of shape -> why it cannot be."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Core:
    """All points that are within a radius of the hull of some points.

    Attributes:
        points: (K, 3) m.
        radius: m.
    """

    points: Points
    radius: float


def core_of(shape: Sphere | Capsule | Box, X_WS: RigidTransform) -> Core:
    """A shape at a pose, in the world."""
    match shape:
        case Sphere(radius):
            return Core(points=X_WS.apply(np.zeros((1, 3))), radius=radius)
        case Capsule(radius, length):
            ends = np.array([(0, 0, -length / 2), (0, 0, length / 2)])
            return Core(points=X_WS.apply(ends), radius=radius)
        case Box(size):
            return Core(points=X_WS.apply(CORNERS * size), radius=0.0)


def convex(shape: Shape, *, name: str) -> Sphere | Capsule | Box:
    """`shape`, if it can be moved through a scene.

    Raises:
        TypeError: another kind of shape; says why not.
    """
    if isinstance(shape, CONVEX):
        return shape
    why = WHY_NOT.get(type(shape), "there is no exact answer for it here")
    raise TypeError(f"{name}: expected a Sphere, Capsule or Box, got {type(shape).__name__}: {why}")
