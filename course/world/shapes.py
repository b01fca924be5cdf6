"""Shapes, each described in a frame of its own, whose pose a body gives.

Lengths are in metres. Normals point out of the solid. A box, sphere, capsule and cylinder are
centred at the origin of their frame, the last two with their axis along z; a plane is the infinite
half space z <= 0 of its frame, and its surface z = 0 has one side, with the normal +z. All these
are solids; a triangle mesh is a surface.
"""

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from course.world.checks import floats, positive, shaped
from course.world.triangle_mesh import TriangleMesh


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


@dataclass(frozen=True)
class Capsule:
    """A cylinder along z with a half ball on either end.

    Attributes:
        radius: of the cylinder and of the half balls, m.
        length: between the two centres of the half balls, m: from tip to tip it is
            `length + 2 * radius`. (Some engines want half of the length.)
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        radius = positive(self.radius, name="Capsule.radius", unit="m")
        length = positive(self.length, name="Capsule.length", unit="m")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "length", length)

    @property
    def bounding_radius(self) -> float:
        """Distance from the centre to a tip, m."""
        return self.length / 2 + self.radius


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along z with flat ends.

    Attributes:
        radius: m.
        length: full, from end to end, m. Not half of it, as some engines want.
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        radius = positive(self.radius, name="Cylinder.radius", unit="m")
        length = positive(self.length, name="Cylinder.length", unit="m")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "length", length)

    @property
    def bounding_radius(self) -> float:
        """Distance from the centre to an edge, m."""
        return math.hypot(self.radius, self.length / 2)


Shape = Plane | Box | Sphere | Capsule | Cylinder | TriangleMesh
