"""What a convex shape meets, ready to be asked: a body minus the shape, as seen from the origin.

A convex body is one obstacle, a plane is one, and a mesh is one for each of its faces.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from course.query.bounds import Bounds
from course.query.cores import CONVEX, Core, convex, core_of
from course.query.hull import GrownHull, Place
from course.world.scene import Body
from course.world.shapes import Plane
from course.world.triangle_mesh import TriangleMesh

Vector = NDArray[np.float64]


class Obstacle(Protocol):
    """A body, or a face of one, against a core of points."""

    @property
    def face(self) -> int | None:
        """Which face of a mesh; None for a solid."""

    def signed_distance(self) -> Place:
        """Between the two surfaces: negative in an overlap; the normal points to the core."""

    def first_on_ray(self, d_W: Vector) -> Place | None:
        """Where the core, outside and moved along a unit direction, meets the obstacle."""

    def contact(self, moved: Core, n_W: Vector) -> Vector:
        """A point (3,) of the moved core's own surface where the two meet with normal `n_W`."""


def obstacles(core: Core, body: Body, inflation: float, near: Bounds) -> list[Obstacle]:
    """What a core has to do with a body.

    Args:
        core: of the shape that asks.
        body: of the scene.
        inflation: m, by which the core is grown.
        near: where the core is or will be; faces of a mesh elsewhere are left out.

    Raises:
        TypeError: a kind of body for which there is no exact answer; says how to leave it out.
    """
    radius = core.radius + inflation
    if isinstance(body.shape, Plane):
        n_W = body.X_WB.rotation.as_matrix()[:, 2]
        return [_HalfSpace(core, n_W, float(n_W @ body.X_WB.translation) + radius)]
    if isinstance(body.shape, TriangleMesh):
        corners = body.X_WB.apply(body.shape.vertices)[body.shape.faces]
        in_reach = (corners.max(axis=1) >= near.lower) & (corners.min(axis=1) <= near.upper)
        return [
            _Convex(core, Core(points=corners[face], radius=0.0), radius, face=int(face))
            for face in np.flatnonzero(in_reach.all(axis=1))
        ]
    if isinstance(body.shape, CONVEX):
        return [_Convex(core, core_of(convex(body.shape, name=body.name), body.X_WB), radius)]
    raise TypeError(
        f"body {body.name!r}: no sweep or overlap against a {type(body.shape).__name__}, only "
        "Plane, Box, Sphere, Capsule, TriangleMesh; leave it out by QueryShape(takes_part=False)"
    )


class _Convex:
    """A convex body, or a face."""

    def __init__(self, core: Core, body: Core, radius: float, face: int | None = None) -> None:
        self.face = face
        self._body = body
        differences = body.points[:, np.newaxis] - core.points
        self._hull = GrownHull(differences.reshape(-1, 3), radius + body.radius)

    def signed_distance(self) -> Place:
        return self._hull.signed_distance()

    def first_on_ray(self, d_W: Vector) -> Place | None:
        return self._hull.first_on_ray(d_W)

    def contact(self, moved: Core, n_W: Vector) -> Vector:
        """Points of the two cores that lie along the normal: weights of their points, not negative.

        Where two faces or edges meet flat there are many, and this is one of them.
        """
        ours, theirs = moved.points, self._body.points
        origin = theirs.mean(axis=0)
        gap = (ours @ n_W).min() - (theirs @ n_W).max()
        weights = np.block(
            [
                [(ours - origin).T, -(theirs - origin).T],
                [np.ones(len(ours)), np.zeros(len(theirs))],
                [np.zeros(len(ours)), np.ones(len(theirs))],
            ]
        )
        found, _ = nnls(weights, np.array([*(gap * n_W), 1, 1]))
        point: Vector = found[: len(ours)] @ ours - moved.radius * n_W
        return point


@dataclass(frozen=True, eq=False)
class _HalfSpace:
    """A plane: below `height` along `n_W`, the radii included."""

    core: Core
    n_W: Vector
    height: float
    face: int | None = None

    def signed_distance(self) -> Place:
        return Place(float((self.core.points @ self.n_W).min()) - self.height, self.n_W)

    def first_on_ray(self, d_W: Vector) -> Place | None:
        slope = float(self.n_W @ d_W)
        if slope >= 0:
            return None
        return Place(self.signed_distance().distance / -slope, self.n_W)

    def contact(self, moved: Core, n_W: Vector) -> Vector:
        """The middle of all lowest points."""
        above = moved.points @ n_W
        lowest = moved.points[above <= above.min() + 1e-9 * np.abs(moved.points).max()]
        point: Vector = lowest.mean(axis=0) - moved.radius * n_W
        return point
