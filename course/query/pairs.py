"""Two shapes by themselves: no scene, no names, no filters, and not every pair of kinds.

That a kind of shape can be met by a ray does not say that it can be swept, or overlapped: each
question has a list of its own.
"""

from typing import Literal, TypeAlias

from numpy.typing import ArrayLike
from scipy.spatial.transform import RigidTransform

from course.query.cores import CONVEX
from course.query.flags import DEFAULT_FIELDS, HitFlag
from course.query.hits import Hit
from course.query.overlap import overlap
from course.query.raycast import raycast
from course.query.shapes_in_scene import QueryScene
from course.query.sweep import sweep
from course.world.analytic import CAPABILITIES
from course.world.scene import Body, Scene
from course.world.shapes import Cylinder, Shape

Question: TypeAlias = Literal["raycast", "sweep", "overlap"]

MET_BY_SHAPES = CAPABILITIES.shapes - {Cylinder}
"""Kinds of body that a sweep or an overlap has an exact answer for."""


def supported_pairs(question: Question) -> frozenset[tuple[str, str]]:
    """Names of what asks, and of the kind of body that is asked about.

    Raises:
        ValueError: another question.
    """
    if question == "raycast":
        return frozenset(("Ray", kind.__name__) for kind in CAPABILITIES.shapes)
    if question in ("sweep", "overlap"):
        return frozenset(
            (kind.__name__, other.__name__) for kind in CONVEX for other in MET_BY_SHAPES
        )
    raise ValueError(f"question: expected 'raycast', 'sweep' or 'overlap', got {question!r}")


def raycast_pair(
    p_WO: ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    other: Shape,
    X_WB: RigidTransform | ArrayLike,
    *,
    hit_flags: HitFlag = DEFAULT_FIELDS,
) -> Hit | None:
    """Where a ray meets one shape at a pose, None if it does not.

    Raises:
        TypeError, ValueError: as `raycast`.
    """
    return raycast(_alone(other, X_WB), p_WO, d_W, max_distance, hit_flags=hit_flags).closest


def sweep_pair(
    shape: Shape,
    X_WS: RigidTransform | ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    other: Shape,
    X_WB: RigidTransform | ArrayLike,
    *,
    inflation: float = 0.0,
    hit_flags: HitFlag = DEFAULT_FIELDS,
) -> Hit | None:
    """Where a moved shape meets another, None if it does not.

    Raises:
        TypeError, ValueError: as `sweep`.
    """
    alone = _alone(other, X_WB)
    return sweep(
        alone, shape, X_WS, d_W, max_distance, inflation=inflation, hit_flags=hit_flags
    ).closest


def overlap_pair(
    shape: Shape,
    X_WS: RigidTransform | ArrayLike,
    other: Shape,
    X_WB: RigidTransform | ArrayLike,
) -> bool:
    """Whether two shapes have a point in common.

    Raises:
        TypeError, ValueError: as `overlap`.
    """
    return overlap(_alone(other, X_WB), shape, X_WS).found


def _alone(shape: Shape, X_WB: RigidTransform | ArrayLike) -> QueryScene:
    return QueryScene(Scene([Body(name="other", shape=shape, X_WB=X_WB)]))
