"""Scene and model of the lab on truncated buffers: a row of boxes, and one ray that meets them all.

The row is that of which PhysX was asked: boxes of 1 m, 2 m apart, the first one met at 2.5 m.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.query import Hit, HitType, QueryFilter, QueryFlag, QueryResult, QueryScene, raycast
from course.world.checks import read_only, whole
from course.world.poses import pose
from course.world.scene import Body, Scene
from course.world.shapes import Box

Array = NDArray[np.float64]

# --- scene --------------------------------------------------------------------------------------------------

SIZE_M, SPACING_M, FIRST_M = (
    1.0,
    2.0,
    2.5,
)  # of a box, between centres, from the ray's start to the nearest box
REACH_M = 60.0
ORDER = (6, 1, 9, 4, 0, 11, 7, 2, 5, 10, 3, 8)
"""In which order the boxes were put into the scene: not that of their places."""

MOST = len(ORDER)
LEFT, RIGHT = "left", "right"


def row(n_shapes: int) -> QueryScene:
    """Boxes b0, b1, … from left to right along x.

    Raises:
        TypeError, ValueError: no number of boxes, or more than there are.
    """
    count = whole(n_shapes, name="n_shapes", at_least=1)
    if count > MOST:
        raise ValueError(f"n_shapes: expected at most {MOST}, got {count}")
    box = Box((SIZE_M, SIZE_M, SIZE_M))
    return QueryScene(
        Scene(
            [
                Body(name=f"b{place}", shape=box, X_WB=pose(translation=(centre(place), 0, 0)))
                for place in ORDER
                if place < count
            ]
        )
    )


def ray(n_shapes: int, seen_from: str) -> tuple[Array, Array]:
    """Start and direction of the ray that meets the nearest box at 2.5 m, from the left or from the right.

    Raises:
        ValueError: from somewhere else.
    """
    if seen_from not in (LEFT, RIGHT):
        raise ValueError(f"seen_from: expected {LEFT!r} or {RIGHT!r}, got {seen_from!r}")
    if seen_from == LEFT:
        return np.zeros(3), np.array([1.0, 0.0, 0.0])
    far_face = centre(n_shapes - 1) + SIZE_M / 2
    return np.array([far_face + FIRST_M, 0.0, 0.0]), np.array([-1.0, 0.0, 0.0])


def centre(place: int) -> float:
    """Where the middle of a box is along x, m."""
    return FIRST_M + SIZE_M / 2 + SPACING_M * place


# --- model --------------------------------------------------------------------------------------------------

NO_BLOCK = "none"
BLOCKS = {NO_BLOCK: None, "the nearest": 0, "the 3rd nearest": 2, "the 6th nearest": 5}
"""Which box is a block, by what a reader reads -> how many are nearer."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Truncation:
    """One query of the row; arrays have one element a box, the nearest first, and are read-only.

    Attributes:
        capacity: touches that there was room for.
        p_WO, d_W: (3,) m and (3,) unit, the ray.
        distance_m: (N,) m, where it meets each box.
        place: (N,) place in the buffer, counted from 1; 0 for a box that is not in it.
        is_block: (N,) whether it is the block that was reported.
        asked_for: (N,) whether it is not behind the block.
        result: what the query says.
    """

    capacity: int
    p_WO: Array
    d_W: Array
    distance_m: Array
    place: NDArray[np.int64]
    is_block: NDArray[np.bool_]
    asked_for: NDArray[np.bool_]
    result: QueryResult[Hit]

    @property
    def reported(self) -> NDArray[np.bool_]:
        """(N,) whether a box is a touch in the buffer, or the block."""
        return (self.place > 0) | self.is_block

    @property
    def lost(self) -> NDArray[np.bool_]:
        """(N,) whether a box was asked for and is not reported."""
        return self.asked_for & ~self.reported

    @property
    def nearest_reported_m(self) -> float:
        """Distance of the nearest hit that is reported, m."""
        return float(self.distance_m[self.reported].min())


def model(*, capacity: int, n_shapes: int, seen_from: str, block: str) -> Truncation:
    """Ask the row.

    Args:
        capacity: touches that there is room for. Without room, and without a block that is told, the closest box
            is the block.
        n_shapes: boxes in the row.
        seen_from: "left" or "right", from where the ray comes.
        block: which box is a block, see `BLOCKS`; if the row has fewer boxes, none is.

    Raises:
        TypeError, ValueError: no such number, side or block.
    """
    if block not in BLOCKS:
        raise ValueError(f"block: expected one of {', '.join(BLOCKS)}, got {block!r}")
    scene = row(n_shapes)
    p_WO, d_W = ray(n_shapes, seen_from)
    distance_m = FIRST_M + SPACING_M * np.arange(n_shapes, dtype=np.float64)
    names = [f"b{place}" for place in range(n_shapes)][:: 1 if seen_from == LEFT else -1]

    nearer = BLOCKS[block]
    told = nearer is not None and nearer < n_shapes
    filters = _one_block(names[nearer]) if told and nearer is not None else QueryFilter()
    result = raycast(scene, p_WO, d_W, REACH_M, capacity=capacity, filters=filters)

    in_buffer = [hit.name for hit in result.touches]
    place = [in_buffer.index(name) + 1 if name in in_buffer else 0 for name in names]
    is_block = np.array([result.has_block and result.block.name == name for name in names])
    reach = distance_m[is_block].min(initial=np.inf)
    return Truncation(
        capacity=capacity,
        p_WO=read_only(p_WO),
        d_W=read_only(d_W),
        distance_m=read_only(distance_m),
        place=read_only(np.array(place)),
        is_block=read_only(is_block),
        asked_for=read_only(distance_m <= reach),
        result=result,
    )


def _one_block(name: str) -> QueryFilter:
    """A pre-filter for which one body is a block, and each other one a touch."""
    return QueryFilter(
        flags=QueryFlag.STATIC | QueryFlag.DYNAMIC | QueryFlag.PREFILTER,
        pre=lambda candidate, _: HitType.BLOCK if candidate.name == name else HitType.TOUCH,
    )
