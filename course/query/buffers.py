"""What becomes of hits: the closest block, and touches as far as there is room.

This follows the collecting of PhysX step by step, since what it does when the room runs out is the
lesson. Touches come in the order of the tree. Those behind the closest block go. When one more comes
than there is room for, the query first looks for the closest block there is, throws out what lies
behind that, and if that makes no room it hands over the full buffer: a fixed buffer then stops the
query, a chunked one (`course.query.chunks`) is emptied and goes on. So a full fixed buffer keeps
what came first, not what is nearest.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from course.query.filters import FilterLog
from course.query.flags import HitType, QueryFlag
from course.query.hits import Hit, NoBlockError, OverlapHit, distance_of

H = TypeVar("H", bound=Hit | OverlapHit)


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryResult(Generic[H]):
    """What a query found.

    Attributes:
        closest: the block, None if there is none; `block` insists on one.
        touches: in no promised order.
        capacity: how many touches there was room for.
        complete: True if nothing is missing of what the query asks for; False if hits were dropped;
            None if it stopped early, and nobody knows what else there is. No engine says this.
        log: where each body left the query.
    """

    closest: H | None
    touches: tuple[H, ...]
    capacity: int
    complete: bool | None
    log: FilterLog

    @property
    def found(self) -> bool:
        """Whether there is anything at all, block or touch: what a query of PhysX returns."""
        return self.has_block or bool(self.touches)

    @property
    def has_block(self) -> bool:
        """Whether there is a block."""
        return self.closest is not None

    @property
    def block(self) -> H:
        """The block.

        Raises:
            NoBlockError: there is none, though there may be touches.
        """
        if self.closest is None:
            raise NoBlockError(
                f"the result has no block, and {self.n_touches} touches; look at has_block first"
            )
        return self.closest

    @property
    def n_touches(self) -> int:
        """How many touches there are; the block is not among them."""
        return len(self.touches)

    @property
    def hits(self) -> tuple[H, ...]:
        """The touches, and then the block if there is one."""
        return self.touches + (() if self.closest is None else (self.closest,))

    @property
    def may_be_truncated(self) -> bool:
        """All that an engine lets one know: whether the touches fill the buffer to the last place.

        That is so if there were exactly as many, and if there were more.
        """
        return 0 < self.capacity == self.n_touches


class Collector(Generic[H]):
    """Takes hits one by one.

    Attributes:
        block: the closest block so far.
        touches: kept so far.
        reach: m, farther hits do not matter.
        dropped: whether a hit was lost that was asked for.
        stopped_early: whether the query ended although it might have found more.
    """

    def __init__(
        self,
        *,
        capacity: int,
        reach: float,
        flags: QueryFlag,
        far_block: Callable[[], H | None],
        hand_over: Callable[[tuple[H, ...]], bool] = lambda _: False,
    ) -> None:
        """An empty collector.

        Args:
            capacity: touches that there is room for.
            reach: m, how far the query goes.
            flags: of the query.
            far_block: finds the closest block of all by a query of its own.
            hand_over: given the touches of a full buffer; whether to empty it and to go on.
        """
        self.block: H | None = None
        self.touches: list[H] = []
        self.reach = reach
        self.dropped = False
        self._nearest_without_room = math.inf
        self.stopped_early = False
        self._capacity = capacity
        self._flags = flags
        self._far_block = far_block
        self._hand_over = hand_over
        self._looked_far = QueryFlag.NO_BLOCK in flags

    def fitting(self, hits: Sequence[H]) -> Sequence[H]:
        """As many hits of one body as there is room for, at least one; the others are never seen.

        A mesh of which every face counts writes straight into the buffer. Without a buffer only
        the closest block is wanted, and there is room for all to be compared.
        """
        room = max(self._capacity - len(self.touches), 1)
        if self._capacity and len(hits) > room:
            self.dropped = True
            return hits[:room]
        return hits

    def take(self, hit: H, hit_type: HitType) -> bool:
        """Keep a hit or not; whether the query goes on."""
        if hit_type is HitType.NONE:
            return True
        if QueryFlag.ANY_HIT in self._flags:
            self.block, self.stopped_early = hit, True
            return False
        if hit_type is HitType.BLOCK and QueryFlag.NO_BLOCK not in self._flags:
            self._take_block(hit)
            return True
        return self._take_touch(hit)

    def finish(self) -> None:
        """Throw out touches behind the block, which may have come after them; nor are such lost."""
        if self.block is not None:
            self._clip(distance_of(self.block))
        if math.isfinite(self._nearest_without_room) and self._nearest_without_room <= self.reach:
            self.dropped = True

    def _take_block(self, hit: H) -> None:
        distance = distance_of(hit)
        if distance > self.reach:
            return
        if isinstance(hit, OverlapHit):  # all at one distance: each replaces the one before
            self.dropped = self.dropped or self.block is not None
        else:
            self.reach = distance
        self.block = hit

    def _take_touch(self, hit: H) -> bool:
        if distance_of(hit) > self.reach:
            return True
        if not self._capacity:
            self._nearest_without_room = min(self._nearest_without_room, distance_of(hit))
            return True
        if len(self.touches) == self._capacity:
            self._look_far()
        wanted = distance_of(hit) <= self.reach  # which may have become shorter just now
        if len(self.touches) == self._capacity and not self._empty():
            self.dropped = self.dropped or wanted
            self.stopped_early = True
            return False
        if wanted:
            self.touches.append(hit)
        return True

    def _empty(self) -> bool:
        goes_on = self._hand_over(tuple(self.touches))
        if goes_on:
            self.touches.clear()
        return goes_on

    def _look_far(self) -> None:
        """Look for the closest block once, since what lies behind it need not be kept."""
        if self._looked_far:
            return
        self._looked_far = True
        if (block := self._far_block()) is not None:
            self.block, self.reach = block, distance_of(block)
            self._clip(self.reach)

    def _clip(self, reach: float) -> None:
        self.touches = [hit for hit in self.touches if distance_of(hit) <= reach]
