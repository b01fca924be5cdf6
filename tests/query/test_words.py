import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.query import words_allow
from course.query.words import as_words

WORDS = st.tuples(*[st.integers(0, 0xFFFFFFFF)] * 4)


@given(WORDS, WORDS)
def test_words_are_compared_one_by_one_and_one_match_is_enough(query, shape):
    common = [
        int(np.uint32(ours) & np.uint32(theirs)) for ours, theirs in zip(query, shape, strict=True)
    ]
    assert words_allow(query, shape) == (query == (0, 0, 0, 0) or any(common))


@given(WORDS, WORDS)
def test_only_a_query_without_words_makes_the_rule_one_sided(query, shape):
    if any(query) and any(shape):
        assert words_allow(query, shape) == words_allow(shape, query)


def test_a_shape_without_words_is_found_by_no_query_with_words():
    assert not words_allow((0xFFFFFFFF,) * 4, (0, 0, 0, 0))
    assert words_allow((0, 0, 0, 0), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (2, TypeError, "words: expected four words, got 2; write (2, 0, 0, 0)"),
        ((1, 2, 3), ValueError, "words: expected four words, got 3: (1, 2, 3)"),
        ((0, 1.0, 0, 0), TypeError, "words: word 1: expected a whole number, got 1.0"),
        ((0, 0, -1, 0), ValueError, "words: word 2: expected at least 0, got -1"),
        ((0, 0, 0, 1 << 32), ValueError, "word 3: expected at most 32 bits, got 0x100000000"),
    ],
)
def test_other_words_are_refused(value, error, message):
    with pytest.raises(error, match=re.escape(message)):
        as_words(value, name="words")
