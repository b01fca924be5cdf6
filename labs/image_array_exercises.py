"""Exercise and questions on the arrays of images: marks among the readings, the channel axis, whose memory it is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Question

Array = NDArray[Any]

# --- a mean of what was measured ----------------------------------------------------------------------------


def _valid_mean(depth_mm: Array) -> Any:
    measured = (depth_mm > 0) & (depth_mm < 65535)
    return np.mean(depth_mm[measured]) / 1000


def _random_readings(rng: np.random.Generator) -> Case:
    depth_mm = rng.integers(20_000, 40_000, (3, int(rng.integers(3, 6))))
    marked = rng.choice(depth_mm.size, size=4, replace=False)
    depth_mm.flat[marked] = [0, 0, 65535, 65535]
    return {"depth_mm": depth_mm.astype(np.uint16)}


VALID_MEAN = Exercise(
    name="valid_mean",
    title="Mean distance of the valid readings of a 16-bit image",
    reference=_valid_mean,
    unit="m",
    tolerance=1e-3,
    fixed=(
        {"depth_mm": np.array([[1000, 1000], [65535, 1000]], np.uint16)},
        {"depth_mm": np.array([[0, 40000], [65535, 30000]], np.uint16)},
    ),
    random_case=_random_readings,
    misconceptions=(
        Misconception(
            name="the mean of all pixels",
            answer=lambda depth_mm: np.mean(depth_mm) / 1000,
            question="Three pixels of the first image see a wall at 1 m, and you report 17.134 m. "
            "What does the fourth one say?",
        ),
        Misconception(
            name="65535 counted as a distance",
            answer=lambda depth_mm: np.mean(depth_mm[depth_mm > 0]) / 1000,
            question="You left out 0. Which other value of the image is no distance?",
        ),
        Misconception(
            name="0 counted as a distance",
            answer=lambda depth_mm: np.mean(depth_mm[depth_mm < 65535]) / 1000,
            question="You left out 65535. Which other value of the image is no distance?",
        ),
        Misconception(
            name="divided by the number of all pixels",
            answer=lambda depth_mm: np.sum(depth_mm % 65535.0) / depth_mm.size / 1000,
            question="The sum is right. How many pixels went into it?",
        ),
        Misconception(
            name="millimetres returned as metres",
            answer=lambda depth_mm: _valid_mean(depth_mm) * 1000,
            question="In which unit does the image count, and in which should you answer?",
        ),
        Misconception(
            name="a sum that overflows 16 bits",
            answer=lambda depth_mm: (
                np.sum(depth_mm % 65535, dtype=np.uint16) / np.sum(depth_mm % 65535 > 0) / 1000
            ),
            question="The mean is smaller than every reading. What becomes of 40000 + 30000 in 16 bits?",
        ),
    ),
    hints=(
        "Which values of the image are no distances? There are two.",
        "A boolean array picks pixels: depth_mm[measured] holds those where `measured` is true.",
        "measured = (depth_mm > 0) & (depth_mm < 65535); then np.mean of those, which sums in float64, in metres.",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

CHANNEL_AXIS = Question(
    name="channel-axis",
    prompt="A depth image of 100 x 100 pixels comes as (100, 100, 1), the expected one is (100, 100). "
    "What is the shape of their difference?",
    choices=(
        Choice(
            text="(100, 100)",
            feedback="NumPy lines up axes from the last one: 1 beside 100, 100 beside 100, and one 100 alone.",
        ),
        Choice(
            text="(100, 100, 1)",
            feedback="The last axes meet first: the 1 is stretched to the 100 of the other image.",
        ),
        Choice(
            text="(100, 100, 100), without an error",
            feedback="Columns of one were paired with rows of the other. Drop the channel first: image[..., 0].",
            right=True,
        ),
        Choice(
            text="none: NumPy raises an error",
            feedback="It does if the image is not square. On a square one it broadcasts, and says nothing.",
        ),
    ),
)

OLD_ARRAY = Question(
    name="old-array",
    prompt="You keep the array of a depth image that shows a wall at 2 m. The wall moves to 3 m, and the renderer "
    "draws again. Your old array now says 3 m. What happened?",
    choices=(
        Choice(
            text="the array is a view of the renderer's own memory, which was drawn over",
            feedback="So a record copies: array.copy(), with the pose and the time of that frame.",
            right=True,
        ),
        Choice(
            text="the first image was already taken at 3 m",
            feedback="It said 2 m then. Print the old array before and after the second drawing.",
        ),
        Choice(
            text="assigning an array to a second name keeps the old frame; this is a fault of the engine",
            feedback="A second name is no second array: both names mean the same memory. Only a copy keeps the frame.",
        ),
    ),
)
