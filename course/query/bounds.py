"""Axis-aligned boxes around bodies: what a query looks at before it looks at the bodies."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.world.scene import Body
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

Vector = NDArray[np.float64]

SLACK = 1e-9
"""Part of their size and distance by which boxes are larger: rounding hides no body."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """A box with its edges along the axes of the world.

    Attributes:
        lower, upper: (3,) m, opposite corners; infinite around a plane.
    """

    lower: Vector
    upper: Vector

    @property
    def finite(self) -> bool:
        """Whether the box has an end."""
        return bool(np.isfinite(self.lower).all() and np.isfinite(self.upper).all())

    def joined(self, other: "Bounds") -> "Bounds":
        """The box around both."""
        return Bounds(
            lower=np.minimum(self.lower, other.lower), upper=np.maximum(self.upper, other.upper)
        )

    def overlaps(self, other: "Bounds") -> bool:
        """Whether the two have a point in common."""
        return bool((self.lower <= other.upper).all() and (other.lower <= self.upper).all())

    def grown(self, half: Vector) -> "Bounds":
        """The box whose sides lie farther out by `half` (3,) m."""
        return Bounds(lower=self.lower - half, upper=self.upper + half)

    def met_by(self, p_WO: Vector, d_W: Vector, reach: float) -> bool:
        """Whether a ray (3,), (3,) comes into the box within `reach`, m."""
        first, last = 0.0, reach
        for start, slope, low, high in zip(p_WO, d_W, self.lower, self.upper, strict=True):
            if slope == 0:
                if not low <= start <= high:
                    return False
                continue
            with np.errstate(over="ignore"):  # as good as parallel: infinite is the right answer
                enter, leave = sorted(((low - start) / slope, (high - start) / slope))
            first, last = max(first, enter), min(last, leave)
        return bool(first <= last)


def bounds(body: Body) -> Bounds:
    """The box around a body, a little too large."""
    R_WB, p_WB = body.X_WB.rotation.as_matrix(), body.X_WB.translation
    match body.shape:
        case Plane():
            return Bounds(lower=np.full(3, -np.inf), upper=np.full(3, np.inf))
        case Box(size):
            half = np.abs(R_WB) @ (np.asarray(size) / 2)
        case Sphere(radius):
            half = np.full(3, radius)
        case Capsule(radius, length):
            half = np.abs(R_WB[:, 2]) * length / 2 + radius
        case Cylinder(radius, length):
            # A disc reaches as far along an axis as the sine between its normal and that axis.
            aside = np.sqrt(np.maximum(1 - R_WB[:, 2] ** 2, 0))
            half = np.abs(R_WB[:, 2]) * length / 2 + aside * radius
        case TriangleMesh():
            vertices = body.X_WB.apply(body.shape.vertices)
            lower, upper = vertices.min(axis=0), vertices.max(axis=0)
            return Bounds(lower=lower, upper=upper).grown(_slack(lower, upper))
    lower, upper = p_WB - half, p_WB + half
    return Bounds(lower=lower, upper=upper).grown(_slack(lower, upper))


def _slack(lower: Vector, upper: Vector) -> Vector:
    return np.full(3, SLACK * max(np.abs(lower).max(), np.abs(upper).max()))
