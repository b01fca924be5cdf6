"""Exercise, prediction and question on two ranges: what is drawn (near to far), and what is measured.

A surface nearer than the near plane is not drawn and hides nothing. A surface that is drawn, but is nearer than the
minimum, hides what is behind it and reads 0: too close. What lies beyond the maximum reads inf, and so does nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Guess, Prediction, Question

Array = NDArray[np.float64]


def _camera_reading(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    drawn = (surfaces_m >= near) & (surfaces_m <= far)
    nearest = np.min(np.where(drawn, surfaces_m, np.inf), axis=1)
    nearest[nearest > maximum] = np.inf
    nearest[nearest < minimum] = 0.0
    return nearest


def _nearest_drawn(surfaces_m: Array, near: float, far: float) -> Any:
    """(N,) what each pixel shows, inf where nothing is drawn: all of it is in the range."""
    return _camera_reading(surfaces_m, near, far, near, far)


def _minimum_clips(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    return _camera_reading(surfaces_m, max(near, minimum), far, minimum, maximum)


def _near_ignored(
    surfaces_m: Array,
    near: float,  # noqa: ARG001 - that is the mistake
    far: float,
    minimum: float,
    maximum: float,
) -> Any:
    return _camera_reading(surfaces_m, 0.0, far, minimum, maximum)


def _nearest_then_clipped(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    nearest = surfaces_m.min(axis=1, keepdims=True)
    return _camera_reading(nearest, near, far, minimum, maximum)


def _ends_reported(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    return np.clip(_nearest_drawn(surfaces_m, near, far), minimum, maximum)


def _minimum_reported(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Array:
    reading = _camera_reading(surfaces_m, near, far, minimum, maximum)
    return np.where(reading == 0, minimum, reading)


def _maximum_reported(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    return np.minimum(_camera_reading(surfaces_m, near, far, minimum, maximum), maximum)


def _nothing_is_zero(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Array:
    reading = _camera_reading(surfaces_m, near, far, minimum, maximum)
    return np.where(np.isinf(reading), 0.0, reading)


def _too_close_is_inf(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Array:
    reading = _camera_reading(surfaces_m, near, far, minimum, maximum)
    return np.where(reading == 0, np.inf, reading)


def _range_ignored(
    surfaces_m: Array,
    near: float,
    far: float,
    minimum: float,  # noqa: ARG001 - that is the mistake
    maximum: float,  # noqa: ARG001 - that is the mistake
) -> Any:
    return _nearest_drawn(surfaces_m, near, far)


def _first_is_nearest(
    surfaces_m: Array, near: float, far: float, minimum: float, maximum: float
) -> Any:
    return _camera_reading(surfaces_m[:, :1], near, far, minimum, maximum)


def _random_pixels(rng: np.random.Generator) -> Case:
    near, minimum = float(rng.uniform(0.02, 0.1)), float(rng.uniform(0.3, 0.6))
    maximum, far = float(rng.uniform(3.0, 5.0)), float(rng.uniform(8.0, 10.0))
    # Clear of the planes and of both ends of the range: there, engines differ.
    bands = ((0.001, 0.01), (0.15, 0.25), (0.7, 2.5), (5.5, 7.5), (11.0, 20.0), (np.inf, np.inf))
    chosen = rng.integers(len(bands), size=(int(rng.integers(4, 9)), 3))
    low, high = np.moveaxis(np.array(bands)[chosen], -1, 0)
    share = rng.uniform(size=chosen.shape)
    surfaces_m = np.where(np.isinf(low), np.inf, (1 - share) * low + share * high)
    return {
        "surfaces_m": surfaces_m,
        "near": near,
        "far": far,
        "minimum": minimum,
        "maximum": maximum,
    }


_PLATE_AND_WALL = np.array([[2.0, 0.05], [np.inf, 2.0], [np.inf, np.inf]])

CAMERA_READING = Exercise(
    name="camera_reading",
    title="What a depth camera reports of what stands before it",
    reference=_camera_reading,
    unit="m",
    tolerance=1e-5,
    fixed=(
        {
            "surfaces_m": _PLATE_AND_WALL,
            "near": 0.01,
            "far": 10.0,
            "minimum": 0.1,
            "maximum": 5.0,
        },
        {  # the near plane at the minimum: the plate is seen through
            "surfaces_m": _PLATE_AND_WALL,
            "near": 0.1,
            "far": 10.0,
            "minimum": 0.1,
            "maximum": 5.0,
        },
        {
            "surfaces_m": np.array(
                [
                    [2.0, 0.1, np.inf],  # too close, and hides the wall
                    [0.01, 3.0, np.inf],  # not drawn, and hides nothing
                    [0.01, np.inf, np.inf],  # not drawn, nothing behind it
                    [7.0, 6.0, np.inf],  # drawn, beyond the maximum
                    [9.0, np.inf, np.inf],  # not drawn, beyond the far plane
                    [3.5, 1.5, 2.5],
                    [np.inf, np.inf, np.inf],
                ]
            ),
            "near": 0.02,
            "far": 8.0,
            "minimum": 0.3,
            "maximum": 4.0,
        },
    ),
    random_case=_random_pixels,
    misconceptions=(
        Misconception(
            name="the minimum used for clipping",
            answer=_minimum_clips,
            question="Your camera looks through a plate that is too close, at the wall behind it. Which plane decides "
            "what is drawn?",
        ),
        Misconception(
            name="the near plane ignored",
            answer=_near_ignored,
            question="A surface nearer than the near plane is not drawn. What does the pixel see where it was?",
        ),
        Misconception(
            name="the nearest of all taken first, and clipped then",
            answer=_nearest_then_clipped,
            question="Where the nearest surface is cut away, you see nothing. What is drawn behind it?",
        ),
        Misconception(
            name="the depth range ignored",
            answer=_range_ignored,
            question="You report what is drawn. What does the camera say of a depth that it cannot measure?",
        ),
        Misconception(
            name="clipped to the ends of the depth range",
            answer=_ends_reported,
            question="A plate at 0.05 m and one at 0.1 m now read the same. How is a reader to tell a mark from a "
            "measurement?",
        ),
        Misconception(
            name="too close reported as the minimum",
            answer=_minimum_reported,
            question="A surface that really is at the minimum reads the same. Which mark says too close?",
        ),
        Misconception(
            name="too far reported as the maximum",
            answer=_maximum_reported,
            question="You see a wall at the maximum where nothing is. Which mark says too far or nothing there?",
        ),
        Misconception(
            name="nothing there turned into 0",
            answer=_nothing_is_zero,
            question="In your image, a plate at the lens and an empty room read the same. What does 0 say?",
        ),
        Misconception(
            name="too close turned into inf",
            answer=_too_close_is_inf,
            question="inf reads as a free way, and here something is too close. Which mark is left for it?",
        ),
        Misconception(
            name="the first column taken for the nearest surface",
            answer=_first_is_nearest,
            question="The surfaces of a pixel come in no particular order. Which of those that are drawn is in front?",
        ),
    ),
    hints=(
        "Two questions in this order: what is drawn in this pixel, and can the camera measure that?",
        "Drawn is the nearest surface from near to far. Only this one is then compared with minimum and maximum.",
        "np.where((surfaces_m >= near) & (surfaces_m <= far), surfaces_m, np.inf).min(axis=1) is what is drawn; then "
        "below the minimum comes 0, and above the maximum inf.",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

NEAR_PLANE_AT_THE_MINIMUM = Prediction(
    name="near-plane-at-the-minimum",
    prompt="A plate stands 0.05 m before a depth camera, and a wall 2 m. The camera measures from 0.1 m on, and its "
    "near plane is set to 0.1 m too. What does the pixel in the middle report?",
    unit="m",
    tolerance=0.01,
    choices=(
        Guess(
            value=0.0,
            feedback="0 says too close, and would be right if the plate were drawn. The near plane cuts it away.",
        ),
        Guess(
            value=0.05,
            feedback="The plate is neither drawn nor in the range that is measured.",
        ),
        Guess(
            value=0.1,
            feedback="Neither plane nor range moves a surface: nothing is at 0.1 m.",
        ),
        Guess(
            value=2.0,
            feedback="What the near plane cuts away hides nothing: the camera looks through the plate at the wall.",
        ),
    ),
)

INFINITY_IS_NOT_CLEAR = Question(
    name="infinity-is-not-clear",
    prompt="The pixels in the middle of a depth image all hold +inf. What do they say about the way ahead?",
    choices=(
        Choice(
            text="it is clear",
            feedback="What is nearer than the near plane is not drawn: with nothing behind it, its pixels read +inf.",
        ),
        Choice(
            text="nothing was drawn there within the camera's reach; what is nearer than the near plane is not known",
            feedback="+inf says too far or nothing drawn. Put the near plane well before the minimum, and too close "
            "reads 0.",
            right=True,
        ),
        Choice(
            text="something is too close",
            feedback="That reads 0, if it is drawn. What the near plane cuts away reads as what is behind it.",
        ),
        Choice(
            text="the camera is broken",
            feedback="+inf is a regular answer, as 0 is. Each has its own meaning.",
        ),
    ),
)
