"""Raycast: what a finite ray meets, filtered and collected as PhysX does.

Where exactly a ray meets a body is found by `course.world.AnalyticCaster`, whose answers for starts
inside are those of PhysX: box, sphere, capsule and cylinder at distance 0 with -d for a normal, a
plane from below and a mesh from behind not at all. Seen from both sides, a face of a mesh keeps its
normal, which then points along the ray.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.query.bounds import Bounds
from course.query.buffers import QueryResult
from course.query.cache import QueryCache, cached_name
from course.query.directions import unit_direction
from course.query.filters import EVERYTHING, QueryFilter
from course.query.flags import DEFAULT_FIELDS, HitFlag
from course.query.hits import Hit, make_hit
from course.query.pipeline import Query, answer, refuse_others
from course.query.shapes_in_scene import Candidate, QueryScene
from course.world.analytic import AnalyticCaster
from course.world.checks import finite, floats, positive, shaped, whole
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.triangle_mesh import TriangleMesh


def raycast(
    scene: QueryScene,
    p_WO: ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    *,
    capacity: int = 0,
    filters: QueryFilter = EVERYTHING,
    hit_flags: HitFlag = DEFAULT_FIELDS,
    cache: QueryCache | None = None,
    normalise: bool = False,
) -> QueryResult[Hit]:
    """What a ray meets.

    Args:
        scene: that is asked.
        p_WO: (3,) m, where the ray starts.
        d_W: (3,) unit direction; of any length if `normalise`.
        max_distance: m, how far the ray reaches, finite.
        capacity: touches that there is room for; without room only the closest block is looked
            for, and every hit that no callback decides about is a block. With room it is a touch.
        filters: what is let pass.
        hit_flags: how meshes are met, and which fields are asked for.
        cache: a body to try first, without filters.
        normalise: scale `d_W` to length 1, instead of refusing other lengths.

    Raises:
        TypeError, ValueError: no scene, nan, zero, infinite or non-unit directions, no positive
            reach, a negative capacity, or a cached body that is not in the scene.
    """
    query = ray_query(
        scene, p_WO, d_W, max_distance, filters=filters, hit_flags=hit_flags, normalise=normalise
    )
    room = whole(capacity, name="capacity", at_least=0)
    return answer(query, capacity=room, cached=cached_name(cache, scene))


def ray_query(
    scene: QueryScene,
    p_WO: ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    *,
    filters: QueryFilter,
    hit_flags: HitFlag,
    normalise: bool,
) -> Query[Hit]:
    """The question of `raycast`, checked."""
    refuse_others(scene, filters, hit_flags)
    start = finite(shaped(floats(p_WO, name="p_WO"), (3,), name="p_WO"), name="p_WO")
    return Query(
        scene=scene,
        probe=Ray(p_WO=start.astype(np.float64), d_W=unit_direction(d_W, normalise=normalise)),
        filters=filters,
        hit_flags=hit_flags,
        reach=positive(max_distance, name="max_distance", unit="m"),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Ray:
    """A ray as a probe.

    Attributes:
        p_WO: (3,) m, start.
        d_W: (3,) unit direction.
    """

    p_WO: NDArray[np.float64]
    d_W: NDArray[np.float64]

    def may_meet(self, box: Bounds, reach: float) -> bool:
        """Whether the ray comes into the box."""
        return box.met_by(self.p_WO, self.d_W, reach)

    def meet(self, candidate: Candidate, hit_flags: HitFlag, reach: float) -> Sequence[Hit]:
        """The closest hit of a body; of a mesh, every face or the first face if flags say so."""
        rays = Rays(p_WO=self.p_WO, d_W=self.d_W[np.newaxis], max_distance=reach)
        if isinstance(candidate.body.shape, TriangleMesh):
            return self._meet_mesh(candidate, candidate.body.shape, hit_flags, rays)
        first = AnalyticCaster(Scene([candidate.body])).cast_first(rays)
        if not first.hit[0]:
            return ()
        known = {HitFlag.POSITION: first.p_WH[0], HitFlag.NORMAL: first.n_W[0]}
        shape = type(candidate.body.shape).__name__
        return (
            make_hit(
                candidate.name,
                float(first.distance[0]),
                known,
                asked=hit_flags,
                missing={
                    HitFlag.UV: f"a {shape} has no uv; only a mesh has",
                    HitFlag.FACE_INDEX: f"a {shape} has no face index; only a mesh has",
                },
            ),
        )

    def _meet_mesh(
        self, candidate: Candidate, mesh: TriangleMesh, hit_flags: HitFlag, rays: Rays
    ) -> Sequence[Hit]:
        """Faces in their order in the mesh, unless only the closest is asked for."""
        touched = _faces(candidate.body, rays)
        if HitFlag.MESH_BOTH_SIDES in hit_flags:
            turned = TriangleMesh(mesh.vertices, mesh.faces[:, [0, 2, 1]])
            behind = Body(name=candidate.name, shape=turned, X_WB=candidate.body.X_WB)
            touched += [
                (face, distance, -n_W, (v, u))
                for face, distance, n_W, (u, v) in _faces(behind, rays)
            ]
        touched.sort(key=lambda touch: touch[0])
        if HitFlag.ANY_HIT in hit_flags:
            touched = touched[:1]
        elif HitFlag.MESH_MULTIPLE not in hit_flags:
            touched = sorted(touched, key=lambda touch: touch[1])[:1]
        return [
            make_hit(
                candidate.name,
                distance,
                {
                    HitFlag.POSITION: self.p_WO + distance * self.d_W,
                    HitFlag.NORMAL: n_W,
                    HitFlag.UV: uv,
                    HitFlag.FACE_INDEX: face,
                },
                asked=hit_flags,
                always=HitFlag.POSITION | HitFlag.UV | HitFlag.FACE_INDEX,
                missing={},
            )
            for face, distance, n_W, uv in touched
        ]


def _faces(
    body: Body, rays: Rays
) -> list[tuple[int, float, NDArray[np.float64], tuple[float, float]]]:
    """Faces that one ray meets from the front: face, distance, normal, uv."""
    hits = AnalyticCaster(Scene([body])).cast_all(rays, every_face=True)
    return [
        (int(face), float(distance), n_W.astype(np.float64), (float(uv[0]), float(uv[1])))
        for face, distance, n_W, uv in zip(hits.face, hits.distance, hits.n_W, hits.uv, strict=True)
    ]
