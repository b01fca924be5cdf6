"""Questions with choices: quiz questions, whose right choice is known, and predictions, which a measurement settles.

Both are plain data here; `course.teaching.question_views` draws them for JupyterLab and for a page.
"""

import itertools
from dataclasses import dataclass
from math import isclose, isfinite

LETTERS = "abcdefghij"
GUESS_FORMAT = ".3f"  # how a predicted value is written


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One answer to a quiz question, with what to say to those who choose it."""

    text: str
    feedback: str
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """A quiz question with exactly one right choice.

    Raises:
        ValueError: fewer than two choices, more than ten, or not exactly one that is right.
    """

    name: str
    prompt: str
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        _check_number(self.name, self.choices)
        right = sum(choice.right for choice in self.choices)
        if right != 1:
            raise ValueError(
                f"question {self.name!r} has {right} right choices, expected exactly 1"
            )


@dataclass(frozen=True, kw_only=True)
class Guess:
    """One value that a reader may predict, with what the measurement then says to them."""

    value: float
    feedback: str


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """A guess that is committed before a run; the run's measurement decides which choice was right.

    Attributes:
        name: unique within the chapter.
        prompt: the question, with the set-up it needs.
        unit: unit of the values and of the tolerance.
        tolerance: how near a measurement must be to a choice's value to settle the question.
        choices: finite values more than two tolerances apart.

    Raises:
        ValueError: fewer than two choices, more than ten, or two that no measurement or no reader could tell apart.
    """

    name: str
    prompt: str
    unit: str
    tolerance: float
    choices: tuple[Guess, ...]

    def __post_init__(self) -> None:
        _check_number(self.name, self.choices)
        numbers = (self.tolerance, *(choice.value for choice in self.choices))
        if not all(map(isfinite, numbers)) or self.tolerance < 0:
            raise ValueError(
                f"prediction {self.name!r}: expected finite values and a tolerance >= 0, got {numbers}"
            )
        values = sorted(choice.value for choice in self.choices)
        for low, high in itertools.pairwise(values):
            if high - low <= 2 * self.tolerance:
                raise ValueError(
                    f"prediction {self.name!r}: {low} and {high} {self.unit} lie within "
                    f"twice the tolerance {self.tolerance} {self.unit}; no measurement could tell them apart"
                )
            if f"{low:{GUESS_FORMAT}}" == f"{high:{GUESS_FORMAT}}":
                raise ValueError(
                    f"prediction {self.name!r}: {low} and {high} {self.unit} read the same; choose a smaller unit"
                )

    def settled_by(self, measured: float) -> int:
        """Index of the choice that a measurement confirms.

        Raises:
            ValueError: no choice lies within the tolerance: the question was put wrongly.
        """
        for index, choice in enumerate(self.choices):
            if isclose(choice.value, measured, rel_tol=0, abs_tol=self.tolerance):
                return index
        values = ", ".join(f"{choice.value:g}" for choice in self.choices)
        raise ValueError(
            f"prediction {self.name!r}: measured {measured:.6g} {self.unit}, "
            f"which is none of the choices ({values} {self.unit}, tolerance {self.tolerance:g})"
        )


def letter(index: int) -> str:
    """`0 -> "a"`: how choices are called in text."""
    return LETTERS[index]


def _check_number(name: str, choices: tuple[object, ...]) -> None:
    if len(choices) < 2:
        raise ValueError(f"question {name!r} has {len(choices)} choices, expected at least 2")
    if len(choices) > len(LETTERS):
        raise ValueError(f"question {name!r} has {len(choices)} choices, expected at most 10")
