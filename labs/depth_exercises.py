"""Exercises, prediction and quiz on range and axial depth.

Range 射线距离 is the length of the ray from the camera to the surface. Axial depth 轴向深度 is how far along the
optical axis that surface lies. Camera axes: x right, y down, z forward.
"""

from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Guess, Prediction, Question

Array = NDArray[np.float64]
Number = Any  # a float or an array: the answers below take both


def _misses_as(mark: float, range_m: Number, depth_m: Number) -> Array:
    return np.where(np.isinf(range_m), mark, depth_m)


# --- one ray at an angle ------------------------------------------------------------------------------------


def _axial_depth(range_m: Number, angle_rad: Number) -> Number:
    return range_m * np.cos(angle_rad)


def _random_ray(rng: np.random.Generator) -> Case:
    size = int(rng.integers(2, 6))
    return {"range_m": rng.uniform(0.3, 8.0, size), "angle_rad": rng.uniform(0.1, 1.1, size)}


AXIAL_DEPTH = Exercise(
    name="axial_depth",
    title="Axial depth of a ray at an angle",
    reference=_axial_depth,
    unit="m",
    tolerance=1e-5,
    fixed=(
        {"range_m": 2.0, "angle_rad": pi / 6},
        {"range_m": 2.0, "angle_rad": 0.0},
        {"range_m": np.array([1.5, np.inf, 3.0]), "angle_rad": np.array([0.2, 0.4, 0.9])},
    ),
    random_case=_random_ray,
    misconceptions=(
        Misconception(
            name="range returned as depth",
            answer=lambda range_m, angle_rad: range_m + 0 * angle_rad,
            question="This is the length of the ray. Which side of the triangle lies along the optical axis?",
        ),
        Misconception(
            name="divided by the cosine",
            answer=lambda range_m, angle_rad: range_m / np.cos(angle_rad),
            question="Your depth is longer than the ray. Can a side of a right triangle exceed its hypotenuse?",
        ),
        Misconception(
            name="sine in place of cosine",
            answer=lambda range_m, angle_rad: range_m * np.sin(angle_rad),
            question="On the axis the angle is 0 and you report 0 m. How far sideways is not how far ahead.",
        ),
        Misconception(
            name="radians converted as if they were degrees",
            answer=lambda range_m, angle_rad: range_m * np.cos(np.deg2rad(angle_rad)),
            question="The angle arrives in radians, as its name says. What does np.cos expect?",
        ),
        Misconception(
            name="radians converted to degrees for the cosine",
            answer=lambda range_m, angle_rad: range_m * np.cos(np.rad2deg(angle_rad)),
            question="NumPy's cosine takes radians. What does it make of 30?",
        ),
        Misconception(
            name="a miss turned into nan",
            answer=lambda range_m, angle_rad: _misses_as(
                np.nan, range_m, range_m * np.cos(angle_rad)
            ),
            question="The ray that hit nothing reports inf. Which operation of yours lost it?",
        ),
        Misconception(
            name="a miss turned into 0",
            answer=lambda range_m, angle_rad: _misses_as(0.0, range_m, range_m * np.cos(angle_rad)),
            question="0 m says that something touches the lens. What did the ray that hit nothing report?",
        ),
    ),
    hints=(
        "Draw the right triangle: the ray is its hypotenuse, the optical axis carries one of its legs.",
        "The leg that lies along the axis is next to the angle. Which of sine and cosine belongs to it?",
        "Multiply: hypotenuse times cosine. NumPy's cosine takes radians, and inf times a positive number stays inf.",
    ),
)


# --- a whole range image ------------------------------------------------------------------------------------


def _depth_image(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    height, width = range_m.shape
    x = (np.arange(width) + 0.5 - cx) / fx
    y = (np.arange(height)[:, np.newaxis] + 0.5 - cy) / fy
    return range_m / np.sqrt(1 + x**2 + y**2)


def _half_pixel_forgotten(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return _depth_image(range_m, fx, fy, cx + 0.5, cy + 0.5)


def _multiplied(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return range_m / _depth_image(np.ones_like(range_m), fx, fy, cx, cy)


def _miss_is_zero(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return _misses_as(0.0, range_m, _depth_image(range_m, fx, fy, cx, cy))


def _half_pixel_the_wrong_way(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return _depth_image(range_m, fx, fy, cx + 1.0, cy + 1.0)


def _root_forgotten(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    divided_once: Array = _depth_image(range_m, fx, fy, cx, cy)
    return divided_once * _depth_image(np.ones_like(range_m), fx, fy, cx, cy)


def _u_and_v_exchanged(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return range_m * _depth_image(np.ones_like(range_m.T), fx, fy, cx, cy).T


def _miss_is_nan(range_m: Array, fx: float, fy: float, cx: float, cy: float) -> Array:
    return _misses_as(np.nan, range_m, _depth_image(range_m, fx, fy, cx, cy))


def _random_image(rng: np.random.Generator) -> Case:
    height, width = (int(n) for n in rng.choice(np.arange(2, 9), size=2, replace=False))
    return {
        "range_m": rng.uniform(0.5, 6.0, (height, width)),
        "fx": float(rng.uniform(4, 6)),
        "fy": float(rng.uniform(7, 9)),
        "cx": width / 2 + float(rng.uniform(-1, 1)),
        "cy": height / 2 + float(rng.uniform(-1, 1)),
    }


_SMALL: Case = {
    "range_m": np.array([[2.0, 2.0, 2.0], [2.0, 2.0, np.inf]]),
    "fx": 2.0,
    "fy": 4.0,
    "cx": 1.5,
    "cy": 1.0,
}

DEPTH_IMAGE = Exercise(
    name="depth_image",
    title="A range image turned into a depth image",
    reference=_depth_image,
    unit="m",
    tolerance=1e-5,
    fixed=(_SMALL,),
    random_case=_random_image,
    misconceptions=(
        Misconception(
            name="range returned as depth",
            answer=lambda range_m, fx, fy, cx, cy: range_m,  # noqa: ARG005 - that is the mistake
            question="Every pixel has its own ray and its own angle. Which pixel would have depth = range?",
        ),
        Misconception(
            name="multiplied by the ray's length",
            answer=_multiplied,
            question="That turns depth into range. Which of the two is larger away from the axis?",
        ),
        Misconception(
            name="pixel centres at whole numbers",
            answer=_half_pixel_forgotten,
            question="In this exercise the centre of pixel (u, v) lies at (u + 0.5, v + 0.5). Where did you put it?",
        ),
        Misconception(
            name="half a pixel taken away instead of added",
            answer=_half_pixel_the_wrong_way,
            question="The first pixel reaches from 0 to 1. Where is its centre?",
        ),
        Misconception(
            name="the square root forgotten",
            answer=_root_forgotten,
            question="1 + x² + y² is the square of the direction's length. What do you divide by?",
        ),
        Misconception(
            name="u and v exchanged",
            answer=_u_and_v_exchanged,
            question="u goes with fx and cx. Along which axis of the array does it count?",
        ),
        Misconception(
            name="fx used for both axes",
            answer=lambda range_m, fx, fy, cx, cy: _depth_image(range_m, fx, fx, cx, cy),  # noqa: ARG005
            question="These pixels are not square. Which focal length belongs to the rows?",
        ),
        Misconception(
            name="(H, W) swapped",
            answer=lambda range_m, fx, fy, cx, cy: _depth_image(range_m, fx, fy, cx, cy).T,
            question="An image array is indexed [v, u]: rows first. What is the shape of range_m?",
        ),
        Misconception(
            name="a miss turned into 0",
            answer=_miss_is_zero,
            question="0 m says that something touches the lens. What did the pixel that hit nothing hold?",
        ),
        Misconception(
            name="a miss turned into nan",
            answer=_miss_is_nan,
            question="The pixel that hit nothing holds inf. Which operation of yours lost it?",
        ),
    ),
    hints=(
        "The ray through a pixel has the direction ((u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy, 1). How long is that?",
        "Depth is range divided by the length of that direction. u runs along columns, v along rows.",
        "np.arange(width) gives u for one row; np.arange(height)[:, np.newaxis] gives v for one column; "
        "their sum of squares broadcasts to (height, width).",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

TWO_METRES_AT_30_DEGREES = Prediction(
    name="two-metres-at-30-degrees",
    prompt="A post stands 2 m from the camera, 30 degrees off the optical axis. "
    "What does the camera's depth image report there?",
    unit="m",
    tolerance=0.01,
    choices=(
        Guess(
            value=2.0,
            feedback="That is the range: the length of the ray, which a laser scanner reports.",
        ),
        Guess(
            value=1.732,
            feedback="Depth is measured along the optical axis: 2 m times cos 30 degrees.",
        ),
        Guess(
            value=1.0,
            feedback="That is how far to the side the post stands: 2 m times sin 30 degrees.",
        ),
        Guess(
            value=2.309,
            feedback="That is 2 m divided by cos 30 degrees: the range of a wall at 2 m depth.",
        ),
    ),
)

QUIZ = (
    Question(
        name="flat-wall",
        prompt="A flat wall faces the camera. One image of it holds 2.00 in every pixel, another grows towards the "
        "corners. Which one is the range image?",
        choices=(
            Choice(
                text="the one that grows",
                feedback="The rays to the corners are longer, though every point of the wall lies at the same depth.",
                right=True,
            ),
            Choice(
                text="the constant one",
                feedback="A constant image of a facing wall is axial depth: all its points lie in one plane z = 2 m.",
            ),
            Choice(
                text="neither; range is always constant",
                feedback="Range is constant on a sphere around the camera, and a wall is no such sphere.",
            ),
        ),
    ),
    Question(
        name="miss",
        prompt="A ray hits nothing within its reach. What should the depth image hold in that pixel?",
        choices=(
            Choice(
                text="0",
                feedback="0 m says that something touches the lens: a planner would brake for it.",
            ),
            Choice(
                text="a mark that no distance can have, such as inf",
                feedback="A missing reading is not a small reading. Say which mark you use, and test for it.",
                right=True,
            ),
            Choice(
                text="the far limit",
                feedback="Then a wall that really stands at the limit looks the same as no wall at all.",
            ),
        ),
    ),
)
