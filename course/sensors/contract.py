"""What must stand beside the numbers of an observation, and what is wrong if it does not.

An `Observation` is an array with what its reader has to know: quantity, frame, unit, time, which
values are no readings, whether all are there. A `Contract` says which of that a product must
state, and `faults` compares the two, in words. A fault is not an opinion on the sensor: it is
something that the reader would have to guess.
"""

import math
from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass, field
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.sensors.intrinsics import Intrinsics
from course.sensors.products import INSTANT, INTERVAL, Contract
from course.world.checks import array_of

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Observation:
    """Numbers, and what one has to know to use them.

    Attributes:
        contract: of the product.
        values: the numbers; copied, as the array may be a view that the next frame overwrites.
        producer: who made them, with its version where that matters.
        frame: in which they are expressed, such as "C"; "" is a fault.
        unit: of the values.
        time_s: an instant in s of simulated time, or an interval (start, end).
        valid: mask of the shape of `values`, or of its pixels; None if marks alone tell.
        complete: whether all is there; None is a fault: nobody can see that in the numbers.
        states: what the contract asks for besides; arrays and mappings in it are copied as well.

    Raises:
        TypeError: no contract, no array, a masked one, or states that are no mapping.
        ValueError: rows of different lengths.
    """

    contract: Contract
    values: NDArray[np.generic]
    producer: str = ""
    frame: str = ""
    unit: str = ""
    time_s: float | Interval | None = None
    valid: NDArray[np.bool_] | None = None
    complete: bool | None = None
    states: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.contract, Contract):
            raise TypeError(f"contract: expected one such as DEPTH, got {self.contract!r}")
        if self.values is None:
            raise TypeError("values: expected an array, got None")
        if not isinstance(self.states, Mapping):
            raise TypeError(f"states: expected name -> statement, got {self.states!r}")
        for name in ("values", "valid"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _kept(array_of(getattr(self, name), name=name)))
        object.__setattr__(self, "states", _kept(self.states))

    def card(self) -> str:
        """The observation card: one line a question, "not stated" where there is no answer."""
        marks = ", ".join(f"{mark:g} {says}" for mark, says in self.contract.marks.items())
        if self.valid is not None and self.valid.dtype == np.bool_:
            marks = f"{np.count_nonzero(~self.valid)} of {self.valid.size} masked; {marks}"
        complete = ("yes" if self.complete else "no") if _is_truth(self.complete) else ""
        lines = {
            "what": self.contract.product,
            "producer": self.producer,
            "frame": self.frame,
            "unit": self.unit or ("none" if not self.contract.unit else ""),
            "time": _time_text(self.time_s),
            "shape": f"{self.values.shape} {self.values.dtype}",
            "no reading": marks or "none",
            "complete": complete,
        } | {name: _stated_text(self.states.get(name)) for name in self.contract.states}
        width = max(map(len, lines))
        return "\n".join(f"{name:<{width}}  {text or 'not stated'}" for name, text in lines.items())


def faults(observation: Observation) -> tuple[str, ...]:
    """All that keeps an observation from being used; () if nothing does."""
    checks = (_form, _frame_and_unit, _time, _statements, _readings, _labels)
    return tuple(fault for check in checks for fault in check(observation))


def require(observation: Observation) -> None:
    """Raise a ValueError that lists all faults, if there are any."""
    found = faults(observation)
    if found:
        raise ValueError(f"{observation.contract.product}: " + "; ".join(found))


# --- one question each ------------------------------------------------------------------------


def _form(o: Observation) -> Iterator[str]:
    """Type, rank, and the size that the camera says."""
    contract, shape = o.contract, o.values.shape
    if o.values.dtype.name not in contract.dtypes:
        yield f"expected {' or '.join(contract.dtypes)}, got {o.values.dtype.name}"
    expected = f"({', '.join(contract.shape)})"
    if len(shape) != len(contract.shape):
        one_more = len(shape) == len(contract.shape) + 1 and shape[-1] == 1
        hint = "; take the one channel: values[..., 0]" if one_more else ""
        yield f"expected shape {expected}, got {shape}{hint}"
    elif len(set(zip(contract.shape, shape, strict=True))) > len(set(contract.shape)):
        yield f"expected shape {expected}, one length for each word, got {shape}"
    if o.values.size == 0:
        yield f"it is empty, shape {shape}: nothing was taken yet"
    camera = o.states.get("intrinsics")
    if not (isinstance(camera, Intrinsics) or _unstated(camera)):
        yield f"intrinsics: expected Intrinsics(...), got {type(camera).__name__}"
    if isinstance(camera, Intrinsics) and o.values.size and shape[:2] != camera.shape:
        swapped = shape[:2] == camera.shape[::-1] and camera.width != camera.height
        hint = ": rows and columns are swapped" if swapped else ""
        yield f"the camera takes images of (H, W) = {camera.shape}, got {shape[:2]}{hint}"
    for name, axis in (("channels", 2), ("components", 0), ("directions", 0)):
        named = o.states.get(name)
        told_in_words = isinstance(named, str) and name != "channels"
        if told_in_words or _unstated(named) or len(shape) <= axis:
            continue
        if (length := _length(named)) not in (None, shape[axis]):
            which = f"{name} {named}" if isinstance(named, str | tuple) else name
            yield f"{which} are {length}, the array has {shape[axis]}"
    if o.valid is not None and o.valid.dtype != np.bool_:
        yield f"the mask holds {o.valid.dtype}, expected True and False"
    if o.valid is not None and not _covers(o.valid, o.values):
        yield f"the mask has shape {o.valid.shape}, the array {shape}"


def _frame_and_unit(o: Observation) -> Iterator[str]:
    if _unstated(o.producer):
        yield "nobody is named who made it"
    if _unstated(o.frame):
        yield "no frame is named"
    if o.unit != o.contract.unit:
        yield f"expected the unit {o.contract.unit or 'none'!r}, got {o.unit or 'none'!r}"


def _time(o: Observation) -> Iterator[str]:
    allowed = " or ".join(o.contract.times)
    if o.time_s is None:
        yield f"no time is stated: expected {allowed} in s"
        return
    match o.time_s:
        case (start, end) if _is_time(start) and _is_time(end) and start <= end:
            kind = INTERVAL
        case instant if _is_time(instant):
            kind = INSTANT
        case _:
            yield f"{o.time_s!r} is no time: expected s, or (start, end) in s"
            return
    if kind not in o.contract.times:
        yield f"expected {allowed}, got {_time_text(o.time_s)}"


def _is_time(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def _statements(o: Observation) -> Iterator[str]:
    for name, why in o.contract.states.items():
        if _unstated(o.states.get(name)):
            yield f"{name} not stated: {why}"
    if o.complete is None:
        yield "whether it is complete is not stated"
    elif not _is_truth(o.complete):
        yield f"complete: expected True or False, got {o.complete!r}"


def _unstated(stated: object) -> bool:
    """Whether there is nothing to read: None, a blank text, or a collection of nothing."""
    if isinstance(stated, str):
        return not stated.strip()
    return stated is None or _length(stated) == 0


def _length(stated: object) -> int | None:
    """How many things are stated, None if that cannot be asked."""
    if isinstance(stated, np.ndarray):
        return len(stated) if stated.ndim else None
    return len(stated) if isinstance(stated, Sized) else None


def _is_truth(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _readings(o: Observation) -> Iterator[str]:
    """Values that are neither readings, nor marks that the contract knows, nor masked."""
    if o.values.dtype.kind not in "iuf":
        return
    counted = np.ones(o.values.shape, np.bool_)
    if o.valid is not None and _covers(o.valid, o.values):
        counted &= o.valid.astype(np.bool_).reshape(
            o.valid.shape + (1,) * (o.values.ndim - o.valid.ndim)
        )
    marked = np.zeros(o.values.shape, np.bool_)
    for mark in o.contract.marks:
        marked |= _equals(o.values, mark)
    contradicted = np.count_nonzero(counted & marked) if o.valid is not None else 0
    if contradicted:
        yield f"{contradicted} values are marks of no reading, but the mask calls them valid"
    counted &= ~marked
    numbers = o.values[counted].astype(np.float64)
    unknown = np.count_nonzero(~np.isfinite(numbers))
    if unknown:
        yield f"{unknown} values are nan or infinite, and neither masked nor a mark of the contract"
    below = np.count_nonzero(numbers <= 0)
    if below and not o.contract.signed:
        yield f"{below} values are 0 or less, and neither masked nor a mark of the contract"


def _covers(valid: NDArray[np.generic], values: NDArray[np.generic]) -> bool:
    """Whether a mask has the shape of the values, or of the pixels of an image with channels."""
    return valid.shape == values.shape or (values.ndim == 3 and valid.shape == values.shape[:2])


def _equals(values: NDArray[np.generic], mark: float) -> NDArray[np.bool_]:
    """Where values are a mark, as their type of number stores it; nan is nan."""
    if values.dtype.kind != "f":
        return np.asarray(values == mark)
    if math.isnan(mark):
        return np.asarray(np.isnan(values))
    with np.errstate(over="ignore"):
        stored = values.dtype.type(mark)
    return np.asarray((values == stored) & (np.isinf(stored) == math.isinf(mark)))


def _labels(o: Observation) -> Iterator[str]:
    names = o.states.get("label_map")
    if not (isinstance(names, Mapping) or _unstated(names)):
        yield f"label_map: expected number -> name, got {type(names).__name__}"
    if isinstance(names, Mapping) and names and o.values.dtype.kind in "iub":
        unnamed = sorted(set(np.unique(o.values).tolist()) - set(names))
        if unnamed:
            yield f"labels {', '.join(map(str, unnamed))} are in the image, but not in the map"


# --- copies ------------------------------------------------------------------------------------


def _kept(stated: Any) -> Any:
    """A copy that nobody can write to, of an array, a list or a mapping; else the thing itself."""
    match stated:
        case np.ndarray():
            copy = stated.copy()
            copy.flags.writeable = False
            return copy
        case Mapping():
            return MappingProxyType({name: _kept(value) for name, value in stated.items()})
        case list():
            return tuple(map(_kept, stated))
        case _:
            return stated


# --- words ------------------------------------------------------------------------------------


def _time_text(time_s: float | Interval | None) -> str:
    match time_s:
        case None:
            return ""
        case (start, end):
            return f"from {start} to {end} s"
        case _:
            return f"at {time_s} s"


def _stated_text(stated: object) -> str:
    match stated:
        case None:
            return ""
        case Intrinsics():
            size = f"{stated.width} x {stated.height} pixels, fx {stated.fx:.1f}"
            return f"{size}, centre of the first pixel at {stated.pixel_centre.value:g}"
        case Mapping():
            return ", ".join(f"{key}: {value}" for key, value in stated.items())
        case np.ndarray():
            return f"array {stated.shape}"
        case _:
            return str(stated)
