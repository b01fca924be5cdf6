"""The learner's progress: one file of events, one JSON object a line, written only inside a workspace.

`course lab` marks a workspace with a file. Where there is no mark at or above the current folder (a replay, a test,
the notebooks of the repository) nothing is recorded. One event is one `write` to a file opened for appending, so two
notebooks can record at the same time, and a line that a crash cut short is skipped when the file is read.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MARK = ".workspace.json"
FILE = ".progress.jsonl"


_switched_off = False


def switch_off() -> None:
    """Record nothing more in this process: a replay is not the learner."""
    global _switched_off
    _switched_off = True


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that the learner did: a prediction, a check or a quiz answer.

    Attributes:
        kind: "prediction", "check" or "quiz".
        chapter: its number.
        name: of the exercise or question.
        result: state of the verdict, or the chosen value.
        time: UTC, ISO 8601, seconds.
    """

    kind: str
    chapter: str
    name: str
    result: str
    time: str


def record(
    kind: str, *, chapter: str, name: str, result: str, start: Path | None = None
) -> Event | None:
    """Append an event to the progress file of the workspace around `start`; None where there is no workspace.

    Raises:
        OSError: the workspace cannot be written to.
    """
    if _switched_off or "PYTEST_CURRENT_TEST" in os.environ:  # nbval sets it for its kernels
        return None
    workspace = find_workspace(start or Path.cwd())
    if workspace is None:
        return None
    event = Event(
        kind=kind,
        chapter=chapter,
        name=name,
        result=result,
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    line = json.dumps(asdict(event)) + "\n"
    handle = os.open(workspace / FILE, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, (_end_of_a_cut_line(handle) + line).encode())
    finally:
        os.close(handle)
    return event


def read_events(workspace: Path) -> tuple[tuple[Event, ...], int]:
    """The events of a workspace, oldest first, and how many damaged lines were skipped."""
    path = workspace / FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    events = [_read(line) for line in text.split("\n") if line.strip()]
    good = tuple(event for event in events if event is not None)
    return good, len(events) - len(good)


def last_result(kind: str, *, chapter: str, name: str, start: Path | None = None) -> str | None:
    """The newest result of one thing in the workspace around `start`; None where there is none."""
    workspace = find_workspace(start or Path.cwd())
    events = read_events(workspace)[0] if workspace else ()
    wanted = (kind, chapter, name)
    results = [e.result for e in events if (e.kind, e.chapter, e.name) == wanted]
    return results[-1] if results else None


def find_workspace(start: Path) -> Path | None:
    """The nearest folder at or above `start` that `course lab` marked as a workspace."""
    here = start.absolute()
    return next((folder for folder in (here, *here.parents) if (folder / MARK).exists()), None)


def _end_of_a_cut_line(handle: int) -> str:
    """A line break if the file ends without one: the next event must not stand on the line that a crash cut short."""
    size = os.lseek(handle, 0, os.SEEK_END)
    if size == 0:
        return ""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return "" if os.read(handle, 1) == b"\n" else "\n"


def _read(line: str) -> Event | None:
    try:
        fields: Mapping[str, Any] = json.loads(line)
        event = Event(**fields)
    except (ValueError, TypeError, RecursionError):  # the last: thousands of opening brackets
        return None
    return event if all(isinstance(value, str) for value in asdict(event).values()) else None
