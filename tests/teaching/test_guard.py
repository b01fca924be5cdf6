import dataclasses
import functools
import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from course.teaching.guard import MESSAGE_CHARACTERS, PRINTED_BYTES, call

pytestmark = pytest.mark.usefixtures("leaves_no_trace")

TOO_LATE = "still running after 0.1 s; is there a loop that never ends?"


def guarded(function, *arguments, seconds=0.1, **options):
    start = time.monotonic()
    outcome = call(function, arguments, seconds=seconds, **options)
    assert time.monotonic() - start < 5.0
    return outcome


# --- values and arguments -----------------------------------------------------------------------------------


def with_default(a, b=2):
    return a + b


class Adder:
    def __init__(self, a, b):
        self.sum = a + b

    def __call__(self, a, b):
        return a + b


@pytest.mark.parametrize(
    "function",
    [
        lambda left, right: left + right,
        with_default,
        functools.partial(lambda c, a, b: a + b + c, 0),
        Adder(0, 0),
        int.__add__,
        np.add,
    ],
)
def test_anything_that_can_be_called_is_called_by_position(function):
    assert guarded(function, 3, 4).value == 7


def test_what_is_read_from_a_value_is_the_outcome():
    assert guarded(lambda: [1, 2], read=len).value == 2


def test_something_that_cannot_be_called_is_an_error():
    assert guarded(3).error == "TypeError: 'int' object is not callable"


def test_a_wrong_number_of_arguments_is_an_error():
    assert guarded(with_default).error == (
        "TypeError: with_default() missing 1 required positional argument: 'a'"
    )


# --- never ending -------------------------------------------------------------------------------------------


def loop():
    while True:
        pass


def loop_that_catches():
    while True:
        try:  # noqa: SIM105
            loop()
        except:  # noqa: E722
            pass


def sleep():
    time.sleep(60)


def recursion_that_catches():
    try:
        return recursion_that_catches()
    except RecursionError:
        return recursion_that_catches()


def printing():
    while True:
        print("again and again")


def waiting_for_a_thread():
    threading.Event().wait()


def keeping_the_exception():
    try:
        loop()
    except BaseException:
        return 1.0


def raising_another():
    try:
        loop()
    except BaseException as error:
        raise ValueError("mine") from error


def switching_the_alarm_off():
    signal.alarm(0)
    loop()


@pytest.mark.parametrize(
    "function",
    [
        loop,
        loop_that_catches,
        sleep,
        recursion_that_catches,
        printing,
        waiting_for_a_thread,
        keeping_the_exception,
        raising_another,
        switching_the_alarm_off,
    ],
)
def test_what_never_ends_is_ended(function):
    outcome = guarded(function)
    assert outcome.error == TOO_LATE
    assert outcome.value is None
    assert not outcome.not_implemented


def test_a_builtin_that_never_ends_is_ended():
    assert guarded(time.sleep, 60).error == TOO_LATE


@pytest.mark.parametrize("function", [loop, printing, keeping_the_exception])
def test_what_never_ends_is_ended_on_another_thread_too(function):
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(guarded(function)))
    thread.start()
    thread.join(10)
    assert outcomes[0].error == TOO_LATE


def test_the_line_that_was_running_is_told():
    outcome = guarded(loop)
    assert outcome.source in {"while True:", "pass"}
    assert outcome.line > loop.__code__.co_firstlineno


def test_time_that_other_calls_spent_is_taken_off_but_the_whole_limit_is_told():
    start = time.monotonic()
    outcome = guarded(loop, seconds=20, spent=19.95)
    assert time.monotonic() - start < 5
    assert outcome.error == "still running after 20 s; is there a loop that never ends?"


def test_reading_the_value_is_limited_too():
    class Endless:
        def __array__(self, *_arguments, **_options):
            loop()

    assert guarded(Endless, read=np.asarray).error == TOO_LATE


def test_a_value_that_never_dies_dies_inside():
    def started_generator():
        def generator():
            try:
                yield 1
            finally:
                loop()

        started = generator()
        next(started)
        return started

    assert guarded(started_generator, read=lambda _value: 0).error == TOO_LATE


# --- errors -------------------------------------------------------------------------------------------------


class MuteError(Exception):
    def __str__(self):
        raise SystemExit("no text")


class EndlessError(Exception):
    def __str__(self):
        loop()


class NoTextError(Exception):
    def __str__(self):
        return 3


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (StopIteration(), "StopIteration"),
        (
            ValueError("two\n  lines: a - b\x1b[0m\ud800"),
            "ValueError: two lines: a - b\\x1b[0m\\ud800",
        ),
        (ExceptionGroup("several", [ValueError("a")]), "ExceptionGroup: several (1 sub-exception)"),
        (BaseExceptionGroup("all", [SystemExit()]), "BaseExceptionGroup: all (1 sub-exception)"),
        (MuteError(), "MuteError"),
        (EndlessError(), "EndlessError"),
        (NoTextError(), "NoTextError"),
        (type("Odd\nname", (Exception,), {})(), "Odd name"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_error_is_told_in_one_line(error, text):
    def fail():
        raise error

    outcome = guarded(fail)
    assert outcome.error == text
    assert outcome.source == "raise error"
    assert outcome.line == fail.__code__.co_firstlineno + 1
    assert not outcome.not_implemented


def test_a_long_message_is_cut_and_says_so():
    def fail():
        raise ValueError("x" * 10**6)

    assert guarded(fail).error == "ValueError: " + "x" * (MESSAGE_CHARACTERS - 12) + " …"


def test_recursion_without_end_is_an_error():
    def deeper(n):
        return deeper(n + 1)

    assert guarded(deeper, 0).error.startswith("RecursionError: maximum recursion depth exceeded")


def test_a_stub_is_not_implemented():
    def stub():
        raise NotImplementedError

    assert guarded(stub).not_implemented


def test_a_library_that_does_not_implement_something_is_no_stub():
    def uses_a_library():
        return os.PathLike.__fspath__(
            None
        )  # raises NotImplementedError inside the standard library

    outcome = guarded(uses_a_library)
    assert outcome.error == "NotImplementedError"
    assert not outcome.not_implemented


def test_the_line_is_the_learners_and_not_that_of_a_library():
    def wrong_shape():
        return np.linalg.inv(np.zeros((2, 3)))

    outcome = guarded(wrong_shape)
    assert outcome.error.startswith("LinAlgError: ")
    assert outcome.source == "return np.linalg.inv(np.zeros((2, 3)))"


def test_the_line_inside_a_cell_of_a_kernel_is_found(tmp_path):
    # A kernel names a cell like a file that does not exist, and gives linecache its source.
    name = str(tmp_path / "ipykernel_1" / "2.py")
    namespace = {}
    exec(compile("def f():\n    return 1 / 0\n", name, "exec"), namespace)
    assert guarded(namespace["f"]).line == 2


# --- printing -----------------------------------------------------------------------------------------------


def test_what_is_printed_is_kept_and_not_shown(capsys):
    def talk():
        print("one")
        print("two", file=sys.stderr)
        sys.stdout.buffer.write(b"\xff\n")
        print("\ud800")

    assert guarded(talk).printed == "one\ntwo\n\\xff\n\\ud800\n"
    assert capsys.readouterr() == ("", "")


def test_endless_printing_is_cut_and_says_so():
    printed = guarded(printing).printed
    assert len(printed) == PRINTED_BYTES + 1
    assert printed.endswith("…")


def test_closing_or_replacing_the_output_harms_nobody():
    def close():
        print("before")
        sys.stdout.close()
        sys.stdout = None
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
        sys.stderr.close()
        return 5

    outcome = guarded(close)
    assert (outcome.value, outcome.printed) == (5, "before\n")


def test_printing_to_a_closed_output_is_the_learners_error():
    def close():
        sys.stdout.close()
        print("after")

    assert guarded(close).error == "ValueError: I/O operation on closed file."


# --- the state of the process (the fixture looks at it) -----------------------------------------------------


def test_settings_that_are_changed_inside_are_put_back():
    def meddle():
        np.seterr(all="raise")
        np.set_printoptions(precision=1, sign="+")
        warnings.filterwarnings("ignore")
        warnings.simplefilter("error")
        sys.setrecursionlimit(5000)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.alarm(100)
        sys.unraisablehook = print
        return 1

    assert guarded(meddle).value == 1


def test_settings_are_put_back_after_an_error_and_after_the_time_is_up():
    def meddle_and_fail():
        np.seterr(all="raise")
        signal.alarm(100)
        raise ValueError

    def meddle_and_stay():
        np.seterr(all="raise")
        sys.setrecursionlimit(5000)
        loop()

    assert guarded(meddle_and_fail).error == "ValueError"
    assert guarded(meddle_and_stay).error == TOO_LATE


def test_warnings_are_silent():
    def warn():
        warnings.warn("look", stacklevel=1)
        return float(np.float64(1) / np.float64(0))

    with np.errstate(divide="warn"):
        assert guarded(warn).value == np.inf


def test_a_thread_that_was_started_inside_goes_on_without_harm():
    stop = threading.Event()
    threads = []

    def start():
        threads.append(threading.Thread(target=stop.wait))
        threads[0].start()
        return 2

    assert guarded(start).value == 2
    stop.set()
    threads[0].join()


@pytest.mark.parametrize(
    "name", ["<stdin>", "<string>", "<ipython-input-3-0123>", "/somewhere/ipykernel_1/2.py"]
)
def test_a_stub_is_a_stub_however_its_cell_is_called(name):
    namespace = {}
    exec(compile("def stub():\n    raise NotImplementedError\n", name, "exec"), namespace)
    assert guarded(namespace["stub"]).not_implemented


def test_generated_code_does_not_hide_the_line_that_called_it():
    @dataclasses.dataclass(frozen=True)
    class Point:
        x: float

    def move():
        Point(1.0).x = 2.0

    outcome = guarded(move)
    assert outcome.error == "FrozenInstanceError: cannot assign to field 'x'"
    assert outcome.source == "Point(1.0).x = 2.0"
