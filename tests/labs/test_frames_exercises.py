"""The exercise of chapter 00: its reference against poses, its cases, and right answers in other styles."""

import numpy as np
import pytest

from course.teaching.judge import UNNAMED, judge
from course.world import pose
from labs.frames_exercises import CUP_IN_THE_CAMERA, POINT_IN_CAMERA, QUIZ, R_WC_LEVEL


def test_the_reference_is_the_inverse_pose() -> None:
    for case in POINT_IN_CAMERA.cases(seed=1):
        X_WC = pose(translation=case["p_WC"], rotation=case["R_WC"])
        p_C = POINT_IN_CAMERA.reference(**case)
        assert p_C.shape == case["p_W"].shape
        np.testing.assert_allclose(p_C, X_WC.inv().apply(case["p_W"]), rtol=0, atol=1e-12)
        np.testing.assert_allclose(X_WC.apply(p_C), case["p_W"], rtol=0, atol=1e-12)


def test_cases_are_proper_rotations_and_hold_one_point_and_several() -> None:
    for seed in range(20):
        cases = POINT_IN_CAMERA.cases(seed=seed)
        for case in cases:
            pose(translation=case["p_WC"], rotation=case["R_WC"])  # refuses what is no rotation
        assert {case["p_W"].shape for case in cases} == {(3,), (3, 3)}


def test_a_level_camera_has_x_right_y_down_and_z_forward() -> None:
    right, down, forward = R_WC_LEVEL.T
    np.testing.assert_array_equal(right, [0, -1, 0])
    np.testing.assert_array_equal(down, [0, 0, -1])
    np.testing.assert_array_equal(forward, [1, 0, 0])


def with_a_loop(p_W, R_WC, p_WC):
    points = [
        [sum(R_WC[i, j] * (p[i] - p_WC[i]) for i in range(3)) for j in range(3)]
        for p in np.atleast_2d(p_W)
    ]
    return points[0] if np.ndim(p_W) == 1 else points


def with_columns(p_W, R_WC, p_WC):
    return (R_WC.T @ (p_W - p_WC).T).T


def with_the_inverse(p_W, R_WC, p_WC):
    return np.linalg.solve(R_WC, (p_W - p_WC).T).T


def with_einsum_in_float32(p_W, R_WC, p_WC):
    moved = np.float32(p_W) - np.float32(p_WC)
    return np.einsum("ij,...i->...j", np.float32(R_WC), moved)


@pytest.mark.parametrize(
    "answer",
    [with_a_loop, with_columns, with_the_inverse, with_einsum_in_float32],
    ids=lambda answer: answer.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(answer) -> None:
    assert str(judge(POINT_IN_CAMERA, answer)) == str(
        judge(POINT_IN_CAMERA, POINT_IN_CAMERA.reference)
    )


def test_a_right_verdict_tells_the_worked_example() -> None:
    text = str(judge(POINT_IN_CAMERA, POINT_IN_CAMERA.reference))
    assert "p_W=[3. , 0. , 0.5]" in text
    assert text.endswith("= [0., 1., 3.] m")


def test_a_mistake_without_a_name_is_told_with_place_received_and_expected() -> None:
    def y_up(p_W, R_WC, p_WC):
        return POINT_IN_CAMERA.reference(p_W, R_WC, p_WC) * [1, -1, 1]

    text = str(judge(POINT_IN_CAMERA, y_up))
    assert text.startswith(f"point_in_camera: wrong - {UNNAMED}\n")
    assert "element [1]: received -1 m, expected 1 m (tolerance 1e-05 m)" in text


def test_the_prediction_is_settled_by_the_worked_example() -> None:
    _x, y, _z = POINT_IN_CAMERA.reference(**POINT_IN_CAMERA.fixed[0])
    assert CUP_IN_THE_CAMERA.choices[CUP_IN_THE_CAMERA.settled_by(y)].value == 1.0


def test_no_quiz_question_gives_its_answer_away_by_its_place() -> None:
    places = {[choice.right for choice in question.choices].index(True) for question in QUIZ}
    assert len(places) > 1
