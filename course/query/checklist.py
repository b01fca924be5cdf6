"""Why a callback was never called for a body: the questions in the order in which layers ask them."""

from typing import Literal, TypeAlias

from course.query.filters import FilterLog, Layer, QueryFilter
from course.query.flags import QueryFlag

Stage: TypeAlias = Literal["pre", "post"]

REASONS = {
    Layer.TAKES_PART: "the body does not take part in queries; see QueryShape.takes_part",
    Layer.KIND: "the query does not look at its kind; see QueryFlag.STATIC and DYNAMIC",
    Layer.BOX: "the query did not come near its box, or had ended before",
    Layer.WORDS: "its words do not match those of the query; see QueryFilter.words",
    Layer.PRE_FILTER: "the pre-filter said NONE",
    Layer.EXACT: "the query came near it, and did not meet it",
}
"""Layer at which a body left -> what to look at."""


def why_not_called(filters: QueryFilter, log: FilterLog, name: str, stage: Stage) -> str | None:
    """The first reason for which a callback did not see a body; None if it saw it.

    Args:
        filters: of the query.
        log: of its result.
        name: of the body.
        stage: "pre" or "post".

    Raises:
        ValueError: a body that was not in the scene, or another stage.
    """
    if name not in log.left:
        raise ValueError(f"no body is named {name!r}; there are: {', '.join(log.left)}")
    if stage not in ("pre", "post"):
        raise ValueError(f"stage: expected 'pre' or 'post', got {stage!r}")
    calls = log.pre_calls if stage == "pre" else log.post_calls
    if name in calls:
        return None
    flag = QueryFlag.PREFILTER if stage == "pre" else QueryFlag.POSTFILTER
    if not filters.has(flag):
        return f"its stage is off; set QueryFlag.{flag.name}"
    if getattr(filters, stage) is None:
        return f"there is no callback; see QueryFilter.{stage}"
    return REASONS.get(log.left[name], "it was reported from a cache, which asks no filter")
