import re

import pytest

from course.query import (
    FreshCache,
    HitType,
    QueryCache,
    QueryFilter,
    QueryFlag,
    QueryShape,
    raycast,
)

START, X = (-3, 0, 0), (1, 0, 0)


@pytest.fixture
def masked(row):
    return row.with_settings("r1", QueryShape(words=(2, 0, 0, 0)))


def test_a_cached_body_is_met_past_every_filter(masked):
    mask = QueryFilter(words=(2, 0, 0, 0))
    never = QueryFilter(
        flags=QueryFlag.STATIC | QueryFlag.PREFILTER | QueryFlag.POSTFILTER,
        pre=lambda *_: HitType.NONE,
        post=lambda *_: HitType.NONE,
    )
    hidden = masked.with_settings("r0", QueryShape(dynamic=True))
    dynamic_off = QueryFilter(flags=QueryFlag.STATIC)
    for scene, filters in ((masked, mask), (masked, never), (hidden, dynamic_off)):
        honest = raycast(scene, START, X, 99, filters=filters)
        assert "r0" not in {hit.name for hit in honest.hits}
        cached = raycast(scene, START, X, 99, filters=filters, cache=QueryCache("r0"))
        assert cached.block.name == "r0"


def test_a_cache_is_right_as_long_as_the_filter_would_let_its_body_pass(row):
    for name in ("r0", "r5", "r9"):
        assert raycast(row, START, X, 99, cache=QueryCache(name)).block.name == "r0"


def test_a_cache_is_not_looked_at_if_there_is_room_for_touches(masked):
    filters = QueryFilter(words=(2, 0, 0, 0))
    result = raycast(masked, START, X, 99, capacity=4, filters=filters, cache=QueryCache("r0"))
    assert {hit.name for hit in result.hits} == {"r1"}


def test_a_cached_body_that_is_not_hit_does_no_harm(row):
    result = raycast(row, START, X, 3, cache=QueryCache("r9"))
    assert (result.block.name, result.complete) == ("r0", True)


def test_a_cached_body_that_has_gone_is_refused(row):
    message = "no body is named 'r0'; there are: r7, "
    with pytest.raises(ValueError, match=re.escape(message)):
        raycast(row.without("r0"), START, X, 99, cache=QueryCache("r0"))


def test_a_fresh_cache_is_used_where_nothing_changed_and_nowhere_else(masked):
    everything, mask = QueryFilter(), QueryFilter(words=(2, 0, 0, 0))
    cache = FreshCache(name="r0", scene=masked, filters=everything)
    assert cache.usable(masked, everything) == QueryCache("r0")
    assert cache.usable(masked, QueryFilter()) == QueryCache("r0")
    assert cache.usable(masked, mask) is None
    assert cache.usable(masked.without("r5"), everything) is None
    assert cache.usable(masked, QueryFilter(flags=QueryFlag.DYNAMIC)) is None
    assert cache.usable(masked, QueryFilter(pre=lambda *_: HitType.NONE)) is None


def test_a_fresh_cache_changes_no_answer(masked):
    filled_with = QueryFilter()
    cache = FreshCache(name="r0", scene=masked, filters=filled_with)
    for filters in (filled_with, QueryFilter(words=(2, 0, 0, 0))):
        for scene in (masked, masked.without("r0")):
            with_cache = raycast(
                scene, START, X, 99, filters=filters, cache=cache.usable(scene, filters)
            )
            assert with_cache.block.name == raycast(scene, START, X, 99, filters=filters).block.name
