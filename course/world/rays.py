"""Rays and their first hits.

A ray starts at O and runs along a direction d; its points are `p_WO + distance * d_W`. Since d has
length 1, a distance is in metres. (An engine that takes any d, and measures in lengths of d,
reports half the metres for a d twice as long.)

A miss is a value, not a missing row: N rays give N rows, with distance inf, normal and point nan,
and body -1. The same for what only a hit on a triangle mesh has: face -1 and uv nan.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.checks import Floats, finite, floats, positive, read_only, shaped, unit

NO_FACE = -1
"""What `face` arrays hold where no triangle mesh was hit."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rays:
    """N rays in the world W. Arrays are kept as they come if they are read-only, else copied.

    Attributes:
        p_WO: (N, 3) m, where each ray starts; one start (3,) is shared by all.
        d_W: (N, 3) unit directions, float32 or float64.
        max_distance: m, how far the rays reach; may be inf.

    Raises:
        TypeError: not real numbers.
        ValueError: other shapes, nan, infinity, zero directions, lengths other than 1, or no
            positive reach.
    """

    p_WO: Floats
    d_W: Floats
    max_distance: float = math.inf

    def __post_init__(self) -> None:
        hint = "; write one ray as [[x, y, z]]"
        d_W = shaped(floats(self.d_W, name="d_W"), ("N", 3), name="d_W", hint=hint)
        p_WO = finite(floats(self.p_WO, name="p_WO"), name="p_WO")
        if p_WO.shape == (3,):
            p_WO = np.broadcast_to(p_WO.copy(), d_W.shape)
        hint = "; one start per direction, or one (3,) for all"
        shaped(p_WO, d_W.shape, name="p_WO", hint=hint)
        reach = positive(self.max_distance, name="max_distance", unit="m", infinite=True)
        object.__setattr__(self, "p_WO", read_only(p_WO))
        object.__setattr__(self, "d_W", read_only(unit(d_W, name="d_W")))
        object.__setattr__(self, "max_distance", reach)

    @classmethod
    def through(
        cls, p_WO: ArrayLike, directions: ArrayLike, *, max_distance: float = math.inf
    ) -> "Rays":
        """Rays along directions of any length, which are normalised.

        Args:
            p_WO: (N, 3) or (3,) m.
            directions: (N, 3), not zero.
            max_distance: m, as in `Rays`.

        Raises:
            TypeError, ValueError: as `Rays`.
        """
        hint = "; write one ray as [[x, y, z]]"
        d = floats(directions, name="directions")
        finite(shaped(d, ("N", 3), name="directions", hint=hint), name="directions")
        # Scaled to 1 first, as the square of a very short or very long direction is 0 or infinite.
        largest = np.abs(d).max(axis=1, keepdims=True)
        if not largest.all():
            row = int(np.argmin(largest))
            raise ValueError(f"directions: row {row} is zero; a ray needs a direction")
        scaled = d / largest
        d_W = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
        return cls(p_WO=floats(p_WO, name="p_WO"), d_W=d_W, max_distance=max_distance)

    def __len__(self) -> int:
        return len(self.d_W)


@dataclass(frozen=True, kw_only=True, eq=False)
class RayHits:
    """The first hit of each of N rays, in their order; `p_WH = p_WO + distance * d_W`.

    Attributes:
        rays: the rays that were cast.
        distance: (N,) m, in the precision of the caster; inf on a miss.
        n_W: (N, 3) unit normal out of the solid, in the same precision; nan on a miss. A hit at
            distance 0 from inside a solid has no surface: there it is -d_W.
        body: (N,) int32, place in `scene.bodies`; -1 on a miss.
        face: (N,) int32, place in `faces` of the triangle mesh that was hit; -1 on another shape or
            a miss. By default -1 for all.
        uv: (N, 2) barycentric coordinates of the point on that face, in the same precision: it is
            `(1 - u - v) a + u b + v c`. nan where face is -1; by default for all.
    """

    rays: Rays
    distance: Floats
    n_W: Floats
    body: NDArray[np.int32]
    face: NDArray[np.int32] = field(default_factory=lambda: np.array(NO_FACE, np.int32))
    uv: Floats = field(default_factory=lambda: np.array(np.nan))

    def __post_init__(self) -> None:
        for array in (self.distance, self.n_W, self.body, self.face, self.uv):
            array.flags.writeable = False
        # The defaults are one element that is shown for all rays: no work per ray.
        uv = self.uv.astype(self.distance.dtype, copy=False)
        object.__setattr__(self, "face", np.broadcast_to(self.face, self.body.shape))
        object.__setattr__(self, "uv", np.broadcast_to(uv, (*self.body.shape, 2)))

    @cached_property
    def hit(self) -> NDArray[np.bool_]:
        """(N,) whether a ray hit anything."""
        return read_only(self.body >= 0)

    @cached_property
    def p_WH(self) -> NDArray[np.float64]:
        """(N, 3) m, where each ray hit; nan on a miss. float64, as starts may be far away."""
        distance = np.where(self.hit, self.distance, np.nan).astype(np.float64)
        return read_only(self.rays.p_WO + distance[:, np.newaxis] * self.rays.d_W)
