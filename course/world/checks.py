"""Checks at the public border: each returns the value that it is given, or says what is wrong.

A message names the argument, and says what came, what was expected, and how to mend it. Inside the
border nothing is checked twice.
"""

import math
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
"""An array of float32 or float64."""

Array = TypeVar("Array", bound=NDArray[Any])


def array_of(value: ArrayLike, *, name: str) -> NDArray[Any]:
    """`value` as an array of any type; not copied if it is one.

    Raises:
        TypeError: a masked array.
        ValueError: rows of different lengths.
    """
    if isinstance(value, np.ma.MaskedArray):  # NumPy would drop the mask without a word
        fill = "np.nan" if value.dtype.kind == "f" else "the mark for no reading"
        raise TypeError(f"{name}: expected an array, got a masked one; try {name}.filled({fill})")
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name}: expected an array, got rows of different lengths") from None


def floats(value: ArrayLike, *, name: str) -> Floats:
    """`value` as an array of real numbers; float32 stays float32, all else becomes float64.

    Raises:
        TypeError: booleans, complex numbers, no numbers at all, or a masked array.
        ValueError: rows of different lengths.
    """
    array = array_of(value, name=name)
    if array.dtype.kind not in "fiu":
        unread = array.dtype == object and not isinstance(value, np.ndarray)
        got = type(value).__name__ if unread else array.dtype
        raise TypeError(f"{name}: expected real numbers, got {got}")
    single = array.dtype.kind == "f" and array.dtype.itemsize == 4  # in either order of its bytes
    return array.astype(np.float32 if single else np.float64, copy=False)


def shaped(array: Array, shape: tuple[int | str, ...], *, name: str, hint: str = "") -> Array:
    """`array`, if it has `shape`, in which a word such as "N" stands for any size.

    Raises:
        ValueError: another shape; `hint` is added to the message.
    """
    fits = array.ndim == len(shape) and all(
        isinstance(wanted, str) or wanted == size
        for wanted, size in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        raise ValueError(f"{name}: expected shape ({wanted}), got {array.shape}{hint}")
    return array


def vectors(array: Floats, *, name: str) -> Floats:
    """`array`, if its last axis holds three coordinates: (..., 3).

    Raises:
        ValueError: another shape.
    """
    if array.shape[-1:] != (3,):
        raise ValueError(f"{name}: expected shape (..., 3), got {array.shape}")
    return array


def finite(array: Floats, *, name: str) -> Floats:
    """`array`, if no element is nan or infinite.

    Raises:
        ValueError: names the first element that is.
    """
    good = np.isfinite(array)
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        raise ValueError(f"{name}: expected finite numbers, got {array[place]} at index {place}")
    return array


def unit(array: Floats, *, name: str) -> Floats:
    """`array` (..., 3), if all its vectors have length 1 to the precision that they are stored in.

    Raises:
        ValueError: names the first vector that is not finite, is zero, or has another length.
    """
    tolerance = 1e-6 if array.dtype == np.float32 else 1e-9
    x, y, z = np.moveaxis(array, -1, 0)
    with np.errstate(over="ignore", invalid="ignore"):
        # Ten times as fast as a norm, for each image; and nan fails the comparison too.
        squared = x * x + y * y + z * z
        good = np.abs(squared - 1) <= 2 * tolerance
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        vector = array[place]
        finite(vector, name=f"{name} at index {place}")
        raise ValueError(
            f"{name}: expected unit vectors, got {vector.tolist()} of length "
            f"{math.hypot(*vector.tolist()):.9g} at index {place}; normalise it first "
            "(Rays.through does that for rays)"
        )
    return array


def real(value: object, *, name: str, unit: str) -> float:
    """`value` as a float that is not nan.

    Raises:
        TypeError: not a real number.
        ValueError: nan, or more than a float holds.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number in {unit}, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name}: expected a number in {unit}, got more than 1e308") from None
    if math.isnan(number):
        raise ValueError(f"{name}: expected a number in {unit}, got nan")
    return number


def positive(value: object, *, name: str, unit: str, infinite: bool = False) -> float:
    """`value` as a float greater than 0; infinity only where `infinite` allows it.

    Raises:
        TypeError: not a real number.
        ValueError: nan, zero, negative, or infinite where that has no meaning.
    """
    number = real(value, name=name, unit=unit)
    if number <= 0 or (math.isinf(number) and not infinite):
        kind = "positive" if infinite else "positive, finite"
        raise ValueError(f"{name}: expected a {kind} number in {unit}, got {number:g}")
    return number


def whole(value: object, *, name: str, at_least: int) -> int:
    """`value` as an int.

    Raises:
        TypeError: not an integer; 640.0 is refused as well.
        ValueError: less than `at_least`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name}: expected a whole number, got {value!r}")
    number = int(value)
    if number < at_least:
        raise ValueError(f"{name}: expected at least {at_least}, got {number}")
    return number


def read_only(array: Array) -> Array:
    """`array` itself if nobody can write to it, else a copy that nobody can write to."""
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array
