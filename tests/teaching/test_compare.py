import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course.teaching.compare import NotNumbers, as_numbers, mismatch, shape_text

FLOATS = st.floats(width=64)
ARRAYS = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=0, max_dims=3, max_side=4), elements=FLOATS
)


# --- numbers ------------------------------------------------------------------------------------------------


@given(ARRAYS)
def test_style_does_not_matter(array):
    for style in (array, array.tolist(), array.astype(object).tolist(), np.asfortranarray(array)):
        np.testing.assert_array_equal(as_numbers(style), array)


@given(ARRAYS)
def test_the_numbers_are_a_copy(array):
    numbers = as_numbers(array)
    numbers += 1
    np.testing.assert_array_equal(as_numbers(array), array)
    assert not np.shares_memory(numbers, array)


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        (True, 1.0),
        (3, 3.0),
        (np.float32(0.5), 0.5),
        (np.float16(0.5), 0.5),
        (np.array(2, dtype=np.uint8), 2.0),
        ((1, 2), [1.0, 2.0]),
        (range(3), [0.0, 1.0, 2.0]),
        (np.array([[1, 2]]).view(np.matrix), [[1.0, 2.0]]),
        ([[], []], np.zeros((2, 0))),
        (np.longdouble("1e4000"), np.inf),
        (-math.inf, -np.inf),
    ],
)
def test_what_is_a_number_becomes_float64(answer, numbers):
    read = as_numbers(answer)
    assert read.dtype == np.float64
    assert type(read) is np.ndarray
    np.testing.assert_array_equal(read, numbers)


class Refuses:
    def __array__(self, *_arguments, **_options):
        raise OSError("no array today")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (None, "None: is there a `return`?"),
        ("1.5", "a str that is no array of real numbers (its dtype is <U3)"),
        (1 + 2j, "a complex that is no array of real numbers (its dtype is complex128)"),
        (np.array([1j]), "a ndarray that is no array of real numbers (its dtype is complex128)"),
        ([1.0, None], "a list that is no array of real numbers (its dtype is object)"),
        ({1.0}, "a set that is no array of real numbers (its dtype is object)"),
        ((i for i in range(3)), "a generator that is no array of real numbers (its dtype is object)"),
        ([Fraction(1, 2)], "a list that is no array of real numbers (its dtype is object)"),
        (Decimal(1), "a Decimal that is no array of real numbers (its dtype is object)"),
        (10**400, "a int that is no array of real numbers (its dtype is object)"),
        (np.datetime64("2020"), "a datetime64 that is no array of real numbers (its dtype is datetime64[Y])"),
        (np.zeros(2, "f8,f8"), f"a ndarray that is no array of real numbers (its dtype is {np.dtype('f8,f8')})"),
        (b"1", "a bytes that is no array of real numbers (its dtype is |S1)"),
        (np.ma.masked_equal([1, 2], 2), "a masked array: return a plain array, with inf where there is no hit"),
        (Refuses(), "a Refuses that is no array of numbers (no array today)"),
        (np.broadcast_to(0.0, (10**6, 10**6)), "an array of shape (1000000, 1000000): far larger than any answer here"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_number_is_said(answer, text):
    with pytest.raises(NotNumbers) as caught:
        as_numbers(answer)
    assert str(caught.value) == text


def test_a_ragged_list_is_no_array():
    with pytest.raises(NotNumbers, match=r"^a list that is no array of numbers \(.*inhomogeneous"):
        as_numbers([[1.0], [1.0, 2.0]])


# --- mismatches ---------------------------------------------------------------------------------------------


@given(ARRAYS, st.floats(0, 1e300))
def test_an_array_equals_itself_with_its_infinities_and_nans(array, tolerance):
    assert mismatch(array, array.copy(), tolerance) is None


@given(ARRAYS, ARRAYS, st.floats(0, 1e300))
def test_who_is_compared_with_whom_does_not_matter(some, others, tolerance):
    assert (mismatch(some, others, tolerance) is None) == (
        mismatch(others, some, tolerance) is None
    )


@given(FLOATS, FLOATS, st.floats(0, 1e300))
def test_numbers_agree_exactly_when_a_plain_comparison_says_so(one, other, tolerance):
    same = one == other or (math.isnan(one) and math.isnan(other))
    near = math.isfinite(one) and math.isfinite(other) and abs(one - other) <= tolerance
    found = mismatch(np.array(one), np.array(other), tolerance)
    assert (found is None) == (same or near)


@given(FLOATS, FLOATS)
def test_what_differs_looks_different(one, other):
    found = mismatch(np.array(one), np.array(other), 0.0)
    if found is not None:
        assert found.received != found.expected.partition(" (")[0]


@given(ARRAYS.filter(lambda array: array.size > 0), st.data())
def test_the_worst_element_is_named(array, data):
    array = np.asarray(np.nan_to_num(array, nan=0.0, posinf=0.0, neginf=0.0) % 7)
    place = tuple(data.draw(st.integers(0, side - 1)) for side in array.shape)
    wrong = array.copy()
    wrong[place] += 100
    wrong.flat[0] += 1  # a smaller mistake elsewhere, or on top
    found = mismatch(wrong, array, 1e-9)
    assert found.place == (f"element [{', '.join(map(str, place))}]" if place else "value")


def test_a_mismatch_in_words():
    found = mismatch(np.array([1.0, 2.5]), np.array([1.0, 2.0]), 0.1, unit="m")
    assert (found.place, found.received, found.expected) == (
        "element [1]",
        "2.5 m",
        "2 m (tolerance 0.1 m)",
    )


def test_a_count_has_no_unit():
    found = mismatch(np.array(3.0), np.array(4.0), 0)
    assert (found.received, found.expected) == ("3", "4 (tolerance 0)")


def test_more_digits_are_shown_where_six_look_the_same():
    found = mismatch(np.array(1.00000012), np.array(1.0), 1e-8, unit="m")
    assert (found.received, found.expected) == ("1.00000012 m", "1 m (tolerance 1e-08 m)")


@pytest.mark.parametrize(
    ("received", "expected"), [((), (1,)), ((1,), ()), ((2, 3), (3, 2)), ((0, 3), (3, 0)), ((3,), (1, 3))]
)  # fmt: skip
def test_another_shape_is_a_mismatch_whatever_the_values(received, expected):
    found = mismatch(np.zeros(received), np.zeros(expected), np.inf)
    assert found.place == "shape"
    assert (found.received, found.expected) == (shape_text(received), shape_text(expected))


def test_two_empty_answers_of_one_shape_agree():
    assert mismatch(np.zeros((0, 3)), np.zeros((0, 3)), 0) is None


def test_a_missing_number_is_worse_than_any_wrong_one():
    found = mismatch(np.array([1e300, np.nan]), np.array([0.0, 1.0]), 1)
    assert (found.place, found.received) == ("element [1]", "nan")


def test_the_same_is_found_where_numpy_was_told_to_raise():
    with np.errstate(all="raise"):
        assert mismatch(np.array([1e308, np.inf]), np.array([-1e308, -np.inf]), 1) is not None
