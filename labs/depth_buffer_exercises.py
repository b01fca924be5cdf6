"""Exercise and questions on depth buffers: what a renderer keeps in a pixel is not a distance yet.

The buffer of this exercise holds 0 on the near plane and 1 on the far plane, and 1 where nothing was drawn. In
between it is linear in 1 / z, not in z.
"""

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Question

Array = NDArray[np.float64]


def _depth_from_buffer(buffer: Array, near: float, far: float) -> Array:
    depth_m = near * far / (far - buffer * (far - near))
    return np.where(buffer == 1, np.inf, depth_m)


def _nothing_as(mark: float, buffer: Array, near: float, far: float) -> Array:
    return np.where(buffer == 1, mark, _depth_from_buffer(buffer, near, far))


def _nearly_one_is_nothing(buffer: Array, near: float, far: float) -> Array:
    return np.where(buffer > 0.999, np.inf, _depth_from_buffer(buffer, near, far))


def _linear(buffer: Array, near: float, far: float) -> Array:
    return np.where(buffer == 1, np.inf, near + buffer * (far - near))


def _share_of_far(buffer: Array, near: float, far: float) -> Array:  # noqa: ARG001 - that is the mistake
    return np.where(buffer == 1, np.inf, buffer * far)


def _raw(buffer: Array, near: float, far: float) -> Array:  # noqa: ARG001 - that is the mistake
    return np.where(buffer == 1, np.inf, buffer)


def _clip_space(buffer: Array, near: float, far: float) -> Array:
    depth_m = 2 * near * far / (far + near - buffer * (far - near))
    return np.where(buffer == 1, np.inf, depth_m)


def _exchanged(buffer: Array, near: float, far: float) -> Array:
    return np.where(buffer == 1, np.inf, near * far / (near + buffer * (far - near)))


def _reversed(buffer: Array, near: float, far: float) -> Array:
    return _depth_from_buffer(1 - buffer, near, far)


def _random_buffer(rng: np.random.Generator) -> Case:
    near, far = float(rng.uniform(0.05, 0.5)), float(rng.uniform(6.0, 20.0))
    z = rng.uniform(near + 0.1, 5.0, int(rng.integers(3, 7)))
    buffer = far * (z - near) / (z * (far - near))
    buffer[rng.integers(buffer.size)] = 1.0
    return {"buffer": buffer, "near": near, "far": far}


_SAME_BUFFER = np.array([0.5, 0.9, 0.98])  # of two scenes; the larger one moves both planes away

DEPTH_FROM_BUFFER = Exercise(
    name="depth_from_buffer",
    title="Metres from a depth buffer",
    reference=_depth_from_buffer,
    unit="m",
    tolerance=1e-3,
    fixed=(
        {"buffer": np.array([0.8838384, 0.9595960, 1.0]), "near": 0.1, "far": 10.0},
        # 0.9999 is a wall at 9.9 m; only 1 says that nothing was drawn.
        {
            "buffer": np.array([[0.0, 0.0404040, 0.5], [0.9999, 0.99, 1.0]]),
            "near": 0.1,
            "far": 10.0,
        },
        # MuJoCo multiplies both planes by the extent of the scene: 0.01 and 5 by 2, then by 6.
        {"buffer": _SAME_BUFFER, "near": 0.02, "far": 10.0},
        {"buffer": _SAME_BUFFER, "near": 0.06, "far": 30.0},
    ),
    random_case=_random_buffer,
    misconceptions=(
        Misconception(
            name="linear in the buffer",
            answer=_linear,
            question="Half of the buffer is spent on the first 0.2 m. What is linear in the buffer: z or 1 / z?",
        ),
        Misconception(
            name="buffer multiplied by far",
            answer=_share_of_far,
            question="On the near plane the buffer is 0, and you report 0 m. Which depth belongs there?",
        ),
        Misconception(
            name="buffer returned as metres",
            answer=_raw,
            question="All your depths lie between 0 and 1. Where did the near and the far plane go?",
        ),
        Misconception(
            name="the formula for values from -1 to 1",
            answer=_clip_space,
            question="With a buffer of 0 you report nearly twice the near plane. From where to where do these values "
            "run, and from where to where those of your formula?",
        ),
        Misconception(
            name="near and far exchanged",
            answer=_exchanged,
            question="With a buffer of 0 you report the far plane. Which plane does 0 stand for here?",
        ),
        Misconception(
            name="a reversed buffer assumed",
            answer=_reversed,
            question="You treat 1 as near and 0 as far. Some engines do store it so; which way does this buffer run?",
        ),
        Misconception(
            name="a wall before the far plane taken for nothing",
            answer=_nearly_one_is_nothing,
            question="0.9999 is not 1: with these planes it is a wall at 9.9 m. How much of the depth lies in the last "
            "thousandth of the buffer?",
        ),
        Misconception(
            name="nothing drawn left at the far plane",
            answer=lambda buffer, near, far: _nothing_as(far, buffer, near, far),
            question="Your formula gives the far plane where nothing was drawn. Is there a wall?",
        ),
        Misconception(
            name="nothing drawn turned into 0",
            answer=lambda buffer, near, far: _nothing_as(0.0, buffer, near, far),
            question="0 m says that something touches the lens. What should a pixel say in which nothing was drawn?",
        ),
        Misconception(
            name="nothing drawn turned into nan",
            answer=lambda buffer, near, far: _nothing_as(np.nan, buffer, near, far),
            question="It is known that nothing was drawn there, and nan says unknown. Which mark do depth images use?",
        ),
    ),
    hints=(
        "1 / z is linear in the buffer: it is 1 / near at 0 and 1 / far at 1. Write that line down, then turn it over.",
        "z = near * far / (far - buffer * (far - near)). Try it with 0 and with 1 before you trust it.",
        "np.where(buffer == 1, np.inf, ...) with the formula as the third argument: 1 is kept for nothing drawn.",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

REVERSED_BUFFER = Question(
    name="reversed-buffer",
    prompt="Near plane 0.1 m, far plane 10 m. A wall 2 m away has 0.0404 in the buffer, near things are bright, and "
    "the usual formula gives 0.104 m. What is this buffer?",
    choices=(
        Choice(
            text="reversed: it stores 1 - b",
            feedback="1 - 0.0404 = 0.9596, and 0.9596 is 2 m. It runs from 1 on the near plane to 0 on the far plane.",
            right=True,
        ),
        Choice(
            text="linear: 0.0404 of the way from near to far",
            feedback="That would be 0.1 + 0.0404 * 9.9 = 0.5 m, and near things would be dark.",
        ),
        Choice(
            text="in metres already: 0.0404 m",
            feedback="That lies before the near plane, where nothing is drawn.",
        ),
        Choice(
            text="too coarse for this distance",
            feedback="At 2 m one step of a float32 buffer is some micrometres of depth. The direction is wrong.",
        ),
    ),
)

NEAR_PLANE_THAT_MOVES = Question(
    name="near-plane-that-moves",
    prompt="A simulator takes its near and far planes as multiples of the size of the scene; near is 0.01. You add a "
    "tower, and the size grows from 2 m to 6 m. The camera stays. Which near plane belongs in the formula now?",
    choices=(
        Choice(
            text="0.01 m",
            feedback="0.01 is a multiple here, not a length: 0.02 m before, and 0.06 m now.",
        ),
        Choice(
            text="0.02 m, as before",
            feedback="That was 0.01 times 2 m. With the old planes, all depths come out three times too small.",
        ),
        Choice(
            text="0.06 m",
            feedback="0.01 times 6 m. Read the planes when you read the buffer: a new object may move them.",
            right=True,
        ),
    ),
)
