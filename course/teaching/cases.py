"""Cases as JSON and back, exactly: floats, infinities, NaN and arrays survive with their dtype and shape."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from course.teaching.exercise import Case


def dump_cases(cases: Sequence[Case]) -> str:
    """Write cases as strict JSON.

    Raises:
        TypeError: a value is neither a number, a string, a bool, a list of such, nor an array of numbers.
    """
    return json.dumps(
        [{name: _encode(name, value) for name, value in case.items()} for case in cases],
        allow_nan=False,
    )


def load_cases(text: str) -> tuple[Case, ...]:
    """Read what `dump_cases` wrote."""
    return tuple(
        {name: _decode(value) for name, value in case.items()} for case in json.loads(text)
    )


def _encode(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return {
            "dtype": str(value.dtype),
            "shape": value.shape,
            "values": [_encode(name, number) for number in value.ravel().tolist()],
        }
    if isinstance(value, np.generic):
        return {"dtype": str(value.dtype), "shape": (), "values": [_encode(name, value.item())]}
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": repr(value)}  # JSON has no inf and no nan
    if isinstance(value, list):
        return [_encode(name, item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(
        f"case value {name!r} is a {type(value).__name__}; expected a number, string, list or numeric array"
    )


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "float" in value:
        return float(value["float"])
    numbers = np.array([_decode(number) for number in value["values"]], dtype=value["dtype"])
    return numbers.reshape(value["shape"]) if value["shape"] else numbers[0]
