"""A hull of points, grown by a radius: how far the origin is from it, and where a ray enters it.

Of two convex shapes A and B, take all differences b - a of a point of B and one of A. They overlap
if the origin is among these; and A, moved along d, meets B where a ray from the origin along d
enters them. The differences are the hull of the differences of the points of the two cores, grown
by the sum of the two radii: so a sweep is a ray against a grown shape, and nothing is approximated.

The surface of a grown hull is made of its faces, moved outwards, and of capsules around its edges.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from course.world.intersections import meet_capsule, meet_sphere

Vector = NDArray[np.float64]

FLAT = 1e-12
"""Extent as a part of the largest one: below it, a hull is flat, a line or a point."""

AT_EDGE = 1e-12
"""Part of the size and distance by which a point may lie beside a face, and still be on it."""


class Place(NamedTuple):
    """A distance and the normal there.

    Attributes:
        distance: m; from the origin, negative inside, or along a ray.
        n_W: (3,) unit normal out of the hull, towards the origin.
    """

    distance: float
    n_W: Vector


class _Surface(NamedTuple):
    """A hull as half spaces n.p <= h, and edges; faces may be cut into triangles.

    Attributes:
        dimension: 3 of a solid, 2 if it is flat, 1 of a line, 0 of a point.
        n_W: (F, 3) unit normals.
        height: (F,) m.
        starts, ends: (E, 3) m.
    """

    dimension: int
    n_W: Vector
    height: Vector
    starts: Vector
    ends: Vector


class GrownHull:
    """The hull of points (K, 3), grown by a radius, as seen from the origin."""

    def __init__(self, points: Vector, radius: float) -> None:
        self._points = points
        self._radius = radius
        self._size = float(np.abs(points).max()) + radius

    def signed_distance(self) -> Place:
        """Of the origin: from the surface, negative inside."""
        core = self._to_core()
        return Place(core.distance - self._radius, core.n_W)

    def first_on_ray(self, d_W: Vector) -> Place | None:
        """Where a ray from the origin, outside, along a unit direction (3,) enters."""
        places = [*self._entered_faces(d_W), *self._entered_edges(d_W)]
        return min(places, key=lambda place: place.distance, default=None)

    @cached_property
    def _surface(self) -> _Surface:
        return _surface_of(self._points)

    def _to_core(self) -> Place:
        """The same of the hull before it is grown."""
        dimension, n_W, height, starts, ends = self._surface
        if dimension == 3 and (height >= 0).all():
            nearest = int(height.argmin())
            return Place(-float(height[nearest]), n_W[nearest])
        feet = [height[face] * n_W[face] for face in self._faces_over(height[:, None] * n_W)]
        along = ends - starts
        squared = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        part = np.clip(-np.einsum("ij,ij->i", starts, along) / squared, 0, 1)
        feet += list(starts + part[:, np.newaxis] * along)
        nearest_point = min(feet, key=lambda foot: float(foot @ foot))
        distance = float(np.linalg.norm(nearest_point))
        if distance > FLAT * self._size:
            return Place(distance, -nearest_point / distance)
        return Place(0.0, self._normal_at_core())

    def _normal_at_core(self) -> Vector:
        """A direction out of a core without volume, from a point on it."""
        if len(self._surface.n_W):
            normal: Vector = self._surface.n_W[int(np.abs(self._surface.height).argmin())]
            return normal
        return _aside(self._surface.ends[0] - self._surface.starts[0])

    def _faces_over(self, feet: Vector) -> NDArray[np.intp]:
        """Which faces (F,) have their foot (F, 3) on them, and not beside."""
        outside = (feet @ self._surface.n_W.T - self._surface.height).max(axis=1, initial=0)
        return np.flatnonzero(outside <= AT_EDGE * self._size)

    def _entered_faces(self, d_W: Vector) -> list[Place]:
        """Where the ray enters through a face, moved outwards by the radius."""
        _, n_W, height, _, _ = self._surface
        slope = n_W @ d_W
        facing = np.flatnonzero((slope < 0) & (height + self._radius <= 0))
        distance = np.full(len(slope), np.inf)
        distance[facing] = (height[facing] + self._radius) / slope[facing]
        reached = np.where(np.isfinite(distance), distance, 0)
        feet = reached[:, np.newaxis] * d_W - self._radius * n_W
        over = self._faces_over(feet)
        return [Place(float(distance[i]), n_W[i]) for i in over if np.isfinite(distance[i])]

    def _entered_edges(self, d_W: Vector) -> list[Place]:
        """Where the ray enters a capsule around an edge."""
        if self._radius == 0:
            return []
        starts, ends = self._surface.starts, self._surface.ends
        middle, length = (starts + ends) / 2, np.linalg.norm(ends - starts, axis=1)
        ahead = middle @ d_W
        aside = np.linalg.norm(middle - ahead[:, np.newaxis] * d_W, axis=1)
        near = np.flatnonzero(aside <= (length / 2 + self._radius) * (1 + 1e-9))
        places = [_enter_edge(starts[i], ends[i], self._radius, d_W) for i in near]
        return [place for place in places if place is not None]


def _enter_edge(start: Vector, end: Vector, radius: float, d_W: Vector) -> Place | None:
    """Where a ray from the origin enters the capsule around a segment, by the world's closed forms."""
    along = end - start
    length = float(np.linalg.norm(along))
    middle = (start + end) / 2
    if length == 0:
        met = meet_sphere(-middle[np.newaxis], d_W[np.newaxis], radius)
        R_WS = np.eye(3)
    else:
        R_WS = _frame_along(along / length)
        met = meet_capsule((-middle @ R_WS)[np.newaxis], (d_W @ R_WS)[np.newaxis], radius, length)
    distance = float(met.distance[0])
    return Place(distance, R_WS @ met.n_S[0]) if np.isfinite(distance) else None


def _frame_along(z: Vector) -> Vector:
    """(3, 3) a rotation whose third column is the unit vector z."""
    x = _aside(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _aside(along: Vector) -> Vector:
    """A unit vector (3,) across another vector, which may be zero."""
    aside = np.zeros(3)
    aside[int(np.abs(along).argmin())] = 1
    aside -= along * (along @ aside) / max(float(along @ along), np.finfo(float).tiny)
    unit: Vector = aside / np.linalg.norm(aside)
    return unit


def _surface_of(points: Vector) -> _Surface:
    """Half spaces and edges of a hull, which may be flat, a line or a point."""
    centre = points.mean(axis=0)
    _, extents, axes = np.linalg.svd(points - centre, full_matrices=True)
    dimension = int((extents > FLAT * max(extents.max(), np.finfo(float).tiny)).sum())
    none = np.zeros((0, 3))
    if dimension == 0:
        return _Surface(dimension, none, np.zeros(0), points[:1], points[:1])
    if dimension == 1:
        along = (points - centre) @ axes[0]
        low, high = points[[along.argmin()]], points[[along.argmax()]]
        return _Surface(dimension, none, np.zeros(0), low, high)
    if dimension == 2:
        flat = ConvexHull((points - centre) @ axes[:2].T)
        n_W = np.concatenate([flat.equations[:, :2] @ axes[:2], axes[[2]], -axes[[2]]])
        edges = flat.simplices
    else:
        hull = ConvexHull(points - centre)
        n_W = hull.equations[:, :3]
        a, b, c = hull.simplices.T
        edges = np.unique(np.sort(np.stack([[a, b, c], [b, c, a]], axis=-1).reshape(-1, 2)), axis=0)
    n_W = n_W / np.linalg.norm(n_W, axis=1, keepdims=True)
    height = (points @ n_W.T).max(axis=0)
    return _Surface(dimension, n_W, height, points[edges[:, 0]], points[edges[:, 1]])
