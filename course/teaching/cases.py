"""Cases as JSON and back, exactly: floats, infinities, NaN and arrays survive with their type, dtype and shape.

What would come back as something else is refused: a subclass (an enumeration, a masked array), and long doubles, which
no JSON number holds.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from course.teaching.exercise import Case


def dump_cases(cases: Sequence[Case]) -> str:
    """Write cases as strict JSON.

    Raises:
        TypeError: a value is neither None, a number, a string, a bool, a list of such, nor an array of numbers.
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
    if type(value) is np.ndarray and _exact(value.dtype):
        numbers = [_encode(name, number) for number in value.ravel().tolist()]
        return {"dtype": value.dtype.str, "shape": value.shape, "values": numbers}
    if isinstance(value, np.generic) and _exact(value.dtype):
        return {"dtype": value.dtype.str, "value": _encode(name, value.item())}
    if type(value) is float and not np.isfinite(value):
        return {"float": repr(value)}  # JSON has no inf and no nan
    if type(value) is list:
        return [_encode(name, item) for item in value]
    if value is None or type(value) in (bool, int, float, str):
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
    if "value" in value:
        return np.array(_decode(value["value"]), dtype=value["dtype"])[()]
    numbers = np.array([_decode(number) for number in value["values"]], dtype=value["dtype"])
    return numbers.reshape(value["shape"])


def _exact(dtype: np.dtype[Any]) -> bool:
    """Whether Python's own numbers hold those of this type without loss."""
    return dtype.kind in "iub" or (dtype.kind == "f" and dtype.itemsize <= 8)
