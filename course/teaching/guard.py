"""Calling code that is not ours: bounded in time and in output, and never raising.

What comes back is an `Outcome`: a value, or what went wrong and where in the learner's own lines.
"""

import contextlib
import ctypes
import io
import linecache
import signal
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

PRINTED_CHARACTERS = 2000
MESSAGE_CHARACTERS = 300


class TimeLimitReached(BaseException):
    """The time is up. A BaseException, so that `except Exception` in a learner's loop does not keep it."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a guarded call came to.

    Attributes:
        value: what it returned; None if it raised.
        error: what it raised, as one line; "" if it returned.
        line: number of the learner's line that was running then, 0 if unknown.
        source: that line's text.
        printed: what it printed, cut to a bounded length.
        not_implemented: it raised NotImplementedError, as an untouched stub does.
    """

    value: Any = None
    error: str = ""
    line: int = 0
    source: str = ""
    printed: str = ""
    not_implemented: bool = False


def call(function: Callable[..., Any], arguments: Sequence[Any], *, seconds: float) -> Outcome:
    """Call a learner's function; catch everything, silence warnings and keep what it prints."""
    printed = _BoundedText(PRINTED_CHARACTERS)
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            warnings.catch_warnings(),
            time_limit(seconds),
        ):
            warnings.simplefilter("ignore")
            value = function(*arguments)
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code as well
        line, source = _learner_line(error, function)
        return Outcome(
            error=_one_line(error, seconds),
            line=line,
            source=source,
            printed=printed.getvalue(),
            not_implemented=isinstance(error, NotImplementedError),
        )
    return Outcome(value=value, printed=printed.getvalue())


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitReached` in this thread when the time is up, and again every 50 ms until it is let through.

    It repeats because a bare `except:` inside a loop would swallow a single one. Code that stays inside one C call
    cannot be stopped this way.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if hasattr(signal, "setitimer") and in_main_thread:
        with _alarm(seconds):
            yield
    else:
        with _watcher(seconds):
            yield


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    armed = True

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if armed:
            raise TimeLimitReached

    outer_handler = signal.signal(signal.SIGALRM, ring)
    outer_timer = signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)
    try:  # two levels: the alarm may ring in the inner `finally`, and must not keep the outer from running
        try:
            yield
        finally:
            armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler)
        signal.setitimer(signal.ITIMER_REAL, *outer_timer)  # a limit around this one goes on


@contextlib.contextmanager
def _watcher(seconds: float) -> Iterator[None]:
    """The same where there is no alarm signal: Windows, or outside the main thread."""
    target = ctypes.c_ulong(threading.get_ident())
    done = threading.Event()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(target, ctypes.py_object(TimeLimitReached))
            wait = 0.05

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(target, None)  # one may still be on its way


class _BoundedText(io.StringIO):
    """Keeps the first characters that are written to it, so that an endless print cannot fill the memory."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._room = limit

    def write(self, text: str, /) -> int:
        kept = text[: self._room]
        self._room -= len(kept)
        super().write(kept)
        return len(text)


def _learner_line(error: BaseException, function: Callable[..., Any]) -> tuple[int, str]:
    """Number and text of the innermost line that the learner wrote; (0, "") if there is none."""
    code = getattr(function, "__code__", None)
    own = getattr(code, "co_filename", None)
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        in_a_cell = not name.startswith("<") and not Path(name).exists()  # cells are on no disk
        if name == own or in_a_cell:
            return number, linecache.getline(name, number).strip()
    return 0, ""


def _one_line(error: BaseException, seconds: float) -> str:
    if isinstance(error, TimeLimitReached):
        return f"still running after {seconds:g} s; is there a loop that never ends?"
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception class of the learner's may fail to describe itself
        text = ""
    if len(text) > MESSAGE_CHARACTERS:
        text = text[:MESSAGE_CHARACTERS] + " …"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
