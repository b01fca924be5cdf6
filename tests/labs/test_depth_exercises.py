"""Each exercise: the reference is right, each mistake has its own name, and style does not matter."""

from itertools import combinations
from math import cos

import numpy as np
import pytest

from course.teaching.cases import dump_cases, load_cases
from course.teaching.exercise import Exercise, Misconception
from course.teaching.judge import UNNAMED, agree, answers_of, judge
from course.teaching.verdict import State
from labs.depth_exercises import AXIAL_DEPTH, DEPTH_IMAGE

EXERCISES = (AXIAL_DEPTH, DEPTH_IMAGE)
MISTAKES = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.misconceptions]
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"), MISTAKES, ids=[f"{e.name}: {m.name}" for e, m in MISTAKES]
)


def stub(*_arguments: object) -> None:
    raise NotImplementedError


@each_exercise
def test_the_reference_is_right_for_any_seed(exercise: Exercise) -> None:
    for seed in range(20):
        assert judge(exercise, exercise.reference, seed=seed).state is State.RIGHT


@each_exercise
def test_a_stub_is_not_attempted(exercise: Exercise) -> None:
    assert judge(exercise, stub).state is State.NOT_ATTEMPTED


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
    cases = exercise.cases()
    answers = {
        mistake.name: answers_of(mistake.answer, cases) for mistake in exercise.misconceptions
    }
    answers["reference"] = answers_of(exercise.reference, cases)
    for one, other in combinations(answers, 2):
        # ten tolerances apart, so that float32 in either does not blur them
        assert not agree(answers[one], answers[other], 10 * exercise.tolerance), (one, other)


@each_exercise
def test_at_least_three_misconceptions_are_known(exercise: Exercise) -> None:
    assert len(exercise.misconceptions) >= 3


def in_lists(range_m, angle_rad):
    if np.ndim(range_m) == 0:
        return range_m * cos(angle_rad)
    return [r * cos(a) for r, a in zip(range_m, angle_rad, strict=True)]


def by_pythagoras(range_m, angle_rad):
    with np.errstate(invalid="ignore"):
        z = np.sqrt(range_m**2 - (range_m * np.sin(angle_rad)) ** 2)
    return np.where(np.isinf(range_m), np.inf, z)


def in_float32(range_m, angle_rad):
    return np.float32(range_m) * np.cos(np.float32(angle_rad))


def pixel_by_pixel(range_m, fx, fy, cx, cy):
    depth = []
    for v, row in enumerate(range_m.tolist()):
        depth.append([])
        for u, r in enumerate(row):
            ray = np.array([(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy, 1])
            depth[-1].append(r / float(np.linalg.norm(ray)))
    return depth


def with_a_mesh_grid(range_m, fx, fy, cx, cy):
    height, width = range_m.shape
    v, u = np.mgrid[:height, :width].astype(np.float32)
    rays = np.stack([(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy, np.ones_like(u)])
    return range_m * (rays / np.linalg.norm(rays, axis=0))[2]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (AXIAL_DEPTH, in_lists),
        (AXIAL_DEPTH, by_pythagoras),
        (AXIAL_DEPTH, in_float32),
        (DEPTH_IMAGE, pixel_by_pixel),
        (DEPTH_IMAGE, with_a_mesh_grid),
    ],
    ids=lambda thing: getattr(thing, "name", None) or thing.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise: Exercise, answer) -> None:
    assert str(judge(exercise, answer)) == str(judge(exercise, exercise.reference))


def test_a_mistake_without_a_name_is_told_with_place_received_and_expected() -> None:
    def ten_percent_off(range_m, angle_rad):
        return 0.9 * range_m * np.cos(angle_rad)

    text = str(judge(AXIAL_DEPTH, ten_percent_off))
    assert text.startswith(f"axial_depth: wrong - {UNNAMED}\n")
    assert "case 1: axial_depth(range_m=2, angle_rad=0.5236)" in text
    assert "value: received 1.55885 m, expected 1.73205 m (tolerance 1e-05 m)" in text


def test_a_wrong_pixel_is_told_by_its_place() -> None:
    def one_pixel_off(range_m, fx, fy, cx, cy):
        depth = DEPTH_IMAGE.reference(range_m, fx, fy, cx, cy)
        depth[1, 0] += 1.0
        return depth

    assert "element [1, 0]: received 2.77778 m, expected 1.77778 m" in str(
        judge(DEPTH_IMAGE, one_pixel_off)
    )


@each_exercise
@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (lambda *a: 1 / 0, State.ERROR, "ZeroDivisionError: division by zero"),
        (lambda *a: iter(int, 1).__length_hint__(), State.ERROR, "AttributeError"),
        (lambda *a: np.nan * np.asarray(a[0]), State.WRONG, "received nan m"),
        (lambda *a: np.zeros((7, 7, 7)), State.WRONG, "received an array of shape (7, 7, 7)"),
        (lambda *a: print("here I am"), State.WRONG, "| here I am"),
        (lambda *a: "1.732", State.WRONG, "received a str that is no array of real numbers"),
    ],
    ids=["raises", "attribute", "nan", "shape", "prints and returns None", "text"],
)
def test_an_answer_that_misbehaves_gets_a_verdict(exercise, answer, state, words) -> None:
    verdict = judge(exercise, answer)
    assert verdict.state is state
    assert words in str(verdict)


@each_exercise
def test_an_endless_answer_is_stopped(exercise: Exercise) -> None:
    def endless(*_arguments):
        while True:
            pass

    verdict = judge(exercise, endless)
    assert verdict.state is State.ERROR
    assert "still running after 2 s" in verdict.reason


@each_exercise
def test_cases_survive_being_serialised(exercise: Exercise) -> None:
    again = load_cases(dump_cases(exercise.cases(seed=3)))
    for case, copy in zip(exercise.cases(seed=3), again, strict=True):
        assert list(case) == list(copy)
        for name in case:
            np.testing.assert_array_equal(case[name], copy[name])
