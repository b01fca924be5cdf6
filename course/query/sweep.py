"""Sweep: a convex shape moved along a direction without turning, and what it first comes upon.

It is a question, not a motion: nothing is pushed, and nothing has moved afterwards. An inflation
grows the shape for the question only: the distance becomes shorter, while the position of a hit
stays on the shape as it is, off the body by the inflation. A sweep that starts in an overlap hits
at distance 0, with -d for a normal and no position; asked by `HitFlag.MTD` it says how far to move
out, as a negative distance along the normal.

Here every sweep is exact. PhysX 5.3.1 is not: a box of .2 m half size that comes to a wall after
2.3 m was reported at 2.299, with its flag PRECISE_SWEEP at 2.300. And it says nothing of a triangle
mesh as the moved shape: it returns false. Here that is an error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import RigidTransform

from course.query.bounds import Bounds, bounds
from course.query.buffers import QueryResult
from course.query.cache import QueryCache, cached_name
from course.query.cores import Core, convex, core_of
from course.query.directions import unit_direction
from course.query.filters import EVERYTHING, QueryFilter
from course.query.flags import DEFAULT_FIELDS, HitFlag
from course.query.hits import Hit, make_hit
from course.query.obstacles import Obstacle, obstacles
from course.query.pipeline import Query, answer, refuse_others
from course.query.shapes_in_scene import Candidate, QueryScene
from course.world.checks import real, whole
from course.world.poses import as_pose
from course.world.scene import Body
from course.world.shapes import Shape
from course.world.triangle_mesh import TriangleMesh


def sweep(
    scene: QueryScene,
    shape: Shape,
    X_WS: RigidTransform | ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    *,
    inflation: float = 0.0,
    capacity: int = 0,
    filters: QueryFilter = EVERYTHING,
    hit_flags: HitFlag = DEFAULT_FIELDS,
    cache: QueryCache | None = None,
    normalise: bool = False,
) -> QueryResult[Hit]:
    """What a moved shape meets.

    Args:
        scene: that is asked.
        shape: a sphere, capsule or box.
        X_WS: pose of the shape where it starts; it keeps its orientation.
        d_W: (3,) unit direction; of any length if `normalise`.
        max_distance: m, how far the shape moves, finite; 0 asks for overlaps at the start.
        inflation: m, by which the shape is grown on all sides, 0 or more.
        capacity: touches that there is room for, as for `raycast`.
        filters: what is let pass.
        hit_flags: which fields are asked for; `MTD` in overlaps, `MESH_BOTH_SIDES` for faces that
            look away from the motion.
        cache: a body to try first, without filters.
        normalise: scale `d_W` to length 1, instead of refusing other lengths.

    Raises:
        TypeError, ValueError: as `raycast`; a shape that cannot be moved, such as a mesh; no pose;
            a negative distance or inflation; a body near the way of which no exact answer is known.
    """
    refuse_others(scene, filters, hit_flags)
    probe = Sweep(
        shape=convex(shape, name="shape"),
        X_WS=as_pose(X_WS, name="X_WS"),
        d_W=unit_direction(d_W, normalise=normalise),
        inflation=not_negative(inflation, name="inflation"),
    )
    query: Query[Hit] = Query(
        scene=scene,
        probe=probe,
        filters=filters,
        hit_flags=hit_flags,
        reach=not_negative(max_distance, name="max_distance"),
    )
    room = whole(capacity, name="capacity", at_least=0)
    return answer(query, capacity=room, cached=cached_name(cache, scene))


def not_negative(value: object, *, name: str) -> float:
    """`value` in m, 0 or more.

    Raises:
        TypeError: not a real number.
        ValueError: nan, negative or infinite.
    """
    number = real(value, name=name, unit="m")
    if not 0 <= number < float("inf"):
        raise ValueError(f"{name}: expected a finite number in m, 0 or more, got {number:g}")
    return number


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """A moved shape as a probe.

    Attributes:
        shape: sphere, capsule or box.
        X_WS: pose at the start.
        d_W: (3,) unit direction.
        inflation: m.
    """

    shape: Shape
    X_WS: RigidTransform
    d_W: NDArray[np.float64]
    inflation: float

    @cached_property
    def core(self) -> Core:
        """The shape at the start, not inflated."""
        return core_of(convex(self.shape, name="shape"), self.X_WS)

    @cached_property
    def box(self) -> Bounds:
        """Around the inflated shape at the start."""
        around = bounds(Body(name="shape", shape=self.shape, X_WB=self.X_WS))
        return around.grown(np.full(3, self.inflation))

    def may_meet(self, box: Bounds, reach: float) -> bool:
        """Whether the box around the shape comes upon the box."""
        half = (self.box.upper - self.box.lower) / 2
        # A negative distance out of an overlap is no reach: another overlap may be deeper.
        return box.grown(half).met_by(self.box.lower + half, self.d_W, max(reach, 0.0))

    def meet(self, candidate: Candidate, hit_flags: HitFlag, reach: float) -> Sequence[Hit]:
        """The first place where a body is met; of a mesh, of all faces that count."""
        way = max(reach, 0.0) * self.d_W
        end = Bounds(lower=self.box.lower + way, upper=self.box.upper + way)
        hits = [
            hit
            for obstacle in obstacles(
                self.core, candidate.body, self.inflation, self.box.joined(end)
            )
            if self._counts(candidate.body, obstacle.face, hit_flags)
            and (hit := self._meet_one(candidate, obstacle, hit_flags)) is not None
            and hit.distance <= reach
        ]
        first = min(hits, key=lambda hit: hit.distance, default=None)
        return () if first is None else (first,)

    def _counts(self, body: Body, face: int | None, hit_flags: HitFlag) -> bool:
        """Whether a face looks against the motion; anything but a face does."""
        if face is None or HitFlag.MESH_BOTH_SIDES in hit_flags:
            return True
        assert isinstance(body.shape, TriangleMesh)
        n_W = body.X_WB.rotation.as_matrix() @ body.shape.normals[face]
        return bool(n_W @ self.d_W < 0)

    def _meet_one(self, candidate: Candidate, obstacle: Obstacle, hit_flags: HitFlag) -> Hit | None:
        start = obstacle.signed_distance()
        if start.distance > 0:
            place = obstacle.first_on_ray(self.d_W)
            if place is None:
                return None
            moved = self._moved(place.distance * self.d_W)
        elif HitFlag.MTD in hit_flags:
            place = start
            moved = self._moved(-place.distance * place.n_W)
        else:
            known = {HitFlag.NORMAL: -self.d_W}
            return self._hit(candidate, obstacle, 0.0, known, hit_flags)
        position = obstacle.contact(moved, place.n_W)
        known = {HitFlag.NORMAL: place.n_W, HitFlag.POSITION: position}
        return self._hit(candidate, obstacle, place.distance, known, hit_flags)

    def _moved(self, by: NDArray[np.float64]) -> Core:
        return Core(points=self.core.points + by, radius=self.core.radius)

    def _hit(
        self,
        candidate: Candidate,
        obstacle: Obstacle,
        distance: float,
        vectors: dict[HitFlag, NDArray[np.float64]],
        hit_flags: HitFlag,
    ) -> Hit:
        known: dict[HitFlag, object] = {**vectors}
        if obstacle.face is not None:
            known[HitFlag.FACE_INDEX] = obstacle.face
        shape = type(candidate.body.shape).__name__
        missing = {
            HitFlag.UV: "a sweep has no uv; only a ray has",
            HitFlag.FACE_INDEX: f"a {shape} has no face index; only a mesh has",
            HitFlag.POSITION: (
                "the sweep starts in an overlap, where no one point is met; "
                "HitFlag.MTD asks how far to move out"
            ),
        }
        return make_hit(
            candidate.name,
            distance,
            known,
            asked=hit_flags,
            missing={flag: why for flag, why in missing.items() if flag not in known},
        )
