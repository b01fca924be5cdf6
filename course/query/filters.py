"""The layers of a query's filter, one after the other, and a record of where each body left.

A body passes, in this order: does it take part; is its kind, static or dynamic, looked at; does the
query come near its box; do the words match; the pre-filter; the exact intersection; the post-filter;
and last the collector, which keeps a hit or not. Layers before the exact intersection know the body
only, those after it know a hit. No layer is asked about what an earlier one has removed: a callback
may therefore never see the body that it was written for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from course.query.flags import ALL_SHAPES, CHANGEABLE, HitFlag, HitType, QueryFlag
from course.query.hits import Hit, OverlapHit
from course.query.shapes_in_scene import Candidate
from course.query.words import NO_WORDS, Words, as_words, words_allow

PreFilter: TypeAlias = Callable[[Candidate, HitFlag], HitType | tuple[HitType, HitFlag]]
"""Decides about a body, knowing the flags with which it would be met; may return other flags."""

PostFilter: TypeAlias = Callable[[Candidate, Hit | OverlapHit], HitType]
"""Decides about one hit of a body, whatever the pre-filter said."""


class Layer(Enum):
    """Where a body left a query."""

    TAKES_PART = "takes part"
    KIND = "static or dynamic"
    BOX = "box"  # the tree did not offer it: not near, behind the block, or the query had stopped
    WORDS = "words"
    PRE_FILTER = "pre-filter"
    EXACT = "exact intersection"  # not met, or not within the reach that is left
    POST_FILTER = "post-filter"
    COLLECTOR = "collector"
    REPORTED = "reported"  # it did not leave: it is in the result


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryFilter:
    """What a query lets pass. By default everything that takes part.

    Attributes:
        words: compared with those of each body; all 0 compares nothing.
        flags: of the query; `QueryFlag.PREFILTER` and `POSTFILTER` switch the callbacks on.
        pre: called before the exact intersection. It must change nothing that is shared.
        post: called after it, once for each hit.

    Raises:
        TypeError, ValueError: as `as_words`; flags of another kind; callbacks that are none.
    """

    words: Words = NO_WORDS
    flags: QueryFlag = ALL_SHAPES
    pre: PreFilter | None = None
    post: PostFilter | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", as_words(self.words, name="QueryFilter.words"))
        if not isinstance(self.flags, QueryFlag):
            raise TypeError(
                f"QueryFilter.flags: expected QueryFlag.STATIC | ..., got {self.flags!r}"
            )
        for name in ("pre", "post"):
            callback = getattr(self, name)
            if callback is not None and not callable(callback):
                raise TypeError(f"QueryFilter.{name}: expected a function, got {callback!r}")

    def has(self, flag: QueryFlag) -> bool:
        """Whether a flag is set."""
        return flag in self.flags


EVERYTHING = QueryFilter()
"""Lets everything pass that takes part."""

Verdict: TypeAlias = tuple[HitType, HitFlag]
"""What a layer before the intersection makes of a body: NONE removes it."""

BodyLayer: TypeAlias = Callable[[Candidate, QueryFilter, Verdict], Verdict]


def takes_part(candidate: Candidate, _: QueryFilter, verdict: Verdict) -> Verdict:
    """The flag of the body itself."""
    return verdict if candidate.settings.takes_part else (HitType.NONE, verdict[1])


def static_or_dynamic(candidate: Candidate, filters: QueryFilter, verdict: Verdict) -> Verdict:
    """The kinds that the query looks at."""
    kind = QueryFlag.DYNAMIC if candidate.settings.dynamic else QueryFlag.STATIC
    return verdict if filters.has(kind) else (HitType.NONE, verdict[1])


def words(candidate: Candidate, filters: QueryFilter, verdict: Verdict) -> Verdict:
    """The built-in rule, unless it is disabled."""
    if filters.has(QueryFlag.DISABLE_HARDCODED_FILTER):
        return verdict
    keeps = words_allow(filters.words, candidate.settings.words)
    return verdict if keeps else (HitType.NONE, verdict[1])


def pre_filter(candidate: Candidate, filters: QueryFilter, verdict: Verdict) -> Verdict:
    """The callback before the intersection, if there is one and its stage is on."""
    if filters.pre is None or not filters.has(QueryFlag.PREFILTER):
        return verdict
    hit_flags = verdict[1]
    answer = filters.pre(candidate, hit_flags)
    hit_type, changed = answer if isinstance(answer, tuple) else (answer, hit_flags)
    if not isinstance(changed, HitFlag):
        raise TypeError(f"pre-filter: expected (HitType, HitFlag), got {answer!r}")
    kept = (hit_flags & ~CHANGEABLE) | (changed & CHANGEABLE)
    return checked(hit_type, name="pre-filter"), kept


def post_filter(
    candidate: Candidate, filters: QueryFilter, hit: Hit | OverlapHit, hit_type: HitType
) -> HitType:
    """The callback after the intersection; what it says replaces what was said before."""
    if filters.post is None or not filters.has(QueryFlag.POSTFILTER):
        return hit_type
    return checked(filters.post(candidate, hit), name="post-filter")


def checked(hit_type: HitType, *, name: str) -> HitType:
    """What a callback returned, if it is a hit type.

    Raises:
        TypeError: something else, such as True, or nothing.
    """
    if not isinstance(hit_type, HitType):
        raise TypeError(f"{name}: expected HitType.NONE, TOUCH or BLOCK, got {hit_type!r}")
    return hit_type


BODY_LAYERS: Mapping[Layer, BodyLayer] = {
    Layer.TAKES_PART: takes_part,
    Layer.KIND: static_or_dynamic,
    Layer.WORDS: words,
    Layer.PRE_FILTER: pre_filter,
}
"""The layers before the exact intersection, in their order."""

BY_TREES, BY_DECISION = tuple(BODY_LAYERS)[:2], tuple(BODY_LAYERS)[2:]
"""Those before and those after the box. Trees stand in for the first: a body that does not take part
is in no tree, and the tree of a kind that is not looked at is not asked. They are walked only to say
why a body was not offered."""


def walk_layers(
    candidate: Candidate,
    filters: QueryFilter,
    verdict: Verdict,
    layers: Sequence[Layer],
) -> tuple[Layer | None, Verdict]:
    """The layer at which a body leaves, None if it passes them all; and what is decided about it."""
    for layer in layers:
        verdict = BODY_LAYERS[layer](candidate, filters, verdict)
        if verdict[0] is HitType.NONE:
            return layer, verdict
    return None, verdict


@dataclass(frozen=True, kw_only=True, eq=False)
class FilterLog:
    """Where each body left, and whom the callbacks saw.

    Attributes:
        left: name -> the layer at which it left, in the order of the scene; every body is there.
        pre_calls, post_calls: names of bodies, one for each call, in the order of the calls.
    """

    left: Mapping[str, Layer]
    pre_calls: tuple[str, ...] = field(default=())
    post_calls: tuple[str, ...] = field(default=())

    def at(self, layer: Layer) -> tuple[str, ...]:
        """Names of the bodies that left at a layer."""
        return tuple(name for name, where in self.left.items() if where is layer)

    @property
    def counts(self) -> dict[Layer, int]:
        """How many bodies left at each layer, in the order of the layers."""
        return {layer: len(self.at(layer)) for layer in Layer}
