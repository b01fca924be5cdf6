"""Every exercise of every lab: the reference is right, each mistake has its own name, all answers get a verdict."""

import inspect
import pkgutil
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import course.query
import course.sensors
import course.world
import labs
from course.outline import find_root, read_outline
from course.teaching.cases import dump_cases, load_cases
from course.teaching.exercise import Exercise, Misconception
from course.teaching.guard import undisturbed
from course.teaching.judge import agree, answers_of, judge
from course.teaching.lab import Lab
from course.teaching.question import Prediction, Question
from course.teaching.sources import plain_source
from course.teaching.verdict import State
from course.teaching.words import with_unit

CHAPTERS = read_outline(find_root(Path(__file__))).chapters
LABS: list[Lab] = [import_module(f"labs.{name}").LAB for c in CHAPTERS for name in c.labs]
EXERCISES = [exercise for lab in LABS for exercise in lab.exercises]
MISTAKES = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.misconceptions]
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"), MISTAKES, ids=[f"{e.name}: {m.name}" for e, m in MISTAKES]
)


def test_no_exercise_and_no_question_is_written_and_then_forgotten() -> None:
    asked = {id(thing) for lab in LABS for thing in (*lab.exercises, *lab.predictions, *lab.quiz)}
    for module in pkgutil.iter_modules(labs.__path__):
        offered = vars(import_module(f"labs.{module.name}"))
        things = {
            name: thing
            for name, thing in offered.items()
            if isinstance(thing, Exercise | Question | Prediction)
        }
        assert [name for name, thing in things.items() if id(thing) not in asked] == [], module.name


def test_names_are_used_once_and_none_is_a_name_of_the_package() -> None:
    names = [exercise.name for exercise in EXERCISES]
    assert len(set(names)) == len(names)
    for package in (course.world, course.sensors, course.query):
        assert not set(names) & set(dir(package))


@each_exercise
def test_the_reference_is_right_for_any_seed(exercise: Exercise) -> None:
    for seed in range(20):
        assert judge(exercise, exercise.reference, seed=seed).state is State.RIGHT


@each_exercise
def test_cases_are_called_as_the_reference_calls_its_parameters(exercise: Exercise) -> None:
    parameters = list(inspect.signature(exercise.reference).parameters)
    for case in exercise.cases():
        assert list(case) == parameters


@each_exercise
def test_the_answer_that_is_shown_can_be_pasted_and_is_right(exercise: Exercise) -> None:
    notebook: dict[str, object] = {"np": np}
    exec(plain_source(exercise.reference, exercise.name), notebook)
    assert judge(exercise, notebook[exercise.name]).state is State.RIGHT


@each_exercise
def test_the_worked_example_is_read_in_full(exercise: Exercise) -> None:
    assert "an array of shape" not in str(judge(exercise, exercise.reference))


@each_exercise
def test_random_cases_have_more_than_one_answer(exercise: Exercise) -> None:
    cases = [case for seed in range(5) for case in exercise.cases(seed)[len(exercise.fixed) :]]
    answers = {np.asarray(answer).tobytes() for answer in answers_of(exercise.reference, cases)}
    assert len(answers) > 1


@each_mistake
def test_a_mistake_is_refused_by_its_own_name_for_any_seed(
    exercise: Exercise, mistake: Misconception
) -> None:
    for seed in range(20):
        verdict = judge(exercise, mistake.answer, seed=seed)
        assert (verdict.state, verdict.reason) == (State.WRONG, mistake.name)
        assert mistake.question in verdict.details


@each_exercise
def test_no_two_answers_of_an_exercise_look_alike(exercise: Exercise) -> None:
    cases = exercise.fixed  # without the random ones, so no seed can blur them
    with undisturbed():
        answers = {
            mistake.name: answers_of(mistake.answer, cases) for mistake in exercise.misconceptions
        }
        answers["reference"] = answers_of(exercise.reference, cases)
    for one, other in combinations(answers, 2):
        # ten tolerances apart, so that float32 in either does not blur them
        assert not agree(answers[one], answers[other], 10 * exercise.tolerance), (one, other)


@each_exercise
def test_at_least_five_misconceptions_are_known(exercise: Exercise) -> None:
    assert len(exercise.misconceptions) >= 5


# --- answers that misbehave ---------------------------------------------------------------------------------


@each_exercise
def test_a_stub_is_not_attempted(exercise: Exercise) -> None:
    def stub(*_arguments: object) -> None:
        raise NotImplementedError

    assert judge(exercise, stub).state is State.NOT_ATTEMPTED


def raises(*_arguments):
    return 1 / 0


def has_no_such_attribute(*_arguments):
    return iter(int, 1).__length_hint__()


def has_another_shape(*_arguments):
    return np.zeros((7, 7, 7))


def prints_and_returns_none(*_arguments):
    print("here I am")


def returns_text(*_arguments):
    return "1.732"


@each_exercise
@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (raises, State.ERROR, "ZeroDivisionError: division by zero"),
        (has_no_such_attribute, State.ERROR, "AttributeError"),
        (has_another_shape, State.WRONG, "received an array of shape (7, 7, 7)"),
        (prints_and_returns_none, State.WRONG, "| here I am"),
        (returns_text, State.WRONG, "received a str that is no array of real numbers"),
    ],
    ids=lambda thing: getattr(thing, "__name__", None),
)
def test_an_answer_that_misbehaves_gets_a_verdict(exercise, answer, state, words) -> None:
    verdict = judge(exercise, answer)
    assert verdict.state is state
    assert words in str(verdict)


@each_exercise
def test_nan_everywhere_is_told_as_nan(exercise: Exercise) -> None:
    def all_unknown(*arguments):
        return np.full(np.shape(exercise.reference(*arguments)), np.nan)

    verdict = judge(exercise, all_unknown)
    assert verdict.state is State.WRONG
    assert f"received {with_unit('nan', exercise.unit)}" in str(verdict)


@each_exercise
def test_an_endless_answer_is_stopped(exercise: Exercise) -> None:
    def endless(*_arguments):
        while True:
            pass

    verdict = judge(replace(exercise, seconds=0.1), endless)
    assert verdict.state is State.ERROR
    assert "still running after 0.1 s" in verdict.reason


@each_exercise
def test_an_answer_that_writes_into_its_arguments_harms_nothing(exercise: Exercise) -> None:
    def spoils(*arguments):
        answer = exercise.reference(*arguments)
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = 1
        return answer

    before = dump_cases(exercise.cases())
    assert judge(exercise, spoils).state is State.RIGHT
    assert dump_cases(exercise.cases()) == before


@each_exercise
def test_cases_survive_being_serialised(exercise: Exercise) -> None:
    again = load_cases(dump_cases(exercise.cases(seed=3)))
    for case, copy in zip(exercise.cases(seed=3), again, strict=True):
        assert list(case) == list(copy)
        for name in case:
            np.testing.assert_array_equal(case[name], copy[name])
