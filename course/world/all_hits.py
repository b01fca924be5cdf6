"""All hits along rays: what lies behind the first one as well.

How many hits a ray has, no one knows before. So hits lie flat in one array after another, ray after
ray: those of ray i are the rows from `offsets[i]` to `offsets[i + 1]`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from course.world.checks import Floats, read_only, whole
from course.world.rays import NO_FACE, RayHits, Rays
from course.world.scene import NO_BODY


@dataclass(frozen=True, kw_only=True, eq=False)
class AllHits:
    """M hits of N rays. Along each ray they are ordered by distance, then as bodies in the scene.

    Fields are those of `course.world.rays.RayHits`, except that there are no rows for misses.

    Attributes:
        rays: the rays that were cast.
        offsets: (N + 1,) int64, where the hits of each ray begin; the last is M.
        distance: (M,) m, in the precision of the caster.
        n_W: (M, 3) unit normal; for a start inside a solid -d_W.
        body: (M,) int32, place in `scene.bodies`.
        face: (M,) int32, place in `faces` of a triangle mesh; -1 on another shape.
        uv: (M, 2) barycentric coordinates on that face; nan on another shape.
    """

    rays: Rays
    offsets: NDArray[np.int64]
    distance: Floats
    n_W: Floats
    body: NDArray[np.int32]
    face: NDArray[np.int32]
    uv: Floats

    def __post_init__(self) -> None:
        arrays = (self.offsets, self.distance, self.n_W, self.body, self.face, self.uv)
        for array in arrays:
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.body)

    @cached_property
    def count(self) -> NDArray[np.int64]:
        """(N,) how many hits each ray has."""
        return read_only(np.diff(self.offsets))

    @cached_property
    def ray(self) -> NDArray[np.int32]:
        """(M,) which ray a hit is of."""
        return read_only(np.repeat(np.arange(len(self.rays), dtype=np.int32), self.count))

    @cached_property
    def p_WH(self) -> NDArray[np.float64]:
        """(M, 3) m, where they are."""
        along = self.distance.astype(np.float64)[:, np.newaxis] * self.rays.d_W[self.ray]
        return read_only(self.rays.p_WO[self.ray] + along)

    def of_ray(self, ray: int) -> "AllHits":
        """The hits of one ray: the same record, with that ray alone.

        Raises:
            TypeError, ValueError: no such ray.
        """
        ray = whole(ray, name="ray", at_least=0)
        if ray >= len(self.rays):
            raise ValueError(f"ray: expected 0 to {len(self.rays) - 1}, got {ray}")
        rows = slice(*self.offsets[ray : ray + 2])
        one = slice(ray, ray + 1)
        return AllHits(
            rays=Rays(
                p_WO=self.rays.p_WO[one],
                d_W=self.rays.d_W[one],
                max_distance=self.rays.max_distance,
            ),
            offsets=self.offsets[ray : ray + 2] - self.offsets[ray],
            distance=self.distance[rows],
            n_W=self.n_W[rows],
            body=self.body[rows],
            face=self.face[rows],
            uv=self.uv[rows],
        )

    def first(self) -> RayHits:
        """The first hit of each ray, or its miss: what `cast_first` answers."""
        hit = self.count > 0
        rows = self.offsets[:-1][hit]
        distance = np.full(len(hit), np.inf, self.distance.dtype)
        n_W = np.full((len(hit), 3), np.nan, self.n_W.dtype)
        body = np.full(len(hit), NO_BODY, np.int32)
        face = np.full(len(hit), NO_FACE, np.int32)
        uv = np.full((len(hit), 2), np.nan, self.uv.dtype)
        for dense, flat in (
            (distance, self.distance),
            (n_W, self.n_W),
            (body, self.body),
            (face, self.face),
            (uv, self.uv),
        ):
            dense[hit] = flat[rows]
        return RayHits(rays=self.rays, distance=distance, n_W=n_W, body=body, face=face, uv=uv)
