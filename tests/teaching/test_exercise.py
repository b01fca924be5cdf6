import dataclasses

import numpy as np
import pytest

from course.teaching.exercise import Exercise, Misconception


def exercise(**changes) -> Exercise:
    settings = {
        "name": "half",
        "title": "Half",
        "reference": lambda length: length / 2,
        "unit": "m",
        "tolerance": 1e-5,
        "fixed": ({"length": 3.0},),
        "random_case": lambda rng: {"length": rng.uniform(1, 9)},
        "misconceptions": (),
        "hints": ("a", "b", "c"),
    }
    return Exercise(**settings | changes)


def wrong(name: str) -> Misconception:
    return Misconception(name=name, answer=lambda length: length, question="?")


def test_the_same_seed_gives_the_same_cases_and_another_seed_others():
    half = exercise(n_random=4)
    assert half.cases(5) == half.cases(5)
    assert half.cases(5) != half.cases(6)
    assert half.cases() == half.cases(half.seed)


def test_the_fixed_cases_come_first_and_then_as_many_random_ones_as_were_asked_for():
    half = exercise(n_random=4)
    assert half.cases()[:1] == half.fixed
    assert len(half.cases()) == 5
    assert len(exercise(n_random=0).cases()) == 1


def test_drawing_cases_leaves_the_global_generator_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - that is the one
    exercise().cases()
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "half of it"}, "exercise 'half of it': expected the name of a function"),
        ({"name": ""}, "exercise '': expected the name of a function"),
        ({"fixed": ()}, "exercise 'half' has no fixed case: its worked example is the first"),
        ({"hints": ("a", "b")}, "exercise 'half' has 2 hints, expected at least 3"),
        (
            {"misconceptions": (wrong("a"), wrong("b"), wrong("a"))},
            "exercise 'half' names a misconception twice: ['a', 'b', 'a']",
        ),
        ({"tolerance": -1.0}, "exercise 'half' has the tolerance -1.0 m, expected a number >= 0"),
        (
            {"tolerance": float("nan")},
            "exercise 'half' has the tolerance nan m, expected a number >= 0",
        ),
        (
            {"tolerance": float("inf")},
            "exercise 'half' has the tolerance inf m, expected a number >= 0",
        ),
        ({"seconds": 0}, "exercise 'half' has a time limit of 0 s, expected more than 0 s"),
        (
            {"seconds": float("inf")},
            "exercise 'half' has a time limit of inf s, expected more than 0 s",
        ),
    ],
)
def test_a_definition_that_cannot_be_judged_is_refused(changes, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared in full below
        exercise(**changes)
    assert str(caught.value) == text


def test_an_exercise_does_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        exercise().tolerance = 1.0
