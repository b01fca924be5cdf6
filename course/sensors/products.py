"""What observations of one product have to state: seven contracts, from a colour image to a force.

What a product's numbers are is one question, and what an observation of it leaves open another:
that is asked by `course.sensors.contract`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

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

    Raises:
        TypeError: a text, or another thing, where several are to be named.
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
        for name in ("shape", "dtypes", "times"):
            if not isinstance(several := getattr(self, name), tuple | list):
                raise TypeError(f"Contract.{name}: expected ({several!r},), got {several!r}")
            object.__setattr__(self, name, tuple(several))
        for name in ("marks", "states"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __hash__(self) -> int:
        """By what can be hashed, so that a contract can be a key; equal ones have equal hashes."""
        return hash((self.product, self.shape, self.dtypes, self.unit, self.times, self.signed))


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
