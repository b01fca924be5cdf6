"""Exercise, prediction and quiz on frames 坐标系: one point, and its numbers in the world and in a camera.

World axes W: x forward, y left, z up. Camera axes C: x right, y down, z forward. The pose 位姿 of C in W is a rotation
`R_WC`, whose columns are the axes of C in W, and the position `p_WC` of its origin: p_W = R_WC p_C + p_WC.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Guess, Prediction, Question
from course.world.checks import read_only

Array = NDArray[np.float64]

RIGHT, DOWN, FORWARD = (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)  # in W
R_WC_LEVEL: Array = read_only(np.column_stack([RIGHT, DOWN, FORWARD]))
"""The rotation of a camera that looks along x of W, upright."""


# --- a point in the camera frame ----------------------------------------------------------------------------


def _point_in_camera(p_W: Array, R_WC: Array, p_WC: Array) -> Array:
    # Points are rows, so R_WC^T (p - t) is written (p - t) R_WC; that serves one point as well.
    return (p_W - p_WC) @ R_WC


def _random_pose(rng: np.random.Generator) -> Case:
    # Three points or one: three rows also fit where columns belong, so that mistake gives numbers and no error.
    shape = (3, 3) if rng.random() < 0.5 else (3,)
    return {
        "p_W": rng.uniform(-4, 4, shape),
        "R_WC": Rotation.random(rng=rng).as_matrix(),
        "p_WC": rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3),
    }


_CUP: Case = {
    "p_W": np.array([3.0, 0.0, 0.5]),
    "R_WC": R_WC_LEVEL,
    "p_WC": np.array([0.0, 0.0, 1.5]),
}
_THREE_POINTS: Case = {
    "p_W": np.array([[2.0, 1.0, 0.0], [3.0, -1.0, 0.5], [1.0, 0.5, 2.0]]),
    "R_WC": Rotation.from_euler("z", 30, degrees=True).as_matrix() @ R_WC_LEVEL,
    "p_WC": np.array([0.5, -0.25, 1.5]),
}

POINT_IN_CAMERA = Exercise(
    name="point_in_camera",
    title="Points of the world in the camera frame",
    reference=_point_in_camera,
    unit="m",
    tolerance=1e-5,
    fixed=(_CUP, _THREE_POINTS),
    random_case=_random_pose,
    misconceptions=(
        Misconception(
            name="the pose applied, not its inverse",
            answer=lambda p_W, R_WC, p_WC: p_W @ R_WC.T + p_WC,
            question="R_WC and p_WC take a point from C to W. Yours is in W already. Which way do you have to go?",
        ),
        Misconception(
            name="the camera's position not subtracted",
            answer=lambda p_W, R_WC, p_WC: p_W @ R_WC,  # noqa: ARG005 - that is the mistake
            question="The camera's own origin must come out as (0, 0, 0). What does your function make of p_WC?",
        ),
        Misconception(
            name="turned first, then moved",
            answer=lambda p_W, R_WC, p_WC: p_W @ R_WC - p_WC,
            question="p_WC is given along the axes of W. Along which axes is the point by the time you subtract it?",
        ),
        Misconception(
            name="R_WC in place of its transpose",
            answer=lambda p_W, R_WC, p_WC: (p_W - p_WC) @ R_WC.T,
            question="The columns of R_WC are the camera's axes in W. A point right ahead must get a z only: does it?",
        ),
        Misconception(
            name="the camera's position added, not subtracted",
            answer=lambda p_W, R_WC, p_WC: (p_W + p_WC) @ R_WC,
            question="Which vector leads from the camera to the point? Its two ends are p_WC and p_W.",
        ),
        Misconception(
            name="points that are rows treated as columns",
            answer=lambda p_W, R_WC, p_WC: R_WC.T @ (p_W - p_WC),
            question="One point is right and three are not. R_WC.T @ p takes points as columns. Where are yours?",
        ),
        Misconception(
            name="the result left transposed",
            answer=lambda p_W, R_WC, p_WC: ((p_W - p_WC) @ R_WC).T,
            question="Points came in as rows, one below the other. How do they leave your function?",
        ),
        Misconception(
            name="millimetres returned",
            answer=lambda p_W, R_WC, p_WC: 1000 * (p_W - p_WC) @ R_WC,
            question="The names of the arguments carry no unit, so they are in metres. Why are yours 1000 times that?",
        ),
    ),
    hints=(
        "The camera's own origin must come out as (0, 0, 0). What must be done to p_W first, before it turns?",
        "Solve p_W = R_WC p_C + p_WC for p_C. The inverse of a rotation is its transpose.",
        "For one point that is R_WC.T @ (p_W - p_WC). Points as rows are multiplied from the right, by the transpose "
        "of R_WC.T: which matrix is that?",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

CUP_IN_THE_CAMERA = Prediction(
    name="cup-in-the-camera-frame",
    prompt="The camera is 1.5 m above the floor and looks along x of the world. A cup stands 3 m ahead of it, "
    "0.5 m above the floor. What is y of the cup in the camera frame?",
    unit="m",
    tolerance=0.01,
    choices=(
        Guess(
            value=1.0,
            feedback="y of a camera points down, and the cup is 1 m lower than the camera: 1.5 m - 0.5 m.",
        ),
        Guess(
            value=-1.0,
            feedback="1 m is right, but y of a camera points down: what is lower than the camera has a positive y.",
        ),
        Guess(
            value=0.5,
            feedback="That is the height above the floor: z in the world frame. A camera knows of no floor.",
        ),
        Guess(
            value=3.0,
            feedback="That is how far ahead the cup stands: x in the world frame, z in the camera frame.",
        ),
    ),
)

QUIZ = (
    Question(
        name="which-way",
        prompt="A camera measured a point: you have its coordinates p_C, and the pose X_WC of the camera. "
        "Where is the point in the world?",
        choices=(
            Choice(
                text="X_WC.apply(p_C)",
                feedback="The two letters C meet and cancel, and W is left.",
                right=True,
            ),
            Choice(
                text="X_WC.inv().apply(p_C)",
                feedback="X_CW takes points from W to C, and yours is in C: the letters do not meet.",
            ),
            Choice(
                text="p_C + X_WC.translation",
                feedback="That adds numbers along the axes of C to numbers along the axes of W. "
                "It is right only where both frames have the same axes.",
            ),
        ),
    ),
    Question(
        name="camera-turns",
        prompt="A camera turns where it stands, and nothing else moves. Which numbers of a cup change?",
        choices=(
            Choice(
                text="those in the world frame",
                feedback="The cup did not move, and neither did the world.",
            ),
            Choice(
                text="those in the camera frame",
                feedback="The cup stays; the axes along which these numbers are counted have turned. "
                "Its distance from the camera stays too.",
                right=True,
            ),
            Choice(
                text="both",
                feedback="Then turning a camera would push cups around. In the lab, turn the camera only.",
            ),
        ),
    ),
    Question(
        name="two-thousand",
        prompt="An array called depth, (480, 640) uint16, holds 2000 in its centre. How far away is the wall there?",
        choices=(
            Choice(
                text="2 m",
                feedback="If the unit is the millimetre: many cameras do that, and some do not.",
            ),
            Choice(
                text="2000 m",
                feedback="If the unit is the metre. Few cameras see so far, but that is a guess as well.",
            ),
            Choice(
                text="the array alone does not say",
                feedback="Unit, quantity and marks are missing: ask for the card.",
                right=True,
            ),
        ),
    ),
    Question(
        name="zero",
        prompt="A record of a laser scanner holds 0.0 m for a beam. What does that say?",
        choices=(
            Choice(
                text="something touches the scanner",
                feedback="It could; but many drivers store 0 where they have no reading.",
            ),
            Choice(
                text="the beam hit nothing",
                feedback="In some records that is what 0 marks. Others use inf, nan, or the largest range.",
            ),
            Choice(
                text="nothing yet: its card must say which values are no readings",
                feedback="A reading of 0, a missing reading and a sensor that is switched off are three things.",
                right=True,
            ),
        ),
    ),
)
