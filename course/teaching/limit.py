"""A time limit around code that is not ours: raised inside that code, again and again until it is let through.

On the main thread an alarm signal raises it, which also ends a sleep; elsewhere, and on Windows, a watching thread
does. Neither can end code that stays inside one C call. Both raise in the limited code only, never while a limit is
being entered or left: an exception there would leave the signal handler and the timer behind.
"""

import ctypes
import signal
import sys
import threading
from time import monotonic, sleep
from types import FrameType
from typing import Protocol, Self

REPEAT_SECONDS = 0.05
SHORTEST_REPEAT_SECONDS = (
    1e-5  # about what one ring costs: then nothing else runs but what lets it through
)
NET_SECONDS = 0.5


class TimeLimitReached(BaseException):
    """The time is up. A BaseException, so that `except Exception` in a learner's loop does not keep it."""


class TimeLimit(Protocol):
    """A limit as a context manager; `reached` tells of one that the code inside caught and kept."""

    @property
    def reached(self) -> bool:
        """Whether the time was up before the code inside had ended."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_error: object) -> None: ...


def time_limit(seconds: float) -> TimeLimit:
    """Raise `TimeLimitReached` in this thread when the time is up, and repeatedly from then on.

    It repeats because a bare `except:` inside a loop would swallow a single one. A limit around this one goes on.

    Raises:
        ValueError: seconds are not a positive number; 0 would switch the alarm off.
    """
    if not seconds > 0:
        raise ValueError(f"a time limit of {seconds} s; expected more than 0 s")
    in_main_thread = threading.current_thread() is threading.main_thread()
    return _Alarm(seconds) if hasattr(signal, "setitimer") and in_main_thread else _Watcher(seconds)


class _Watcher:
    """A thread that raises the exception in the thread that entered the limit."""

    def __init__(self, seconds: float) -> None:
        self.reached = False
        self._seconds = seconds
        self._target = threading.get_ident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()
        self._raise_in_target(None)  # one may still be on its way

    def _watch(self) -> None:
        wait = self._seconds
        while not self._done.wait(wait):
            wait = REPEAT_SECONDS
            # From here to the exception this thread keeps the interpreter's lock: the target does not move.
            if not _in_machinery(sys._current_frames().get(self._target)):
                self.reached = True
                self._raise_in_target(TimeLimitReached)

    def _raise_in_target(self, error: type[BaseException] | None) -> None:
        what = None if error is None else ctypes.py_object(error)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._target), what)


class _Alarm:
    """The alarm signal. The code inside might switch it off, so a watcher is stretched out below it, as a net."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._net = _Watcher(seconds + NET_SECONDS)
        self._rung = False
        self._repeat = REPEAT_SECONDS

    @property
    def reached(self) -> bool:
        return self._rung or self._net.reached

    def __enter__(self) -> Self:
        self._entered = monotonic()
        self._outer_left, self._outer_repeat = signal.getitimer(signal.ITIMER_REAL)
        self._outer_handler = signal.signal(signal.SIGALRM, self._ring)
        try:
            self._net.__enter__()
            signal.setitimer(signal.ITIMER_REAL, self._first_ring(), REPEAT_SECONDS)
        except BaseException:
            self._give_back()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._give_back()
        self._net.__exit__()

    def _first_ring(self) -> float:
        """Seconds from now. When a limit around this one is up first, this one ends early and lets it ring."""
        outer = getattr(self._outer_handler, "__self__", None)
        if isinstance(outer, _Alarm) and self._outer_left:
            return min(self._seconds, self._outer_left)
        return self._seconds

    def _ring(self, _signal: int, frame: FrameType | None) -> None:
        if _in_machinery(frame):
            return
        self._rung = True
        # A loop around `try: … except: pass` lets it through only between two rounds: ring faster and faster.
        self._repeat = max(self._repeat / 2, SHORTEST_REPEAT_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, self._repeat, self._repeat)
        raise TimeLimitReached

    def _give_back(self) -> None:
        """The alarm as it was, with the time that has passed taken off: the timer is one for the whole process."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._rung:
            sleep(
                0.002
            )  # the last ring may be on its way through another thread; it must find this handler
        signal.signal(signal.SIGALRM, self._outer_handler or signal.SIG_DFL)
        if self._outer_left:
            left = self._outer_left - (monotonic() - self._entered)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6), self._outer_repeat)


_MACHINERY = {
    method.__code__
    for method in (
        _Alarm.__enter__,
        _Alarm.__exit__,
        _Alarm._ring,
        _Watcher.__enter__,
        _Watcher.__exit__,
    )
}


def _in_machinery(frame: FrameType | None) -> bool:
    """Whether a thread that has come to this frame is entering, leaving or enforcing a limit."""
    while frame is not None:
        if frame.f_code in _MACHINERY:
            return True
        frame = frame.f_back
    return False
