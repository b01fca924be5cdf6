import re

import numpy as np
import pytest

from course.world import checks


def test_floats_keeps_float32_and_makes_everything_else_float64():
    assert checks.floats(np.zeros(3, np.float32), name="x").dtype == np.float32
    for value in ([1, 2], np.zeros(2, np.uint8), np.zeros(2, np.float16), 3, []):
        assert checks.floats(value, name="x").dtype == np.float64


def test_float32_is_float32_in_either_order_of_its_bytes():
    for order in "<>":
        swapped = checks.floats(np.array([0.1], f"{order}f4"), name="x")
        assert swapped.dtype == np.float32
        assert swapped[0] == np.float32(0.1)


@pytest.mark.parametrize("value", [["a"], [True], [1j], [None], "12", object()])
def test_floats_refuses_what_are_no_real_numbers(value):
    with pytest.raises(TypeError, match=r"^x: expected real numbers, got "):
        checks.floats(value, name="x")


def test_an_array_of_objects_is_told_by_its_type_and_not_as_an_array():
    with pytest.raises(TypeError, match=r"^x: expected real numbers, got object$"):
        checks.floats(np.array([1.0], object), name="x")


def test_floats_refuses_rows_of_different_lengths():
    with pytest.raises(ValueError, match=r"^x: expected an array, got rows of different lengths$"):
        checks.floats([[1, 2], [3]], name="x")


def test_floats_does_not_drop_a_mask():
    masked = np.ma.masked_equal([0.0, 1.0], 0.0)
    with pytest.raises(TypeError, match=r"^x: .* got a masked one; try x\.filled\(np\.nan\)$"):
        checks.floats(masked, name="x")
    whole_numbers = np.ma.masked_equal([0, 1], 0)
    with pytest.raises(TypeError, match=r"try x\.filled\(the mark for no reading\)$"):
        checks.array_of(whole_numbers, name="x")


def test_a_number_beyond_floats_is_told():
    with pytest.raises(ValueError, match=r"^x: expected a number in m, got more than 1e308$"):
        checks.positive(10**400, name="x", unit="m")


def test_vectors_have_three_coordinates():
    for array in (np.zeros(3), np.zeros((2, 0, 3))):
        assert checks.vectors(array, name="v") is array
    for array, shape in ((np.zeros((3, 2)), "(3, 2)"), (np.float64(1), "()")):
        message = f"v: expected shape (..., 3), got {shape}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            checks.vectors(array, name="v")


def test_shaped_says_what_came_and_what_was_expected():
    array = np.zeros((4, 2))
    assert checks.shaped(array, ("N", 2), name="p") is array
    message = "p: expected shape (N, 3), got (4, 2); three coordinates a row"
    with pytest.raises(ValueError, match=re.escape(message)):
        checks.shaped(array, ("N", 3), name="p", hint="; three coordinates a row")
    with pytest.raises(ValueError, match=re.escape("p: expected shape (2,), got (4, 2)")):
        checks.shaped(array, (2,), name="p")


def test_finite_names_the_first_bad_element():
    message = "p: expected finite numbers, got nan at index (1, 2)"
    with pytest.raises(ValueError, match=re.escape(message)):
        checks.finite(np.array([[0, 0, 0], [0, 0, np.nan], [np.inf, 0, 0]]), name="p")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_unit_takes_vectors_that_are_normalised_in_their_own_precision(dtype):
    vectors = np.random.default_rng(0).normal(size=(1000, 3)).astype(dtype)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert checks.unit(vectors, name="d") is vectors


def test_unit_refuses_float64_vectors_of_float32_quality():
    rough = np.array([[0.6, 0.0, 0.8]], np.float32).astype(np.float64)
    with pytest.raises(ValueError, match=r"^d: expected unit vectors, got .* of length 1\.0"):
        checks.unit(rough, name="d")


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ((0, 0, 2), "d: expected unit vectors, got [0.0, 0.0, 2.0] of length 2 at index (1,)"),
        ((0, 0, 0), "d: expected unit vectors, got [0.0, 0.0, 0.0] of length 0 at index (1,)"),
        ((0, np.nan, 0), "d at index (1,): expected finite numbers, got nan at index (1,)"),
        ((np.inf, 0, 0), "d at index (1,): expected finite numbers, got inf at index (0,)"),
        ((1e300, 0, 0), "of length 1e+300 at index (1,)"),
    ],
)
def test_unit_names_the_first_vector_that_is_none(vector, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        checks.unit(np.array([(0.0, 0.0, 1.0), vector]), name="d")


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2)])
def test_positive_gives_a_float(value):
    number = checks.positive(value, name="r", unit="m")
    assert type(number) is float
    assert number == 2.0


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "r: expected a positive, finite number in m, got 0"),
        (-1.5, ValueError, "r: expected a positive, finite number in m, got -1.5"),
        (np.inf, ValueError, "r: expected a positive, finite number in m, got inf"),
        (np.nan, ValueError, "r: expected a number in m, got nan"),
        ("1", TypeError, "r: expected a number in m, got '1'"),
        (True, TypeError, "r: expected a number in m, got True"),
        (None, TypeError, "r: expected a number in m, got None"),
    ],
)
def test_positive_refuses(value, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        checks.positive(value, name="r", unit="m")


def test_positive_takes_infinity_where_it_means_something():
    assert checks.positive(np.inf, name="reach", unit="m", infinite=True) == np.inf
    with pytest.raises(ValueError, match="expected a positive number in m, got -inf"):
        checks.positive(-np.inf, name="reach", unit="m", infinite=True)


def test_whole_takes_integers_only():
    assert checks.whole(np.int32(3), name="n", at_least=1) == 3
    for value in (3.0, "3", True):
        with pytest.raises(TypeError, match="n: expected a whole number, got "):
            checks.whole(value, name="n", at_least=1)
    with pytest.raises(ValueError, match=r"^n: expected at least 1, got 0$"):
        checks.whole(0, name="n", at_least=1)


def test_read_only_copies_only_what_somebody_could_write_to():
    array = np.zeros(3)
    kept = checks.read_only(array)
    array[0] = 1.0
    assert kept[0] == 0.0
    assert not kept.flags.writeable
    assert checks.read_only(kept) is kept
