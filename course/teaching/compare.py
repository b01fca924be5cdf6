"""Comparing an answer with the oracle: numbers in any style, one tolerance, and where they part.

A list, a float32 array and a Python float are the same answer if the numbers are. inf equals inf (a miss is a value),
and NaN equals NaN only where NaN is expected.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.words import with_unit

LARGEST = 10_000_000  # numbers; a broadcast view may have any shape and no memory behind it


class NotNumbers(ValueError):  # noqa: N818 - a statement about an answer, not an error of ours
    """The answer is not an array of real numbers; the message says what it is."""


@dataclass(frozen=True, kw_only=True)
class Mismatch:
    """Where an answer parts from the expected one, in words."""

    place: str
    received: str
    expected: str


def as_numbers(answer: Any) -> NDArray[np.float64]:
    """An answer as a float64 array.

    Raises:
        NotNumbers: it is None, text, ragged, complex, too large or anything else that is not real numbers.
    """
    if answer is None:
        raise NotNumbers("None: is there a `return`?")
    if isinstance(answer, np.ma.MaskedArray):
        raise NotNumbers("a masked array: return a plain array, with inf where there is no hit")
    try:
        numbers = np.asarray(answer)
    except Exception as error:  # a learner's object may raise anything here
        raise NotNumbers(
            f"a {type(answer).__name__} that is no array of numbers ({error})"
        ) from None
    if numbers.dtype.kind not in "fiub":
        raise NotNumbers(
            f"a {type(answer).__name__} that is no array of real numbers (its dtype is {numbers.dtype})"
        )
    if numbers.size > LARGEST:
        raise NotNumbers(f"{shape_text(numbers.shape)}: far larger than any answer here")
    with np.errstate(over="ignore"):  # a long double beyond float64 is inf
        return numbers.astype(np.float64)


def mismatch(
    received: NDArray[np.float64],
    expected: NDArray[np.float64],
    tolerance: float,
    *,
    unit: str = "",
) -> Mismatch | None:
    """The worst place where two arrays differ by more than the tolerance, or None.

    Args:
        received: any shape.
        expected: any shape; another shape is a mismatch in itself.
        tolerance: largest accepted difference.
        unit: of the arrays and the tolerance, for the words of the mismatch.
    """
    if received.shape != expected.shape:
        return Mismatch(
            place="shape", received=shape_text(received.shape), expected=shape_text(expected.shape)
        )
    if expected.size == 0:
        return None
    same = (received == expected) | (np.isnan(received) & np.isnan(expected))
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.where(same, 0.0, np.abs(received - expected))
    error = np.where(np.isnan(error), np.inf, error)
    worst = np.unravel_index(int(error.argmax()), error.shape)
    if error[worst] <= tolerance:
        return None
    index = ", ".join(str(i) for i in worst)
    mine, right = _told_apart(float(received[worst]), float(expected[worst]))
    return Mismatch(
        place=f"element [{index}]" if worst else "value",
        received=with_unit(mine, unit),
        expected=f"{with_unit(right, unit)} (tolerance {with_unit(f'{tolerance:g}', unit)})",
    )


def _told_apart(number: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ."""
    texts = [(f"{number:.{digits}g}", f"{other:.{digits}g}") for digits in (6, 9, 12, 17)]
    return next((pair for pair in texts if pair[0] != pair[1]), texts[-1])


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as a reader reads it."""
    return "a single number" if shape == () else f"an array of shape {shape}"
