"""All touches through a small buffer: whenever it is full it is handed over, and used again.

That is how to get every hit without knowing how many there are: a larger buffer is only a larger
guess. The receiver says each time whether to go on, and the record says whether all were handed
over. Two things PhysX does not do for the receiver. Told to stop, it may hand over the same touches
once more (seen in 5.3.1, after a stop among static bodies): `ChunkedResult.hits` counts them once.
And a block that is found late does not call back farther touches that were handed over before it:
`ChunkedResult.hits` leaves them out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from course.query.filters import EVERYTHING, FilterLog, QueryFilter
from course.query.flags import DEFAULT_FIELDS, HitFlag
from course.query.hits import Hit
from course.query.pipeline import answer
from course.query.raycast import ray_query
from course.query.shapes_in_scene import QueryScene
from course.world.checks import whole


@dataclass(frozen=True, kw_only=True, eq=False)
class ChunkedResult:
    """What was handed over.

    Attributes:
        chunks: each as it was handed over.
        closest: the block, None if there is none.
        complete: True if all touches were handed over; False if some are known to be missing; None
            if the query stopped early, and nobody knows.
        log: where each body left the query.
    """

    chunks: tuple[tuple[Hit, ...], ...]
    closest: Hit | None
    complete: bool | None
    log: FilterLog

    @property
    def entries(self) -> tuple[Hit, ...]:
        """All that was handed over, one chunk after the other, as often as it was."""
        return tuple(hit for chunk in self.chunks for hit in chunk)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The touches not behind the block, each once."""
        reach = math.inf if self.closest is None else self.closest.distance
        once = {
            (hit.name, hit.fields.get(HitFlag.FACE_INDEX), hit.distance): hit
            for hit in self.entries
            if hit.distance <= reach
        }
        return tuple(once.values())


def raycast_chunks(
    scene: QueryScene,
    p_WO: ArrayLike,
    d_W: ArrayLike,
    max_distance: float,
    *,
    capacity: int,
    receive: Callable[[tuple[Hit, ...]], bool] = lambda _: True,
    filters: QueryFilter = EVERYTHING,
    hit_flags: HitFlag = DEFAULT_FIELDS,
    normalise: bool = False,
) -> ChunkedResult:
    """What a ray meets, handed over in chunks.

    Args:
        scene: that is asked.
        p_WO: (3,) m, where the ray starts.
        d_W: (3,) unit direction; of any length if `normalise`.
        max_distance: m, how far the ray reaches, finite.
        capacity: touches in a chunk, at least 1.
        receive: takes a chunk, which is not empty; True to go on, False to stop.
        filters: what is let pass.
        hit_flags: how meshes are met, and which fields are asked for.
        normalise: scale `d_W` to length 1, instead of refusing other lengths.

    Raises:
        TypeError, ValueError: as `raycast`; a receiver that says neither True nor False.
    """
    query = ray_query(
        scene, p_WO, d_W, max_distance, filters=filters, hit_flags=hit_flags, normalise=normalise
    )
    chunks: list[tuple[Hit, ...]] = []

    def hand_over(touches: tuple[Hit, ...]) -> bool:
        chunks.append(touches)
        goes_on = receive(touches)
        if not isinstance(goes_on, bool):
            raise TypeError(f"receive: expected True to go on or False to stop, got {goes_on!r}")
        return goes_on

    room = whole(capacity, name="capacity", at_least=1)
    result = answer(query, capacity=room, hand_over=hand_over)
    return ChunkedResult(
        chunks=tuple(chunks), closest=result.closest, complete=result.complete, log=result.log
    )
