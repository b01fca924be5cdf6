"""What an intersection is: with a solid one row a ray, with a mesh one row a meeting."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Intersection(NamedTuple):
    """First meeting of each of N rays with one solid; rows of `n_S` without a meeting mean nothing.

    Attributes:
        distance: (N,) m; inf where they never meet.
        n_S: (N, 3) unit normal out of the solid; -d_S for a start inside it.
    """

    distance: Array
    n_S: Array


class Touches(NamedTuple):
    """Where N rays meet one shape, K times in all: flat, in order of rays, then of distances.

    Attributes:
        ray: (K,) which ray.
        distance: (K,) m.
        n_S: (K, 3) unit normal.
        face: (K,) int32 which face of a mesh; -1 for a solid.
        uv: (K, 2) where on it, see `course.world.triangle_mesh`; nan for a solid.
    """

    ray: NDArray[np.intp]
    distance: Array
    n_S: Array
    face: NDArray[np.int32]
    uv: Array

    @classmethod
    def of_solid(cls, intersection: Intersection) -> "Touches":
        """One for each ray that meets it."""
        ray = np.flatnonzero(np.isfinite(intersection.distance))
        return cls(
            ray=ray,
            distance=intersection.distance[ray],
            n_S=intersection.n_S[ray],
            face=np.full(len(ray), -1, np.int32),
            uv=np.full((len(ray), 2), np.nan),
        )

    @classmethod
    def none(cls) -> "Touches":
        """None at all."""
        return cls.of_solid(Intersection(np.zeros(0), np.zeros((0, 3))))

    @classmethod
    def joined(cls, parts: Sequence["Touches"]) -> "Touches":
        """Those of all parts, one part after the other; at least one part."""
        return cls(
            ray=np.concatenate([part.ray for part in parts]),
            distance=np.concatenate([part.distance for part in parts]),
            n_S=np.concatenate([part.n_S for part in parts]),
            face=np.concatenate([part.face for part in parts]),
            uv=np.concatenate([part.uv for part in parts]),
        )

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Touches":
        """Only some of them, or all in another order."""
        return Touches(
            ray=self.ray[chosen],
            distance=self.distance[chosen],
            n_S=self.n_S[chosen],
            face=self.face[chosen],
            uv=self.uv[chosen],
        )

    def nearest(self) -> "Touches":
        """Only the first of each ray."""
        return self.rows(np.diff(self.ray, prepend=-1) > 0)


def met(meets: NDArray[np.bool_], distance: Array, n_S: Array) -> Intersection:
    """The meetings where `meets` (N,) is true."""
    return Intersection(np.where(meets, distance, np.inf), n_S)


def met_at_once(inside: NDArray[np.bool_], else_: Intersection, d_S: Array) -> Intersection:
    """The same meetings, except that rays that start inside (N,) are at distance 0."""
    distance = np.where(inside, 0.0, else_.distance)
    return Intersection(distance, np.where(inside[:, np.newaxis], -d_S, else_.n_S))
