import dataclasses
import functools
import signal
import sys
import threading
import time
import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.teaching.exercise import Exercise, Misconception
from course.teaching.judge import (
    NO_NUMBERS,
    UNNAMED,
    agree,
    answers_of,
    case_text,
    judge,
    not_attempted,
    right,
    value_text,
)
from course.teaching.verdict import State, Verdict

pytestmark = pytest.mark.usefixtures("leaves_no_trace")

HALF = Exercise(
    name="half",
    title="Half of a length",
    reference=lambda length: length / 2,
    unit="m",
    tolerance=1e-5,
    fixed=({"length": 3.0}, {"length": np.array([1.0, np.inf, -2.0])}),
    random_case=lambda rng: {"length": rng.uniform(1, 9, int(rng.integers(1, 4)))},
    n_random=3,
    misconceptions=(
        Misconception(
            name="doubled", answer=lambda length: length * 2, question="Which is longer?"
        ),
        Misconception(name="squared", answer=lambda length: length**2, question="Which unit?"),
        Misconception(name="left alone", answer=lambda length: length, question="Did you divide?"),
    ),
    hints=("Think.", "Divide.", "By two."),
    seconds=0.3,
)
RIGHT_TEXT = "half: right\n  5 cases within 1e-05 m, such as\n  half(length=3) = 1.5 m"


def judged(function, exercise=HALF, **options) -> Verdict:
    """The verdict, which came in time and whose text can be read back."""
    start = time.monotonic()
    verdict = judge(exercise, function, **options)
    assert time.monotonic() - start < 4.0
    assert Verdict.parse(str(verdict)) == verdict
    return verdict


# --- right answers ------------------------------------------------------------------------------------------


class Halver:
    def __call__(self, length):
        return length / 2


def mutating(length):
    if isinstance(length, np.ndarray):
        length /= 2
        return length
    return length / 2


KEPT = np.zeros(3)


def reusing_one_array(length):
    size = np.size(length)
    KEPT[:size] = np.divide(length, 2)
    return KEPT[:size] if np.ndim(length) else KEPT[0]


def noisy(length):
    print("working…\n" * 1000)
    sys.stdout.buffer.write(b"\xff\xfe")
    warnings.warn("careful", stacklevel=1)
    np.seterr(all="raise")
    signal.alarm(50)
    threading.Thread(target=int).start()
    return length / 2


@pytest.mark.parametrize(
    "answer",
    [
        lambda length: length / 2,
        lambda x, scale=0.5: x * scale,
        lambda length: np.float32(length) / np.float32(2),
        lambda length: np.asarray(length, dtype=np.longdouble) / 2,
        lambda length: (np.asarray(length) / 2).tolist(),
        lambda length: tuple(length / 2) if np.ndim(length) else np.array(length / 2),
        lambda *values: values[0] - values[0] / 2 if np.isfinite(values[0]).all() else values[0] / 2,
        functools.partial(np.multiply, 0.5),
        functools.partial(lambda factor, length: length * factor, 0.5),
        Halver(),
        mutating,
        reusing_one_array,
        noisy,
    ],
)  # fmt: skip
def test_the_text_of_a_right_verdict_is_the_same_for_any_style(answer):
    assert str(judged(answer)) == RIGHT_TEXT


def test_the_text_of_a_right_verdict_does_not_depend_on_the_seed():
    assert str(judged(HALF.reference, seed=7)) == RIGHT_TEXT


def test_the_text_of_a_right_verdict_does_not_depend_on_settings_of_the_notebook():
    array_first = dataclasses.replace(HALF, fixed=(HALF.fixed[1],))
    text = str(judge(array_first, HALF.reference))
    assert text.endswith("half(length=[ 1., inf, -2.]) = [ 0.5,  inf, -1. ] m")
    options = {"precision": 1, "sign": "+", "infstr": "∞", "threshold": 1, "suppress": True}
    with (
        np.printoptions(**options, linewidth=5, floatmode="fixed", formatter={"all": str}),
        np.errstate(all="raise"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        assert str(judge(array_first, HALF.reference)) == text


def test_a_count_is_right_without_a_unit():
    count = dataclasses.replace(HALF, unit="", tolerance=0, reference=np.size, n_random=0)
    assert (
        str(judged(np.size, count))
        == "half: right\n  2 cases within 0, such as\n  half(length=3) = 1"
    )


def test_our_own_arithmetic_does_not_mind_a_notebook_that_made_warnings_errors():
    tenfold = dataclasses.replace(
        HALF,
        reference=lambda length: np.multiply(length, 10),
        fixed=({"length": 1e308},),
        n_random=0,
    )
    with np.errstate(all="raise"):
        assert judged(lambda length: np.inf, tenfold).state is State.RIGHT
        assert judged(lambda length: -length, tenfold).reason == UNNAMED


# --- wrong answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", HALF.misconceptions, ids=lambda mistake: mistake.name)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_known_mistake_is_called_by_its_name_with_its_question(mistake, seed):
    verdict = judged(mistake.answer, seed=seed)
    assert (verdict.state, verdict.reason) == (State.WRONG, mistake.name)
    assert mistake.question in verdict.details


def test_the_mistakes_are_told_apart_pairwise_and_from_the_right_answer():
    cases = HALF.cases()
    answers = [HALF.reference, *(mistake.answer for mistake in HALF.misconceptions)]
    for one, other in combinations(answers, 2):
        assert not agree(answers_of(one, cases), answers_of(other, cases), HALF.tolerance)


def test_an_unknown_mistake_is_shown_by_place_received_and_expected():
    assert str(judged(lambda length: length / 2 + 1)).splitlines() == [
        f"half: wrong - {UNNAMED}",
        "  case 1: half(length=3)",
        "  value: received 2.5 m, expected 1.5 m (tolerance 1e-05 m)",
        '  Stuck? hint("half", 1), or show_answer("half").',
    ]


def test_the_first_case_that_differs_is_shown():
    verdict = judged(lambda length: np.where(np.isinf(length), 0, np.divide(length, 2)))
    assert verdict.details[0] == "case 2: half(length=[ 1., inf, -2.])"
    assert verdict.details[1] == ("element [1]: received 0 m, expected inf m (tolerance 1e-05 m)")


def test_a_mistake_that_is_only_made_sometimes_has_no_name():
    calls = []

    def doubled_once(length):
        calls.append(length)
        return length * 2 if len(calls) == 1 else length / 2

    assert judged(doubled_once).reason == UNNAMED


@pytest.mark.parametrize(
    "answer",
    [
        lambda length: np.nan * length,
        lambda length: np.zeros((2, 2)),
        lambda length: [length],
        lambda length: True,
        lambda length: -length,
    ],
)  # fmt: skip
def test_numbers_of_any_other_value_or_shape_are_wrong(answer):
    verdict = judged(answer)
    assert (verdict.state, verdict.reason) == (State.WRONG, UNNAMED)


class Floating:
    def __float__(self):
        raise ValueError


class NoArray:
    def __array__(self, *_arguments, **_options):
        raise ValueError("not\ntoday - or: tomorrow")


async def later(length):
    return length


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (lambda length: None, "None: is there a `return`?"),
        (lambda length: print(length), "None: is there a `return`?"),
        (lambda length: "1.5 m", "a str"),
        (lambda length: [1, [2, 3]], "a list"),
        (lambda length: 1j * length, "a complex"),
        (lambda length: np.array([length], dtype=object), "a ndarray"),
        (lambda length: np.ma.masked_equal(length, 3), "a masked array"),
        (lambda length: (yield length), "a generator"),
        (lambda length: Floating(), "a Floating"),
        (lambda length: [Floating()], "a list"),
        (lambda length: NoArray(), "a NoArray that is no array of numbers (not today - or: tomorrow)"),
        (lambda length: np.broadcast_to(1.0, (10**5, 10**5)), "an array of shape (100000, 100000)"),
        (later, "a coroutine"),
        (Floating.__class__("Answer", (), {"__init__": lambda self, length: None}), "a Answer"),
    ],
)  # fmt: skip
def test_what_is_no_array_of_numbers_is_wrong_and_said(answer, what):
    verdict = judged(answer)
    assert (verdict.state, verdict.reason) == (State.WRONG, NO_NUMBERS)
    assert verdict.details[1].startswith(f"received {what}")


# --- errors, stubs and what never ends ----------------------------------------------------------------------


def stub(length):
    raise NotImplementedError


def test_a_stub_is_not_attempted():
    assert judged(stub) == not_attempted(HALF)
    assert not_attempted(HALF).state is State.NOT_ATTEMPTED


def test_a_function_that_gives_up_later_is_an_error():
    def only_numbers(length):
        if np.ndim(length):
            raise NotImplementedError("arrays")
        return length / 2

    verdict = judged(only_numbers)
    assert verdict.state is State.ERROR
    assert verdict.reason.endswith("NotImplementedError: arrays")


def forgets_itself(length):
    return forgets_itself(length)


def loops(length):
    while True:
        pass


class NeverAnArray:
    def __array__(self, *_arguments, **_options):
        while True:
            pass


class ExitsAsArray:
    def __array__(self, *_arguments, **_options):
        raise SystemExit


class MuteError(Exception):
    def __str__(self):
        raise KeyboardInterrupt


def raises(error):
    def answer(length):
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda: 1, "takes 0 positional arguments but 1 was given"),
        (lambda a, b: 1, "missing 1 required positional argument: 'b'"),
        (lambda *, length: length, "takes 0 positional arguments but 1 was given"),
        (lambda length: length / [], "TypeError: unsupported operand"),
        (lambda length: 1 / 0, "ZeroDivisionError: division by zero"),
        (raises(SystemExit(1)), "SystemExit: 1"),
        (raises(KeyboardInterrupt()), "KeyboardInterrupt"),
        (raises(MuteError()), "MuteError"),
        (raises(ValueError("half: right\nhalf: right - really")), "ValueError: half: right half: right - really"),
        (raises(ExceptionGroup("both", [ValueError()])), "ExceptionGroup: both (1 sub-exception)"),
        (forgets_itself, "RecursionError: maximum recursion depth exceeded"),
        (loops, "still running after 0.3 s; is there a loop that never ends?"),
        (lambda length: time.sleep(60), "still running after 0.3 s; is there a loop that never ends?"),
        (lambda length: NeverAnArray(), "still running after 0.3 s; is there a loop that never ends?"),
        (lambda length: ExitsAsArray(), "SystemExit"),
    ],
)  # fmt: skip
def test_an_error_is_told_with_its_line_and_case(answer, reason):
    verdict = judged(answer)
    assert verdict.state is State.ERROR
    assert reason in verdict.reason
    assert "case 1: half(length=3)" in verdict.details
    assert ".py" not in verdict.reason  # no path


def test_the_line_of_an_error_is_the_learners():
    verdict = judged(raises(ValueError("so")))
    line = raises.__code__.co_firstlineno + 2
    assert verdict.reason == f"line {line}: ValueError: so"
    assert verdict.details[0] == "> raise error"


def test_all_cases_share_one_time_limit():
    start = time.monotonic()
    verdict = judged(lambda length: time.sleep(0.12) or length / 2)
    assert time.monotonic() - start < 1.0
    assert "still running after 0.3 s" in verdict.reason
    assert "case 3: half" in str(verdict)


def test_it_judges_on_another_thread_too(on_a_thread):
    assert str(on_a_thread(lambda: judge(HALF, HALF.reference))) == RIGHT_TEXT
    assert on_a_thread(lambda: judge(HALF, loops)).reason.endswith(
        "is there a loop that never ends?"
    )


def test_what_was_printed_is_shown_five_lines_of_it():
    def talks(length):
        print("\n".join(f"line {n}" for n in range(8)), "\x1b[2J")
        return 0

    shown = str(judged(talks)).splitlines()
    at = shown.index("  your code printed:")
    assert shown[at + 1 : at + 7] == [
        *(f"  | line {n}" for n in range(5)),
        "  … and 3 lines more",
    ]


@given(st.text(st.characters()))
def test_any_text_that_a_learner_raises_or_prints_leaves_the_verdict_readable(text):
    def answer(length):
        print(text)
        raise ValueError(text)

    verdict = judged(answer)
    assert verdict.state is State.ERROR
    assert verdict.exercise == "half"


# --- arguments ----------------------------------------------------------------------------------------------


def test_every_call_gets_its_own_arguments():
    def spoils(length):
        if isinstance(length, np.ndarray):
            length[:] = 0
        return 0

    judge(HALF, spoils)
    np.testing.assert_array_equal(HALF.fixed[1]["length"], [1.0, np.inf, -2.0])
    assert str(judge(HALF, HALF.reference)) == RIGHT_TEXT
    assert right(HALF) == judge(HALF, HALF.reference)


# --- words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (np.pi, "3.142"),
        (123456, "123456"),
        (np.int64(2**53 + 1), "9007199254740993"),
        (True, "True"),
        (np.False_, "False"),
        ("word", "'word'"),
        (None, "None"),
        (np.inf, "inf"),
        (np.array(2.5), "2.5"),
        (np.array([1.0, np.inf]), "[ 1., inf]"),
        (np.array([1, 2]), "[1, 2]"),
        ([1.0, 2.0], "[1., 2.]"),
        ([[1], [1, 2]], "[[1], [1, 2]]"),
        (np.zeros((2, 2)), "[[0., 0.], [0., 0.]]"),
        (np.zeros((0, 3)), "[]"),
        (np.eye(3), "[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]"),
        (np.zeros((10,)), "an array of shape (10,)"),
    ],
)
def test_a_value_in_words(value, text):
    assert value_text(value) == text


def test_a_case_in_words_is_the_call_that_it_stands_for():
    assert case_text(HALF, {"a": 1.5, "b": "x", "c": True}) == "half(a=1.5, b='x', c=True)"
