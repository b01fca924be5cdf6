"""The calls that a notebook makes: `start`, `check`, `hint`, `show_answer`, `predict`, `reconcile`, `quiz`, `report`.

They share one session per kernel, which `start` opens with the chapter's lab. Only `check` and `show_answer` call a
function of the learner's, and neither raises: an untouched copy of a chapter runs to its end.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from course.teaching import events
from course.teaching.bundle import LiveOrStatic
from course.teaching.exercise import Exercise
from course.teaching.guard import MESSAGE_CHARACTERS, call, undisturbed
from course.teaching.judge import arguments, case_text, judge, not_attempted, unread, value_text
from course.teaching.lab import Lab
from course.teaching.question import Prediction, Question
from course.teaching.question_views import (
    guess_text,
    prediction_html,
    question_html,
    reconciliation_html,
)
from course.teaching.question_views import (
    value_text as measured_text,
)
from course.teaching.question_widgets import prediction_widget, quiz_widget
from course.teaching.requirements import CURE, problems
from course.teaching.sources import broken_definition, plain_source
from course.teaching.verdict import Verdict, table
from course.teaching.words import one_line, with_unit

Named = TypeVar("Named", Exercise, Prediction, Question)


@dataclass(kw_only=True, eq=False)
class Session:
    """What one kernel knows of a chapter: its lab, the verdicts so far, the predictions committed."""

    chapter: str
    lab: Lab
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    committed: dict[str, int] = field(default_factory=dict)

    def exercise(self, name: str) -> Exercise:
        """The exercise of this name; a LookupError lists those there are."""
        return _named(name, self.lab.exercises, "exercise")

    def prediction(self, name: str) -> Prediction:
        """The prediction of this name; a LookupError lists those there are."""
        return _named(name, self.lab.predictions, "prediction")

    def commitment(self, prediction: Prediction) -> int | None:
        """The choice that was committed, in this kernel or, by the progress file, in an earlier one."""
        if prediction.name in self.committed:
            return self.committed[prediction.name]
        noted = events.last_result("prediction", chapter=self.chapter, name=prediction.name)
        texts = [guess_text(prediction, choice) for choice in prediction.choices]
        return texts.index(noted) if noted in texts else None

    def record(self, kind: str, name: str, result: str) -> None:
        """Note an event in the progress file of the workspace, if there is one; say so where that is impossible."""
        try:
            events.record(kind, chapter=self.chapter, name=name, result=result)
        except OSError as error:
            print(f"! not noted in your progress file: {error.strerror}")


_session: Session | None = None


def start(chapter: str, lab: Lab) -> None:
    """Open a chapter: check the environment and say in one line what to do if it is not right."""
    global _session
    _session = Session(chapter=chapter, lab=lab)
    found = problems()
    for problem in found:
        print(f"! {problem}")
    print(CURE if found else f"Chapter {chapter} is ready: {lab.title}.")


def check(name: str | Callable[..., Any]) -> None:
    """Judge the function of this name that the notebook defines, and print the verdict."""
    session = _open()
    exercise = session.exercise(_name_of(name))
    function = name if callable(name) else _caller_function(exercise.name)
    broken = broken_definition(_cells_so_far(), exercise.name)
    if broken:
        verdict = unread(exercise, broken)
    else:
        verdict = not_attempted(exercise) if function is None else judge(exercise, function)
    session.verdicts[exercise.name] = verdict
    session.record("check", exercise.name, verdict.summary)
    print(verdict)


def hint(name: str | Callable[..., Any], number: int = 1) -> None:
    """Print a hint; they go from a nudge to nearly the answer."""
    exercise = _open().exercise(_name_of(name))
    known = len(exercise.hints)
    if number not in range(1, known + 1):
        print(f"{exercise.name} has hints 1 to {known}, there is no hint {number!r}.")
        return
    print(f"Hint {number} of {known}: {exercise.hints[int(number) - 1]}")


def show_answer(name: str | Callable[..., Any]) -> None:
    """Print the reference solution, and what it and the learner's function say to the worked example."""
    exercise = _open().exercise(_name_of(name))
    function = name if callable(name) else _caller_function(exercise.name)
    example = exercise.fixed[0]
    print(plain_source(exercise.reference, exercise.name) + "\n")
    with undisturbed():
        answer = value_text(exercise.reference(*arguments(example)))
    print(case_text(exercise, example))
    print(f"  reference: {with_unit(answer, exercise.unit)}")
    if function is not None:
        outcome = call(function, arguments(example), seconds=exercise.seconds, read=value_text)
        value = one_line(outcome.value or "", limit=MESSAGE_CHARACTERS)
        print(f"  yours:     {outcome.error or with_unit(value, exercise.unit)}")


def predict(name: str) -> LiveOrStatic:
    """Show a prediction; the learner commits a choice before the next cell measures."""
    session = _open()
    prediction = session.prediction(name)

    def commit(index: int) -> None:
        session.committed[name] = index
        session.record("prediction", name, guess_text(prediction, prediction.choices[index]))

    return LiveOrStatic(
        html=prediction_html(prediction),
        text=prediction.prompt,
        widget=prediction_widget(prediction, commit),
    )


def reconcile(name: str, measured: float) -> LiveOrStatic:
    """Set the committed prediction beside what was measured.

    Raises:
        ValueError: the measurement confirms none of the choices.
    """
    session = _open()
    prediction = session.prediction(name)
    settled = prediction.choices[prediction.settled_by(measured)]
    index = session.commitment(prediction)
    found = f"Measured: {measured_text(prediction, measured)}."
    if index is None:
        text = f"{found} {settled.feedback}"
    else:
        mine = prediction.choices[index]
        text = f"{found} You predicted {guess_text(prediction, mine)}. {mine.feedback}"
    return LiveOrStatic(html=reconciliation_html(prediction, measured, committed=index), text=text)


def quiz(*names: str) -> LiveOrStatic:
    """Show questions of the chapter by name; without names, all of them."""
    session = _open()
    chosen = [_named(name, session.lab.quiz, "question") for name in names]
    questions = tuple(chosen) or session.lab.quiz

    def answered(name: str, text: str) -> None:
        session.record("quiz", name, text)

    return LiveOrStatic(
        html="".join(question_html(question) for question in questions),
        text="\n".join(question.prompt for question in questions),
        widget=quiz_widget(questions, answered),
    )


def report() -> None:
    """Print the state of every exercise, as `course check` does."""
    session = _open()
    verdicts = [
        session.verdicts.get(exercise.name, not_attempted(exercise))
        for exercise in session.lab.exercises
    ]
    print(table(f"Chapter {session.chapter}", verdicts))


def _open() -> Session:
    if _session is None:
        raise RuntimeError(
            "no chapter is open in this kernel: run the first cell, which calls start(...)"
        )
    return _session


def _name_of(name: str | Callable[..., Any]) -> str:
    return name if isinstance(name, str) else getattr(name, "__name__", repr(name))


def _named(name: str, things: tuple[Named, ...], kind: str) -> Named:
    for thing in things:
        if thing.name == name:
            return thing
    known = ", ".join(thing.name for thing in things) or "none"
    raise LookupError(f"this chapter has no {kind} {name!r}; it has {known}")


def _cells_so_far() -> list[str]:
    """What was run in this notebook, cell by cell, oldest first, also what failed; IPython keeps it as `In`."""
    cells = sys._getframe(2).f_globals.get("In")
    return [cell for cell in cells if isinstance(cell, str)] if isinstance(cells, list) else []


def _caller_function(name: str) -> Callable[..., Any] | None:
    """The function of this name in the notebook that made the call: two frames up, in the cell's globals."""
    found = sys._getframe(2).f_globals.get(name)
    return found if callable(found) else None
