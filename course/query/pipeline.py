"""The one way that every query takes: trees, filter layers, exact intersection, collector.

Raycast, sweep and overlap differ in their probe only: what it means to come near a box, and where
exactly a body is met. A cached body, if there is one, is tried first, and no filter is asked.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from course.query.bounds import Bounds
from course.query.buffers import Collector, QueryResult
from course.query.filters import (
    BY_DECISION,
    BY_TREES,
    FilterLog,
    Layer,
    QueryFilter,
    post_filter,
    walk_layers,
)
from course.query.flags import HitFlag, HitType, QueryFlag
from course.query.hits import Hit, OverlapHit
from course.query.shapes_in_scene import Candidate, QueryScene

H = TypeVar("H", bound=Hit | OverlapHit)
H_co = TypeVar("H_co", bound=Hit | OverlapHit, covariant=True)


class Probe(Protocol[H_co]):
    """What is sent through the scene."""

    def may_meet(self, box: Bounds, reach: float) -> bool:
        """Whether a body in this box could be met within `reach`, m."""

    def meet(self, candidate: Candidate, hit_flags: HitFlag, reach: float) -> Sequence[H_co]:
        """Where a body is met exactly: no hit, one, or one for each face of a mesh."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Query(Generic[H]):
    """A question to a scene.

    Attributes:
        scene: that is asked.
        probe: ray, moving shape or resting shape.
        filters: what it lets pass.
        hit_flags: how bodies are met, and which fields are asked for.
        reach: m, how far it goes; inf for an overlap.
    """

    scene: QueryScene
    probe: Probe[H]
    filters: QueryFilter
    hit_flags: HitFlag
    reach: float


def answer(
    query: Query[H],
    *,
    capacity: int,
    cached: str | None = None,
    hand_over: Callable[[tuple[H, ...]], bool] | None = None,
) -> QueryResult[H]:
    """Ask a scene.

    Args:
        query: the question.
        capacity: touches that there is room for.
        cached: name of a body to try first; not looked at if there is room for touches.
        hand_over: takes the touches of a buffer whenever that is full, and at the end; whether the
            query is to go on. Without it the first full buffer is the last.
    """
    pre_calls: list[str] = []
    post_calls: list[str] = []
    handed: list[H] = []

    def pour(touches: tuple[H, ...]) -> bool:
        if hand_over is None:
            return False
        handed.extend(touches)
        return hand_over(touches)

    query = replace(query, filters=_noting(query.filters, pre_calls, post_calls))
    collector: Collector[H] = Collector(
        capacity=capacity,
        reach=query.reach,
        flags=query.filters.flags,
        far_block=lambda: _closest_block(query),
        hand_over=pour,
    )
    walk = _Walk(query, collector, default=HitType.TOUCH if capacity else HitType.BLOCK)
    walk.run(cached=None if capacity else cached)
    collector.finish()
    if collector.touches and not walk.stopped_for_good:
        pour(tuple(collector.touches))

    hits = [*handed, *collector.touches, *([] if collector.block is None else [collector.block])]
    return QueryResult(
        closest=collector.block,
        touches=tuple(collector.touches),
        capacity=capacity,
        complete=False if collector.dropped else None if collector.stopped_early else True,
        log=FilterLog(
            left=_left(query, walk.left, {hit.name for hit in hits}),
            pre_calls=tuple(pre_calls),
            post_calls=tuple(post_calls),
        ),
    )


def refuse_others(scene: QueryScene, filters: QueryFilter, hit_flags: HitFlag) -> None:
    """Raise a TypeError for what is no scene, no filter or no flags."""
    if not isinstance(scene, QueryScene):
        raise TypeError(f"scene: expected a QueryScene, got {type(scene).__name__}")
    if not isinstance(filters, QueryFilter):
        raise TypeError(f"filters: expected a QueryFilter, got {filters!r}")
    if not isinstance(hit_flags, HitFlag):
        raise TypeError(f"hit_flags: expected HitFlag.POSITION | ..., got {hit_flags!r}")


class _Walk(Generic[H]):
    """One walk through a scene.

    Attributes:
        left: name -> the layer at which a body left, of those that were offered.
        stopped_for_good: whether it was stopped, and knows.
    """

    def __init__(self, query: Query[H], collector: Collector[H], *, default: HitType) -> None:
        self.left: dict[str, Layer] = {}
        self.stopped_for_good = False
        self._query = query
        self._collector = collector
        self._default = default

    def run(self, *, cached: str | None = None) -> None:
        """Try the cached body, then the static ones, then the dynamic ones, until told to stop."""
        scene, flags = self._query.scene, self._query.filters.flags
        if cached is not None and not self._visit_cached(scene.candidate(cached)):
            return
        # PhysX forgets that it was stopped among static bodies, and hands its touches over again.
        if QueryFlag.STATIC in flags and not self._visit_all(scene.static_tree.offer(self._near)):
            return
        if QueryFlag.DYNAMIC in flags:
            goes_on = self._visit_all(scene.dynamic_tree.offer(self._near))
            self.stopped_for_good = not goes_on

    def _near(self, box: Bounds) -> bool:
        return self._query.probe.may_meet(box, self._collector.reach)

    def _visit_all(self, places: Iterable[int]) -> bool:
        return all(self._visit(self._query.scene.candidates[place]) for place in places)

    def _visit(self, candidate: Candidate) -> bool:
        """Lead one body through the layers; whether the query goes on."""
        filters = self._query.filters
        layer, (hit_type, hit_flags) = walk_layers(
            candidate, filters, (self._default, self._query.hit_flags), BY_DECISION
        )
        if layer is not None:
            self.left[candidate.name] = layer
            return True
        self.left[candidate.name] = Layer.EXACT
        for hit in self._collector.fitting(self._meet(candidate, hit_flags)):
            decided = post_filter(candidate, filters, hit, hit_type)
            if decided is not HitType.NONE:
                self.left[candidate.name] = Layer.COLLECTOR
            elif self.left[candidate.name] is Layer.EXACT:
                self.left[candidate.name] = Layer.POST_FILTER
            if not self._collector.take(hit, decided):
                return False
        return True

    def _visit_cached(self, candidate: Candidate) -> bool:
        """No filter is asked, and a hit is a block."""
        return all(
            self._collector.take(hit, HitType.BLOCK)
            for hit in self._meet(candidate, self._query.hit_flags)
        )

    def _meet(self, candidate: Candidate, hit_flags: HitFlag) -> Sequence[H]:
        return self._query.probe.meet(candidate, hit_flags, self._collector.reach)


def _closest_block(query: Query[H]) -> H | None:
    """By a walk without room for touches, for which the callbacks are called once more."""
    if query.reach == math.inf:  # an overlap: no block is closer than another
        return None
    collector: Collector[H] = Collector(
        capacity=0, reach=query.reach, flags=query.filters.flags, far_block=lambda: None
    )
    _Walk(query, collector, default=HitType.TOUCH).run()
    return collector.block


def _noting(filters: QueryFilter, pre_calls: list[str], post_calls: list[str]) -> QueryFilter:
    """The same filter, whose callbacks note for whom they are called."""
    pre, post = filters.pre, filters.post

    def noted_pre(candidate: Candidate, hit_flags: HitFlag) -> HitType | tuple[HitType, HitFlag]:
        assert pre is not None
        pre_calls.append(candidate.name)
        return pre(candidate, hit_flags)

    def noted_post(candidate: Candidate, hit: Hit | OverlapHit) -> HitType:
        assert post is not None
        post_calls.append(candidate.name)
        return post(candidate, hit)

    return replace(
        filters,
        pre=None if pre is None else noted_pre,
        post=None if post is None else noted_post,
    )


def _left(query: Query[H], offered: dict[str, Layer], reported: set[str]) -> dict[str, Layer]:
    """Where every body of the scene left; those that no tree offered too."""
    left = {}
    for candidate in query.scene.candidates:
        if candidate.name in reported:
            layer = Layer.REPORTED
        elif candidate.name in offered:
            layer = offered[candidate.name]
        else:
            verdict = (HitType.BLOCK, query.hit_flags)
            at, _ = walk_layers(candidate, query.filters, verdict, BY_TREES)
            layer = Layer.BOX if at is None else at
        left[candidate.name] = layer
    return left
