"""Shapes: solids, each described in a frame of its own, whose pose a body gives.

Lengths are in metres. Normals point out of the solid. A sphere and a box are centred at the origin
of their frame; a plane is the infinite half space z <= 0 of its frame, and its surface z = 0 has
one side, with the normal +z.
"""

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from course.world.checks import floats, positive, shaped


@dataclass(frozen=True)
class Plane:
    """The half space z <= 0: solid below, infinite, with the normal +z."""

    @property
    def bounding_radius(self) -> float:
        """Distance from the frame's origin to the farthest point: infinite."""
        return math.inf


@dataclass(frozen=True)
class Box:
    """A box with its edges along the axes of its frame.

    Attributes:
        size: full lengths of the edges along x, y, z, m. Not half of them, as some engines want.
    """

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        given: ArrayLike = self.size
        x, y, z = shaped(floats(given, name="Box.size"), (3,), name="Box.size").tolist()
        size = tuple(positive(edge, name="Box.size", unit="m") for edge in (x, y, z))
        object.__setattr__(self, "size", size)

    @property
    def bounding_radius(self) -> float:
        """Distance from the centre to a corner, m."""
        return math.hypot(*self.size) / 2


@dataclass(frozen=True)
class Sphere:
    """A ball.

    Attributes:
        radius: m.
    """

    radius: float

    def __post_init__(self) -> None:
        radius = positive(self.radius, name="Sphere.radius", unit="m")
        object.__setattr__(self, "radius", radius)

    @property
    def bounding_radius(self) -> float:
        """The radius, m."""
        return self.radius


Shape = Plane | Box | Sphere
