"""Overlap: which bodies a shape at rest has a point in common with. A set, and nothing more.

There is no position, no normal and no distance, and so no closest body either: marked BLOCK, the
result is whichever came last. An overlap wants room for touches, or any-hit if the question is
whether there is anything at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from numpy.typing import ArrayLike
from scipy.spatial.transform import RigidTransform

from course.query.bounds import Bounds, bounds
from course.query.buffers import QueryResult
from course.query.cores import Core, convex, core_of
from course.query.filters import EVERYTHING, QueryFilter
from course.query.flags import HitFlag
from course.query.hits import NO_FIELD, OverlapHit
from course.query.obstacles import obstacles
from course.query.pipeline import Query, answer, refuse_others
from course.query.shapes_in_scene import Candidate, QueryScene
from course.world.checks import whole
from course.world.poses import as_pose
from course.world.scene import Body
from course.world.shapes import Shape


def overlap(
    scene: QueryScene,
    shape: Shape,
    X_WS: RigidTransform | ArrayLike,
    *,
    capacity: int = 0,
    filters: QueryFilter = EVERYTHING,
) -> QueryResult[OverlapHit]:
    """Which bodies a shape overlaps; shapes that only touch count.

    Args:
        scene: that is asked.
        shape: a sphere, capsule or box.
        X_WS: its pose.
        capacity: bodies that there is room for. Without room every body is a BLOCK, and one is
            left over.
        filters: what is let pass.

    Raises:
        TypeError, ValueError: as `sweep`.
    """
    refuse_others(scene, filters, NO_FIELD)
    probe = Resting(shape=convex(shape, name="shape"), X_WS=as_pose(X_WS, name="X_WS"))
    query: Query[OverlapHit] = Query(
        scene=scene, probe=probe, filters=filters, hit_flags=NO_FIELD, reach=inf
    )
    return answer(query, capacity=whole(capacity, name="capacity", at_least=0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Resting:
    """A shape at rest as a probe.

    Attributes:
        shape: sphere, capsule or box.
        X_WS: its pose.
    """

    shape: Shape
    X_WS: RigidTransform

    @cached_property
    def core(self) -> Core:
        """The shape in the world."""
        return core_of(convex(self.shape, name="shape"), self.X_WS)

    @cached_property
    def box(self) -> Bounds:
        """Around it."""
        return bounds(Body(name="shape", shape=self.shape, X_WB=self.X_WS))

    def may_meet(self, box: Bounds, _: float) -> bool:
        """Whether the boxes overlap."""
        return self.box.overlaps(box)

    def meet(self, candidate: Candidate, _: HitFlag, __: float) -> Sequence[OverlapHit]:
        """The body's name, if the two have a point in common."""
        found = any(
            obstacle.signed_distance().distance <= 0
            for obstacle in obstacles(self.core, candidate.body, 0.0, self.box)
        )
        return (OverlapHit(name=candidate.name),) if found else ()
