"""Calling code that is not ours: bounded in time and in output, never raising, and leaving no trace in the process.

What comes back is an `Outcome`: a value, or what went wrong and where in the learner's own lines. All that may run the
learner's code happens inside: the call, reading the value, asking an error for its text, and the end of both.
"""

import builtins
import contextlib
import contextvars
import io
import linecache
import os
import signal
import site
import sys
import sysconfig
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, cast

import numpy as np

from course.teaching.limit import TimeLimitReached, time_limit
from course.teaching.words import one_line

__all__ = ["Outcome", "TimeLimitReached", "call", "time_limit", "undisturbed"]

PRINTED_BYTES = 2000
MESSAGE_CHARACTERS = 300
SHORTEST_SECONDS = 0.01  # for a case that is reached when the time is nearly up
DESCRIBING_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a guarded call came to.

    Attributes:
        value: what it returned, as it was read; None if it raised.
        error: what it raised, as one line; "" if it returned.
        line: number of the learner's line that was running then, 0 if unknown.
        source: that line's text.
        printed: what it printed, cut to a bounded length; then it ends in an ellipsis.
        not_implemented: it raised NotImplementedError itself, as an untouched stub does.
    """

    value: Any = None
    error: str = ""
    line: int = 0
    source: str = ""
    printed: str = ""
    not_implemented: bool = False


def call(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    *,
    seconds: float,
    spent: float = 0.0,
    read: Callable[[Any], Any] | None = None,
) -> Outcome:
    """Call a learner's function; catch everything, silence warnings and keep what it prints.

    Args:
        function: anything that can be called.
        arguments: passed by position.
        seconds: time limit of this call and of those that belong to it.
        spent: how much of it those have used, in seconds.
        read: turns the returned object into the outcome's value; it may run the object's own methods.
    """
    printed = _Printed()
    limit = time_limit(max(seconds - spent, SHORTEST_SECONDS))
    caught: list[BaseException] = []
    value = None
    with _left_as_found(printed.stream()):
        try:
            with limit:
                value = contextvars.copy_context().run(_enter, function, arguments, read)
        except BaseException as error:  # the learner's SystemExit and KeyboardInterrupt as well
            caught.append(error)
        outcome = Outcome(value=value)
        if limit.reached:  # even if the function kept the exception and returned something
            outcome = _described(caught, too_late=seconds)
        elif caught:
            outcome = _described(caught)
    return replace(outcome, printed=printed.text())


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """For our own arithmetic: a notebook may have told NumPy to raise, or warnings to be errors."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _enter(
    function: Callable[..., Any], arguments: Sequence[Any], read: Callable[[Any], Any] | None
) -> Any:
    # The returned object dies here when it has been read: its __del__ is the learner's code too.
    return function(*arguments) if read is None else read(function(*arguments))


# --- the process, left as it was found ----------------------------------------------------------------------


@contextlib.contextmanager
def _left_as_found(stream: io.TextIOBase) -> Iterator[None]:
    """Standard streams, warnings, signal handlers and the recursion limit; what a `__del__` raises is not reported.

    The error state and print options of NumPy are context variables: the copied context of the call keeps them.
    """
    recursion_limit, unraisable = sys.getrecursionlimit(), sys.unraisablehook
    with (
        contextlib.redirect_stdout(stream),
        contextlib.redirect_stderr(stream),
        warnings.catch_warnings(),
        _kept_signal_handlers(),
        _no_input(),
    ):
        warnings.simplefilter("ignore")
        sys.unraisablehook = lambda _ignored: None
        try:
            yield
        finally:
            sys.unraisablehook = unraisable
            sys.setrecursionlimit(recursion_limit)


@contextlib.contextmanager
def _no_input() -> Iterator[None]:
    """`input()` would wait for someone to type, and block every later cell."""

    def refuse(_prompt: object = "") -> str:
        raise RuntimeError("input() was called: an answer takes all it needs as arguments")

    kept, builtins.input = builtins.input, refuse
    try:
        yield
    finally:
        builtins.input = kept


@contextlib.contextmanager
def _kept_signal_handlers() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # others cannot change them
        yield
        return
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) != handler:
                signal.signal(number, handler)


class _Printed(io.BufferedIOBase):
    """Keeps the first bytes that are written to it, so that an endless print cannot fill the memory."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = bytearray()
        self._cut = False

    def stream(self) -> io.TextIOBase:
        """A text stream like `sys.stdout`, with a `buffer` for bytes."""
        return io.TextIOWrapper(
            cast(BinaryIO, self), "utf-8", "backslashreplace", newline="", write_through=True
        )

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        written = memoryview(data).cast("B")
        room = PRINTED_BYTES - len(self._kept)
        self._kept += written[:room]
        self._cut |= len(written) > room
        return len(written)

    def text(self) -> str:
        """What was written, also after the stream was closed."""
        return self._kept.decode("utf-8", "backslashreplace") + ("…" if self._cut else "")


# --- an error, described ------------------------------------------------------------------------------------


def _described(caught: list[BaseException], *, too_late: float | None = None) -> Outcome:
    """An error as an outcome. It is taken out of the list, so that it ends here and within a time limit."""
    line, source, text, own = 0, "", "an error that cannot describe itself", False
    try:
        with time_limit(DESCRIBING_SECONDS):
            if caught:
                error = caught.pop()
                frames = list(traceback.walk_tb(error.__traceback__))
                line, source = _learner_line(frames)
                own = issubclass(type(error), NotImplementedError) and not _in_a_library(
                    frames[-1][0]
                )
                text = type(error).__name__
                message = " ".join(str(error)[: 10 * MESSAGE_CHARACTERS].split())
                text = f"{text}: {message}" if message else text
                del error, frames
    except BaseException:  # an error class of the learner's may raise, or never end, when asked
        caught.clear()
    if too_late is not None:
        text = f"still running after {too_late:g} s; is there a loop that never ends?"
    return Outcome(
        error=one_line(text, limit=MESSAGE_CHARACTERS),
        line=line,
        source=source,
        not_implemented=own and too_late is None,
    )


def _learner_line(frames: list[tuple[FrameType, int]]) -> tuple[int, str]:
    """Number and text of the innermost line that the learner wrote; (0, "") if there is none."""
    for frame, number in reversed(frames):
        if not _in_a_library(frame) and not _generated(frame):
            source = linecache.getline(frame.f_code.co_filename, number)
            return number, one_line(source.strip(), limit=MESSAGE_CHARACTERS)
    return 0, ""


def _generated(frame: FrameType) -> bool:
    """Whether this code has no text that anyone wrote, as the methods of a dataclass. Cells have one."""
    name = frame.f_code.co_filename
    return name.startswith("<") and not name.startswith("<ipython-input")


def _in_a_library(frame: FrameType) -> bool:
    """Whether this code belongs to Python, to an installed package or to the course; cells and other files do not."""
    name = frame.f_code.co_filename
    compiled = not name.startswith("<") and not Path(name).is_absolute()  # Cython: "numpy/random/…"
    return compiled or name.startswith(_LIBRARIES)


_LIBRARIES = (
    "<frozen ",
    *(
        f"{folder}{os.sep}"
        for folder in (
            *(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")),
            site.getusersitepackages(),
            Path(__file__).resolve().parents[1],
        )
    ),
)
