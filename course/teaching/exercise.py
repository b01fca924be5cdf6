"""An exercise: a function to write, a reference that answers it, and the mistakes we expect and can name.

A case is a mapping of keyword arguments. Cases come from a seed, so another class, or another process, can have
other numbers: `course.teaching.cases` writes them to JSON and back.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

Case = Mapping[str, Any]
Answer = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Misconception:
    """A wrong answer that has a name.

    Attributes:
        name: what was mistaken for what, as a phrase: "range returned as depth".
        answer: a function that makes exactly this mistake; same keywords as the reference.
        question: what to ask a learner who made it; it leads on and does not give the answer away.
    """

    name: str
    answer: Answer
    question: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Exercise:
    """A function that the learner writes, and all that is needed to judge it.

    Attributes:
        name: name of the function, unique in its chapter.
        title: one line for tables.
        reference: the right answer; its source is what `show_answer` shows.
        unit: unit of the answer.
        tolerance: largest accepted error, in `unit`; wide enough for float32.
        fixed: cases that are always asked, the worked example first.
        random_case: draws one more case.
        n_random: how many of those.
        misconceptions: wrong answers by name, told apart by the cases.
        hints: from a nudge to nearly the answer.
        seed: where the random cases start.
        seconds: time limit of one check.

    Raises:
        ValueError: a name that no function can have, no fixed case, fewer than three hints, two misconceptions of one
            name, a tolerance that is no number >= 0, or a time limit that is none.
    """

    name: str
    title: str
    reference: Answer
    unit: str
    tolerance: float
    fixed: tuple[Case, ...]
    random_case: Callable[[np.random.Generator], Case]
    n_random: int = 10
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, ...]
    seed: int = 0
    seconds: float = 2.0

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"exercise {self.name!r}: expected the name of a function")
        if not 0 <= self.tolerance < inf:
            raise ValueError(
                f"exercise {self.name!r} has the tolerance {self.tolerance} {self.unit}, expected a number >= 0"
            )
        if not 0 < self.seconds < inf:
            raise ValueError(
                f"exercise {self.name!r} has a time limit of {self.seconds} s, expected more than 0 s"
            )
        if not self.fixed:
            raise ValueError(
                f"exercise {self.name!r} has no fixed case: its worked example is the first"
            )
        if len(self.hints) < 3:
            raise ValueError(
                f"exercise {self.name!r} has {len(self.hints)} hints, expected at least 3"
            )
        names = [misconception.name for misconception in self.misconceptions]
        if len(set(names)) < len(names):
            raise ValueError(f"exercise {self.name!r} names a misconception twice: {names}")

    def cases(self, seed: int | None = None) -> tuple[Case, ...]:
        """The fixed cases, then the random ones of `seed` (default: the exercise's own)."""
        rng = np.random.default_rng(self.seed if seed is None else seed)
        return (*self.fixed, *(self.random_case(rng) for _ in range(self.n_random)))
