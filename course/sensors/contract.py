"""What must stand beside the numbers of an observation, and what is wrong if it does not.

An `Observation` is an array with what its reader has to know: quantity, frame, unit, time, which
values are no readings, whether all are there. A `Contract` says which of that a product must
state, and `faults` compares the two, in words. A fault is not an opinion on the sensor: it is
something that the reader would have to guess.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from course.sensors.intrinsics import Intrinsics

Interval = tuple[float, float]
INSTANT, INTERVAL = "an instant", "an interval"


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What observations of one product have in common.

    Attributes:
        product: its name.
        shape: of the array; a word stands for any length, and for one length wherever it recurs.
        dtypes: the types of number that are meant.
        unit: of the numbers, "" if they have none.
        times: whether it belongs to an instant, to an interval, or may to either.
        marks: value -> what it says in the place of a reading.
        states: what else an observation has to state, name -> why.
        signed: whether 0 and numbers below it can be readings. A distance of 0 would say that
            something touches the sensor; as it is mostly a missing value, it must be a mark.
    """

    product: str
    shape: tuple[str, ...]
    dtypes: tuple[str, ...]
    unit: str
    times: tuple[str, ...]
    marks: Mapping[float, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    signed: bool = True

    def __post_init__(self) -> None:
        for name in ("marks", "states"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))


_CAMERA = {"intrinsics": "which ray belongs to which pixel"}

COLOUR = Contract(
    product="colour image",
    shape=("H", "W", "channel"),
    dtypes=("uint8", "float32"),
    unit="",
    times=(INSTANT,),
    states=_CAMERA
    | {
        "channels": "their order, such as RGBA: a BGRA image looks the same to a program",
        "encoding": "linear light or sRGB codes: only the first may be averaged",
        "light": "which materials, lights and exposure were drawn",
    },
)
DEPTH = Contract(
    product="depth image",
    shape=("H", "W"),
    dtypes=("float32", "float64"),
    unit="m",
    times=(INSTANT,),
    marks={0.0: "too close", math.inf: "too far, or nothing there"},
    states=_CAMERA
    | {
        "quantity": "axial depth or range",
        "ranges": "what is drawn and what is measured: without them a mark has no meaning",
    },
    signed=False,
)
DEPTH_16U = Contract(
    product="depth image in 16 bits",
    shape=("H", "W"),
    dtypes=("uint16",),
    unit="mm",
    times=(INSTANT,),
    marks={0: "too close", 65535: "too far, or nothing there"},
    states=DEPTH.states,
)
SEGMENTATION = Contract(
    product="label image",
    shape=("H", "W"),
    dtypes=("int16", "int32", "uint8", "uint16"),
    unit="",
    times=(INSTANT,),
    states=_CAMERA
    | {
        "label_map": "what each number means, background included",
        "kind": "one number a class, or one an instance",
    },
)
SCAN = Contract(
    product="range scan",
    shape=("beam",),
    dtypes=("float32", "float64"),
    unit="m",
    times=(INSTANT, INTERVAL),
    marks={math.inf: "no hit within reach"},
    states={
        "directions": "where each beam points",
        "returns": "which hit of a beam is kept",
        "geometry": "which shapes the beams can hit, of which state of the scene",
    },
    signed=False,
)
FORCE = Contract(
    product="force",
    shape=("component",),
    dtypes=("float32", "float64"),
    unit="N",
    times=(INSTANT, INTERVAL),
    states={
        "components": "their order, such as ('x', 'y', 'z')",
        "acts_on": "the body, and the point at which",
        "step": "the physics step: a contact force is an impulse over it",
    },
)
SPECIFIC_FORCE = Contract(
    product="specific force",
    shape=("component",),
    dtypes=("float32", "float64"),
    unit="m/s²",
    times=(INSTANT, INTERVAL),
    states={
        "components": "their order, such as ('x', 'y', 'z')",
        "filter": "none, or which: an average has a delay",
        "step": "the physics step: a rate is a difference over it",
    },
)


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
        states: what the contract asks for besides.
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
        for name in ("values", "valid"):
            if getattr(self, name) is not None:
                copy = np.array(getattr(self, name))
                copy.flags.writeable = False
                object.__setattr__(self, name, copy)
        object.__setattr__(self, "states", MappingProxyType(dict(self.states)))

    def card(self) -> str:
        """The observation card: one line a question, "not stated" where there is no answer."""
        marks = ", ".join(f"{mark:g} {says}" for mark, says in self.contract.marks.items())
        if self.valid is not None:
            marks = f"{np.count_nonzero(~self.valid)} of {self.valid.size} masked; {marks}"
        complete = {True: "yes", False: "no", None: ""}[self.complete]
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
    if o.values.size == 0:
        yield f"it is empty, shape {shape}: nothing was taken yet"
    camera = o.states.get("intrinsics")
    if isinstance(camera, Intrinsics) and o.values.size and shape[:2] != camera.shape:
        swapped = shape[:2] == camera.shape[::-1] and camera.width != camera.height
        hint = ": rows and columns are swapped" if swapped else ""
        yield f"the camera takes images of (H, W) = {camera.shape}, got {shape[:2]}{hint}"
    channels = o.states.get("channels")
    if isinstance(channels, str) and channels and len(shape) == 3 and len(channels) != shape[2]:
        yield f"channels {channels} are {len(channels)}, the array has {shape[2]}"
    if o.valid is not None and o.valid.dtype != np.bool_:
        yield f"the mask holds {o.valid.dtype}, expected True and False"
    if o.valid is not None and o.valid.shape != shape[: o.valid.ndim]:
        yield f"the mask has shape {o.valid.shape}, the array {shape}"


def _frame_and_unit(o: Observation) -> Iterator[str]:
    if not o.producer:
        yield "nobody is named who made it"
    if not o.frame:
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
    return isinstance(value, Real) and math.isfinite(value)


def _statements(o: Observation) -> Iterator[str]:
    for name, why in o.contract.states.items():
        stated = o.states.get(name)
        if stated is None or (isinstance(stated, str) and not stated):
            yield f"{name} not stated: {why}"
    if o.complete is None:
        yield "whether it is complete is not stated"


def _readings(o: Observation) -> Iterator[str]:
    """Values that are neither readings, nor marks that the contract knows, nor masked."""
    if o.values.dtype.kind not in "iuf":
        return
    counted = np.ones(o.values.shape, np.bool_)
    if o.valid is not None and o.valid.shape == o.values.shape[: o.valid.ndim]:
        counted &= o.valid.astype(np.bool_).reshape(
            o.valid.shape + (1,) * (o.values.ndim - o.valid.ndim)
        )
    marks = [np.float64(mark) for mark in o.contract.marks]
    marked = np.isin(o.values, marks)
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


def _labels(o: Observation) -> Iterator[str]:
    names = o.states.get("label_map")
    if isinstance(names, Mapping):
        unnamed = sorted(set(np.unique(o.values).tolist()) - set(names))
        if unnamed:
            yield f"labels {', '.join(map(str, unnamed))} are in the image, but not in the map"


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
