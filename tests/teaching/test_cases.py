import json
from enum import IntEnum, StrEnum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course.teaching.cases import dump_cases, load_cases

DTYPES = st.one_of(
    hnp.floating_dtypes(sizes=(16, 32, 64), endianness="?"),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.boolean_dtypes(),
)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
SCALARS = DTYPES.flatmap(hnp.from_dtype)
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters()), SCALARS
)
VALUES = st.recursive(
    st.one_of(PLAIN, ARRAYS), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)
CASES = st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), max_size=3)


def assert_same(one, other):
    """Same type, dtype, shape and bits; all NaN are one."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert list(one) == list(other)
        for name in one:
            assert_same(one[name], other[name])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for item, same in zip(one, other, strict=True):
            assert_same(item, same)
    elif isinstance(one, np.ndarray | np.generic):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(
            np.signbit(one[one == 0]) if one.dtype.kind == "f" else 0,
            np.signbit(other[other == 0]) if one.dtype.kind == "f" else 0,
        )
    elif isinstance(one, float):
        assert np.array(one).tobytes() == np.array(other).tobytes() or (
            one != one and other != other
        )
    else:
        assert one == other


@given(CASES)
def test_cases_survive_exactly(cases):
    assert_same(tuple(cases), load_cases(dump_cases(cases)))


@settings(max_examples=40)
@given(CASES)
def test_the_text_is_strict_json(cases):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    json.loads(dump_cases(cases), parse_constant=refuse)


@settings(max_examples=40)
@given(CASES)
def test_dumping_what_was_loaded_gives_the_same_text(cases):
    text = dump_cases(cases)
    assert dump_cases(load_cases(text)) == text


class Colour(IntEnum):
    RED = 1


class Word(StrEnum):
    A = "a"


@pytest.mark.parametrize(
    "value",
    [
        1j,
        np.complex128(1),
        np.array([1j]),
        np.array(["a"]),
        np.array([None]),
        np.longdouble(1),
        np.array([1], dtype=np.longdouble),
        np.datetime64("2020"),
        np.ma.masked_equal([1, 2], 2),
        np.array([[1]]).view(np.matrix),
        (1, 2),
        {"a": 1},
        {1},
        b"1",
        Colour.RED,
        Word.A,
        print,
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [1, [value]]])
def test_what_would_come_back_as_something_else_is_refused_by_name(value, wrap):
    kind = type(value).__name__
    with pytest.raises(
        TypeError,
        match=rf"^case value 'x' is a {kind}; expected a number, string, list or numeric array$",
    ):
        dump_cases([{"x": wrap(value)}])
