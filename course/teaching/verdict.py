"""What a check says: one of four states, in a text whose first line can be read back.

The text of a right verdict is a constant of the exercise, so a replay can compare it with the stored one whatever
style the answer was written in.
"""

from dataclasses import dataclass
from enum import StrEnum

from course.teaching.words import one_line


class State(StrEnum):
    """How far an exercise is."""

    RIGHT = "right"
    WRONG = "wrong"
    ERROR = "error in your code"
    NOT_ATTEMPTED = "not attempted"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The judgement of one exercise.

    Attributes:
        exercise: its name.
        state: one of four.
        reason: one phrase: the name of the misconception, or the error; "" if there is none to give.
        details: further lines, for a person.

    Reason and details are made printable lines, as they may quote what a learner's code said: `parse` reads back what
    `str` wrote.
    """

    exercise: str
    state: State
    reason: str = ""
    details: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", one_line(self.reason))
        object.__setattr__(self, "details", tuple(map(one_line, self.details)))

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"  {line}" for line in self.details)])

    @property
    def headline(self) -> str:
        """The first line of the text: `name: state - reason`."""
        return f"{self.exercise}: {self.summary}"

    @property
    def summary(self) -> str:
        """State and reason, as tables show them."""
        return f"{self.state} - {self.reason}" if self.reason else str(self.state)

    @classmethod
    def parse(cls, text: str) -> "Verdict | None":
        """The verdict that a text begins with, or None if it does not begin with one."""
        headline, *details = text.strip("\n").split("\n")
        exercise, _, summary = headline.partition(": ")
        state, _, reason = summary.partition(" - ")
        if not exercise.isidentifier() or state not in set(State):
            return None
        return cls(
            exercise=exercise,
            state=State(state),
            reason=reason,
            details=tuple(line.removeprefix("  ") for line in details),
        )


def table(title: str, verdicts: list[Verdict]) -> str:
    """Verdicts as the table that `report()` and `course check` print."""
    width = max((len(verdict.exercise) for verdict in verdicts), default=0)
    rows = [f"  {verdict.exercise:<{width}}  {verdict.summary}" for verdict in verdicts]
    counts = ", ".join(
        f"{sum(verdict.state is state for verdict in verdicts)} {state}" for state in State
    )
    return "\n".join([title, *rows, f"  {counts}"])
