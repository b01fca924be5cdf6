"""`course check`: what a learner's copy of a chapter has solved, as a table or as JSON, and an exit code."""

from enum import IntEnum
from pathlib import Path
from typing import Any

from course.commands.notebooks import read_key
from course.outline import Outline
from course.teaching.replay import judge_copy
from course.teaching.verdict import State, Verdict


class ExitCode(IntEnum):
    """What `course check` returns to the shell."""

    ALL_RIGHT = 0
    SOME_WRONG = 1
    SOME_NOT_ATTEMPTED = 2  # and none wrong
    UNREADABLE = 3


def check_chapter(outline: Outline, number: str, copy: Path | None = None) -> list[Verdict]:
    """Judge a copy of a chapter, by default the one in `workspace/`.

    Raises:
        LookupError: no such chapter.
        UnreadableError: the copy is missing or no notebook.
    """
    chapter = outline.chapter(number)
    key = read_key(chapter)
    return judge_copy(copy or outline.workspace / chapter.notebook.name, key)


def exit_code(verdicts: list[Verdict]) -> ExitCode:
    """The exit code of a table; an error in the learner's code counts as wrong."""
    states = {verdict.state for verdict in verdicts}
    if states & {State.WRONG, State.ERROR}:
        return ExitCode.SOME_WRONG
    return ExitCode.SOME_NOT_ATTEMPTED if State.NOT_ATTEMPTED in states else ExitCode.ALL_RIGHT


def as_json(chapter: str, verdicts: list[Verdict]) -> dict[str, Any]:
    """The table as data."""
    return {
        "chapter": chapter,
        "exercises": [
            {
                "name": verdict.exercise,
                "state": str(verdict.state),
                "reason": verdict.reason,
                "details": list(verdict.details),
            }
            for verdict in verdicts
        ],
        "exit_code": int(exit_code(verdicts)),
    }
