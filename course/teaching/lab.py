"""The definition of a lab: parameters, a model, a picture, a readout, and the exercises that go with it.

From one definition come the live panel in JupyterLab (`course.teaching.panel`), the player on a static page
(`course.display.player`) and the tests. A lab module has the same four parts in the same order: its scene, its
model, its picture and readout, its exercises; then one `LAB = Lab(...)`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from matplotlib.figure import Figure

from course.teaching.exercise import Exercise
from course.teaching.question import Prediction, Question
from course.teaching.words import with_unit

Value = float | str
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Readout = Mapping[str, tuple[float, str]]  # name -> (number, unit), in the order to be read


class Picture(Protocol):
    """A figure that is built once and then shows one data set after another.

    A new matplotlib figure costs several times what moving its artists costs, so a lab keeps one and moves them.
    """

    figure: Figure

    def show(self, data: Any, /) -> None:
        """Move the artists of `figure` to where `data` says."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One control of a lab.

    Attributes:
        name: keyword of the model.
        label: what the reader sees.
        unit: unit of the values, "" for words.
        values: what can be chosen, in order.
        default: one of `values`.
        every: the static page draws each `every`-th value, and the default.

    Raises:
        ValueError: no values, two that read the same, a default that is not among them, or `every` below 1.
    """

    name: str
    label: str
    unit: str
    values: tuple[Value, ...]
    default: Value
    every: int = 1

    def __post_init__(self) -> None:
        if self.default not in self.values:
            raise ValueError(
                f"parameter {self.name!r}: default {self.default!r} is not one of its {len(self.values)} values"
            )
        if twice := _twice(self.text(value) for value in self.values):
            raise ValueError(f"parameter {self.name!r}: two values read {twice!r}")
        if self.every < 1:
            raise ValueError(f"parameter {self.name!r}: every={self.every}, expected at least 1")

    @property
    def page_values(self) -> tuple[Value, ...]:
        """The values that the static page draws."""
        thinned = set(self.values[:: self.every]) | {self.default}
        return tuple(value for value in self.values if value in thinned)

    def text(self, value: Value) -> str:
        """A value as a reader reads it: `30 deg`."""
        return value if isinstance(value, str) else with_unit(f"{value:g}", self.unit)


@dataclass(frozen=True, kw_only=True, eq=False)
class Lab:
    """A lab, complete: what can be turned, what then happens, and how it is shown.

    Attributes:
        name: stable, in kebab case; names the files and the HTML element.
        title: one line.
        parameters: the controls.
        model: `model(**parameters) -> data`; pure, returns a frozen record.
        picture: builds the figure that shows such data.
        readout: `readout(data)`: the numbers to read, with units.
        alt: `alt(data)`: the picture in words, for those who do not see it.
        exercises, predictions, quiz: what the chapter asks about it.

    Raises:
        ValueError: a name that is not in kebab case, or two of its parameters, exercises or questions of one name.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    model: Callable[..., Any]
    picture: Callable[[], Picture]
    readout: Callable[[Any], Readout]
    alt: Callable[[Any], str]
    exercises: tuple[Exercise, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    quiz: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"lab {self.name!r}: expected a name in kebab case, as off-axis-depth")
        for names in (
            [parameter.name for parameter in self.parameters],
            [exercise.name for exercise in self.exercises],
            [prediction.name for prediction in self.predictions] + [q.name for q in self.quiz],
        ):
            if twice := _twice(names):
                raise ValueError(f"lab {self.name!r} names two things {twice!r}")

    @property
    def defaults(self) -> dict[str, Value]:
        """The parameters that a reader meets first."""
        return {parameter.name: parameter.default for parameter in self.parameters}

    def star(self) -> tuple[dict[str, Value], ...]:
        """Settings of the static page: the default, then one parameter moved at a time."""
        settings = [self.defaults]
        for parameter in self.parameters:
            settings += [
                self.defaults | {parameter.name: value}
                for value in parameter.page_values
                if value != parameter.default
            ]
        return tuple(settings)


def readout_text(readout: Readout) -> str:
    """The readout as one line of text: `range 2.000 m · depth 1.732 m`."""
    return " · ".join(f"{name} {value}" for name, value in readout_rows(readout))


def readout_rows(readout: Readout) -> list[tuple[str, str]]:
    """The readout as names and values with units, as they are read."""
    return [(name, with_unit(f"{number:.3f}", unit)) for name, (number, unit) in readout.items()]


def _twice(names: Iterable[str]) -> str:
    """A name that is given twice, "" if none is."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""
