"""Judging an answer: run it on every case, compare it with the oracle, and put a name to what went wrong."""

import copy
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.compare import NotNumbers, as_numbers, mismatch, shape_text
from course.teaching.exercise import Answer, Case, Exercise, Misconception
from course.teaching.guard import Outcome, call, undisturbed
from course.teaching.verdict import State, Verdict
from course.teaching.words import with_unit

Numbers = NDArray[np.float64]
NO_NUMBERS = "the answer is not made of numbers"
UNNAMED = "not a mistake that this exercise knows by name"
PRINT_OPTIONS: dict[str, Any] = {  # all of them: the notebook may have set its own
    "precision": 4,
    "floatmode": "maxprec",
    "suppress": False,
    "sign": "-",
    "nanstr": "nan",
    "infstr": "inf",
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 75,
    "formatter": None,
    "legacy": False,
}


def judge(exercise: Exercise, function: Callable[..., Any], *, seed: int | None = None) -> Verdict:
    """Judge a function against an exercise. Never raises, whatever the function does.

    Args:
        exercise: what was asked.
        function: the learner's answer; called once for each case, with fresh copies of its arguments.
        seed: other random cases than the exercise's own.
    """
    with undisturbed():
        return _judge(exercise, function, exercise.cases(seed))


def not_attempted(exercise: Exercise) -> Verdict:
    """The verdict of an untouched stub, or of a function that does not exist."""
    return Verdict(
        exercise=exercise.name,
        state=State.NOT_ATTEMPTED,
        details=(f"Write it in the cell above, run that cell, then this one. {_help(exercise)}",),
    )


def unread(exercise: Exercise, reason: str) -> Verdict:
    """The verdict of a cell that Python could not read, so that there is nothing new to judge."""
    return Verdict(
        exercise=exercise.name,
        state=State.ERROR,
        reason=reason,
        details=("The cell that defines it did not run. Mend it, run it, then this one.",),
    )


def right(exercise: Exercise) -> Verdict:
    """The verdict of a right answer: a constant of the exercise."""
    example = exercise.fixed[0]
    answer = as_numbers(exercise.reference(*arguments(example)))
    tolerance = with_unit(f"{exercise.tolerance:g}", exercise.unit)
    return Verdict(
        exercise=exercise.name,
        state=State.RIGHT,
        details=(
            f"{len(exercise.cases())} cases within {tolerance}, such as",
            f"{case_text(exercise, example)} = {with_unit(value_text(answer), exercise.unit)}",
        ),
    )


def answers_of(answer: Answer, cases: tuple[Case, ...]) -> list[Numbers]:
    """What one of our own functions, the reference or a misconception, answers to each case."""
    return [as_numbers(answer(*arguments(case))) for case in cases]


def arguments(case: Case) -> list[Any]:
    """Fresh copies of a case's values, to be passed by position: a learner may name parameters as they like."""
    return copy.deepcopy(list(case.values()))


def agree(some: list[Numbers], others: list[Numbers], tolerance: float) -> bool:
    """Whether two lists of answers are the same within a tolerance."""
    return all(mismatch(a, b, tolerance) is None for a, b in zip(some, others, strict=True))


def value_text(value: Any) -> str:
    """A value as a reader reads it: numbers and small arrays in full, large arrays by their shape."""
    try:
        numbers = np.asarray(value)
    except ValueError:  # a ragged list
        return repr(value)
    if numbers.dtype.kind not in "fiub":
        return repr(value)
    if numbers.ndim == 0:
        return f"{numbers:.4g}" if numbers.dtype.kind == "f" else str(numbers)
    if numbers.size > 9:  # the largest is a rotation, (3, 3)
        return shape_text(numbers.shape)
    with np.printoptions(**PRINT_OPTIONS):
        return np.array2string(numbers, separator=", ").replace("\n", "")


def case_text(exercise: Exercise, case: Case) -> str:
    """A case as the call that it stands for."""
    arguments = ", ".join(f"{name}={value_text(value)}" for name, value in case.items())
    return f"{exercise.name}({arguments})"


def _judge(exercise: Exercise, function: Callable[..., Any], cases: tuple[Case, ...]) -> Verdict:
    started = perf_counter()
    answers: list[Numbers] = []
    for number, case in enumerate(cases, start=1):
        spent = perf_counter() - started
        outcome = call(
            function, arguments(case), seconds=exercise.seconds, spent=spent, read=_read_numbers
        )
        if outcome.not_implemented and number == 1:
            return not_attempted(exercise)
        if outcome.error:
            return _error(exercise, number, case, outcome)
        if isinstance(outcome.value, str):
            return _wrong(exercise, NO_NUMBERS, number, case, f"received {outcome.value}", outcome)
        answers.append(outcome.value)
    return _compare(exercise, cases, answers, outcome)


def _read_numbers(answer: Any) -> Numbers | str:
    """An answer as numbers, or what it is instead."""
    try:
        return as_numbers(answer)
    except NotNumbers as reason:
        return str(reason)


def _compare(
    exercise: Exercise, cases: tuple[Case, ...], answers: list[Numbers], last: Outcome
) -> Verdict:
    expected = answers_of(exercise.reference, cases)
    for number, (case, received, right_one) in enumerate(
        zip(cases, answers, expected, strict=True), 1
    ):
        differs = mismatch(received, right_one, exercise.tolerance, unit=exercise.unit)
        if differs is None:
            continue
        where = f"{differs.place}: received {differs.received}, expected {differs.expected}"
        known = _recognise(exercise, cases, answers)
        if known is None:
            return _wrong(exercise, UNNAMED, number, case, where, last)
        return _wrong(exercise, known.name, number, case, where, last, question=known.question)
    return right(exercise)


def _recognise(
    exercise: Exercise, cases: tuple[Case, ...], answers: list[Numbers]
) -> Misconception | None:
    """The misconception whose answers these are, in every case."""
    for misconception in exercise.misconceptions:
        try:
            mistaken = answers_of(misconception.answer, cases)
        except (
            Exception
        ):  # whoever makes this mistake gets an error in one of the cases, and not these answers
            continue
        if agree(answers, mistaken, exercise.tolerance):
            return misconception
    return None


def _wrong(
    exercise: Exercise,
    reason: str,
    number: int,
    case: Case,
    where: str,
    outcome: Outcome,
    *,
    question: str = "",
) -> Verdict:
    return Verdict(
        exercise=exercise.name,
        state=State.WRONG,
        reason=reason,
        details=(
            f"case {number}: {case_text(exercise, case)}",
            where,
            *([question] if question else []),
            *_printed(outcome),
            _help(exercise),
        ),
    )


def _error(exercise: Exercise, number: int, case: Case, outcome: Outcome) -> Verdict:
    place = f"line {outcome.line}: " if outcome.line else ""
    return Verdict(
        exercise=exercise.name,
        state=State.ERROR,
        reason=f"{place}{outcome.error}",
        details=(
            *([f"> {outcome.source}"] if outcome.source else []),
            f"case {number}: {case_text(exercise, case)}",
            *_printed(outcome),
            _help(exercise),
        ),
    )


def _printed(outcome: Outcome) -> list[str]:
    lines = outcome.printed.splitlines()
    if not lines:
        return []
    more = [f"… and {len(lines) - 5} lines more"] if len(lines) > 5 else []
    return ["your code printed:", *(f"| {line}" for line in lines[:5]), *more]


def _help(exercise: Exercise) -> str:
    return f'Stuck? hint("{exercise.name}", 1), or show_answer("{exercise.name}").'
