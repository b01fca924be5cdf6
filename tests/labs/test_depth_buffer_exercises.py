"""Depth buffers: the reference and the mistakes agree with the course's own forms, and style does not matter."""

import numpy as np
import pytest

from course.sensors.ranges import ClippingRange
from course.sensors.zbuffer import ZBuffer, depth_from_zbuffer, zbuffer_step
from course.teaching.guard import undisturbed
from course.teaching.judge import judge
from course.teaching.verdict import State
from labs.depth_buffer_exercises import DEPTH_FROM_BUFFER, NEAR_PLANE_THAT_MOVES, REVERSED_BUFFER

MISTAKES = {mistake.name: mistake.answer for mistake in DEPTH_FROM_BUFFER.misconceptions}


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        (DEPTH_FROM_BUFFER.reference, ZBuffer.ZERO_TO_ONE),
        (MISTAKES["the formula for values from -1 to 1"], ZBuffer.MINUS_ONE_TO_ONE),
        (MISTAKES["a reversed buffer assumed"], ZBuffer.REVERSED),
    ],
)
def test_an_answer_is_that_of_its_form(answer, form):
    for case in DEPTH_FROM_BUFFER.cases(seed=2):
        clipping = ClippingRange(near=case["near"], far=case["far"])
        with undisturbed():
            received = answer(**case)
        np.testing.assert_allclose(
            received, depth_from_zbuffer(case["buffer"], clipping, form), rtol=1e-11
        )


def test_what_bullet_had_in_its_buffer():
    """pybullet 3.2.7, near 0.1 and far 10: a body at 0.8 m, a wall at 2 m, and nothing."""
    depth_m = DEPTH_FROM_BUFFER.reference(**DEPTH_FROM_BUFFER.fixed[0])
    np.testing.assert_allclose(depth_m, [0.8, 2.0, np.inf], rtol=0, atol=1e-5)


def test_planes_that_grow_with_the_scene_scale_every_depth():
    small, large = DEPTH_FROM_BUFFER.fixed[2:4]
    np.testing.assert_array_equal(small["buffer"], large["buffer"])
    np.testing.assert_allclose(
        3 * DEPTH_FROM_BUFFER.reference(**small), DEPTH_FROM_BUFFER.reference(**large), rtol=1e-13
    )
    assert [choice.text for choice in NEAR_PLANE_THAT_MOVES.choices if choice.right] == ["0.06 m"]


def test_the_numbers_of_the_question_on_the_reversed_buffer():
    stored, planes = np.array([0.0404040]), {"near": 0.1, "far": 10.0}
    assert DEPTH_FROM_BUFFER.reference(1 - stored, **planes) == pytest.approx(2.0, abs=1e-5)
    assert DEPTH_FROM_BUFFER.reference(stored, **planes) == pytest.approx(0.104, abs=5e-4)
    assert MISTAKES["linear in the buffer"](stored, **planes) == pytest.approx(0.5, abs=5e-4)
    step = zbuffer_step(2.0, ClippingRange(**planes), float32=True)
    assert 1e-6 < step < 9e-6  # "some micrometres"
    assert "0.104 m" in REVERSED_BUFFER.prompt


def through_the_inverse_of_z(buffer, near, far):
    depth_m = 1 / ((1 - buffer) / near + buffer / far)
    depth_m[buffer >= 1] = np.inf
    return depth_m


def through_clip_space(buffer, near, far):
    ndc = 2 * buffer - 1
    return np.where(ndc == 1, np.inf, 2 * near * far / (far + near - ndc * (far - near)))


def in_float32(buffer, near, far):
    b, n, f = np.float32(buffer), np.float32(near), np.float32(far)
    return np.where(b == 1, np.float32(np.inf), n * f / (f - b * (f - n)))


def number_by_number(buffer, near, far):
    flat = [
        float("inf") if b == 1 else near * far / (far - b * (far - near))
        for b in buffer.ravel().tolist()
    ]
    return np.reshape(flat, buffer.shape).tolist()


@pytest.mark.parametrize(
    "answer", [through_the_inverse_of_z, through_clip_space, in_float32, number_by_number]
)
def test_a_right_answer_in_another_style_gets_the_same_text(answer):
    right = str(judge(DEPTH_FROM_BUFFER, DEPTH_FROM_BUFFER.reference))
    for seed in range(20):
        assert str(judge(DEPTH_FROM_BUFFER, answer, seed=seed)) == right


@pytest.mark.parametrize("threshold", [0.99, 0.999, 0.9995])
def test_a_threshold_below_1_loses_a_wall_and_is_refused(threshold):
    """Every case once lay within 5 m, where no buffer comes near 1, and a threshold went through."""

    def nothing_beyond(buffer, near, far):
        return np.where(buffer > threshold, np.inf, DEPTH_FROM_BUFFER.reference(buffer, near, far))

    for seed in range(5):
        verdict = judge(DEPTH_FROM_BUFFER, nothing_beyond, seed=seed)
        assert verdict.state is State.WRONG
        if threshold > 0.99:  # below, it may lose more than the named one does
            assert verdict.reason == "a wall before the far plane taken for nothing"


def test_nearly_1_is_nearly_1():
    def nothing_at_1(buffer, near, far):
        return np.where(
            np.isclose(buffer, 1), np.inf, DEPTH_FROM_BUFFER.reference(buffer, near, far)
        )

    assert judge(DEPTH_FROM_BUFFER, nothing_at_1).state is State.RIGHT
