import re

import pytest

from course.query import (
    HitType,
    QueryCache,
    QueryFilter,
    QueryFlag,
    QueryShape,
    raycast,
    why_not_called,
)

START, X = (-3, 0, 0), (1, 0, 0)
BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC
STAGES = QueryFlag.PREFILTER | QueryFlag.POSTFILTER


def block(*_):
    return HitType.BLOCK


def none(*_):
    return HitType.NONE


@pytest.mark.parametrize(
    ("settings", "filters", "stage", "reason"),
    [
        ({}, {"flags": BOTH}, "pre", "its stage is off; set QueryFlag.PREFILTER"),
        ({}, {"flags": BOTH}, "post", "its stage is off; set QueryFlag.POSTFILTER"),
        ({}, {"pre": None}, "pre", "there is no callback; see QueryFilter.pre"),
        ({"takes_part": False}, {}, "pre", "does not take part"),
        ({"dynamic": True}, {"flags": QueryFlag.STATIC | STAGES}, "pre", "look at its kind"),
        ({}, {"words": (1, 0, 0, 0)}, "pre", "its words do not match"),
        ({}, {"pre": none}, "post", "the pre-filter said NONE"),
        ({}, {}, "pre", None),
        ({}, {}, "post", None),
    ],
)
def test_the_first_reason_is_told(row, settings, filters, stage, reason):
    scene = row.with_settings("r0", QueryShape(**settings))
    asked = QueryFilter(**{"flags": BOTH | STAGES, "pre": block, "post": block} | filters)
    log = raycast(scene, START, X, 99, filters=asked).log
    told = why_not_called(asked, log, "r0", stage)
    assert told is None if reason is None else reason in told


def test_also_what_the_query_did_not_reach(row):
    asked = QueryFilter(flags=BOTH | STAGES, pre=block, post=block)
    log = raycast(row, START, X, 99, filters=asked).log
    assert "did not come near its box" in why_not_called(asked, log, "r9", "pre")
    beside = raycast(row, (-3, 0.5, 0.5), (0.8, 0.6, 0), 99, filters=asked).log
    assert "did not come near its box" in why_not_called(asked, beside, "r9", "pre")


def test_a_cache_asks_no_filter(row):
    asked = QueryFilter(flags=BOTH | STAGES, pre=block, post=block)
    log = raycast(row, START, X, 2.6, filters=asked, cache=QueryCache("r0")).log
    assert log.pre_calls == ("r0",)  # the tree offers it once more, and now it is asked about
    dynamic = row.with_settings("r0", QueryShape(dynamic=True))
    static = QueryFilter(flags=QueryFlag.STATIC | STAGES, pre=block, post=block)
    log = raycast(dynamic, START, X, 2.6, filters=static, cache=QueryCache("r0")).log
    assert "from a cache" in why_not_called(static, log, "r0", "pre")


@pytest.mark.parametrize(
    ("name", "stage", "message"),
    [
        ("r10", "pre", "no body is named 'r10'; there are: r7, r3"),
        ("r0", "main", "stage: expected 'pre' or 'post', got 'main'"),
    ],
)
def test_other_questions_are_refused(row, name, stage, message):
    log = raycast(row, START, X, 99).log
    with pytest.raises(ValueError, match=re.escape(message)):
        why_not_called(QueryFilter(), log, name, stage)
