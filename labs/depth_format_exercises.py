"""Exercises, prediction and question on depth images of 16 bits: millimetres, and two values that are none.

Such an image holds unsigned whole millimetres, cut off, not rounded. 0 says too close, 65535 says too far or no
reading: these are marks, not distances. Cases stay clear of whole millimetres, as float32 and float64 may disagree
there about which side of one a product lies on.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Guess, Prediction, Question

Array = NDArray[Any]
Numbers = Any  # an array of another type than came

# --- metres to 16 bits --------------------------------------------------------------------------------------


def _to_16_bit(depth_m: Array) -> Numbers:
    depth_mm = np.where(np.isnan(depth_m), np.inf, depth_m) * 1000
    return np.clip(depth_mm, 0, 65535).astype(np.uint16)


def _metres_cast(depth_m: Array) -> Numbers:
    return np.where(np.isfinite(depth_m), np.trunc(depth_m), 65535)


def _rounded(depth_m: Array) -> Numbers:
    return np.clip(np.rint(_fraction_kept(depth_m)), 0, 65535)


def _fraction_kept(depth_m: Array) -> Numbers:
    return np.clip(np.where(np.isnan(depth_m), np.inf, depth_m) * 1000, 0, 65535)


def _wrapped(depth_m: Array, *, no_reading: int) -> Numbers:
    """What an integer of 16 bits keeps of a number that does not fit: the rest modulo 65536."""
    known = np.isfinite(depth_m)
    depth_mm = np.trunc(np.where(known, depth_m, 0) * 1000)
    return np.where(known, depth_mm % 65536, no_reading).astype(np.uint16)


def _random_depths(rng: np.random.Generator) -> Case:
    height, width = int(rng.integers(2, 5)), int(rng.integers(3, 6))
    depth_mm = rng.integers(300, 60_000, height * width) + rng.uniform(0.1, 0.9, height * width)
    too_far, miss, unknown = rng.choice(height * width, size=3, replace=False)
    depth_mm[too_far] = int(rng.integers(66_000, 120_000)) + 0.4
    depth_mm[miss], depth_mm[unknown] = np.inf, np.nan
    return {"depth_m": depth_mm.reshape(height, width) / 1000}


TO_16_BIT = Exercise(
    name="to_16_bit",
    title="Depth in metres written as 16-bit millimetres",
    reference=_to_16_bit,
    unit="mm",
    tolerance=0.0,
    fixed=(
        {"depth_m": np.array([[0.0, 1.2347], [40.0004, np.inf]])},
        {"depth_m": np.array([[0.9996, 0.9994, np.nan], [65.5346, 65.5354, 70.0004]])},
    ),
    random_case=_random_depths,
    misconceptions=(
        Misconception(
            name="rounded instead of truncated",
            answer=_rounded,
            question="0.9996 m becomes 999 here. What does a cast to integers do with what follows the point?",
        ),
        Misconception(
            name="fractions of a millimetre kept",
            answer=_fraction_kept,
            question="The unit is right. Which numbers can a 16-bit integer not hold?",
        ),
        Misconception(
            name="metres cast without the factor 1000",
            answer=_metres_cast,
            question="A wall at 1.2347 m and one at 1.9 m both read 1 in your image. In which unit should it count?",
        ),
        Misconception(
            name="a miss turned into 0",
            answer=lambda depth_m: np.where(np.isinf(depth_m), 0, _to_16_bit(depth_m)),
            question="0 says that something is too close. Which value says that nothing was there?",
        ),
        Misconception(
            name="nan turned into 0",
            answer=lambda depth_m: np.where(np.isnan(depth_m), 0, _to_16_bit(depth_m)),
            question="nan is no reading, 0 says that something is too close. Which value is left for no reading?",
        ),
        Misconception(
            name="inf and nan turned into 0",
            answer=lambda depth_m: np.where(np.isfinite(depth_m), _to_16_bit(depth_m), 0),
            question="A planner brakes for 0, which says too close. Which value says that there is no reading?",
        ),
        Misconception(
            name="wraps around instead of saturating",
            answer=lambda depth_m: _wrapped(depth_m, no_reading=65535),
            question="A wall at 70 m reads 4.464 m in your image. What is left of 70000 beyond 65536?",
        ),
        Misconception(
            name="cast without a look at what does not fit",
            answer=lambda depth_m: _wrapped(depth_m, no_reading=0),
            question="A cast gives no error for 70000, inf or nan, only some number. What should each be before it?",
        ),
        Misconception(
            name="signed 16 bit",
            answer=lambda depth_m: _to_16_bit(depth_m).astype(np.int16),
            question="A wall at 40 m reads -25536 in your image. How far does an integer of 16 bits count with a sign, "
            "how far without?",
        ),
        Misconception(
            name="cast to signed 16 bit without a look at what does not fit",
            answer=lambda depth_m: _wrapped(depth_m, no_reading=0).astype(np.int16),
            question="Two things went wrong: 40 m reads -25536, and inf reads 0. Which type has no sign, and what "
            "should be done before the cast?",
        ),
        Misconception(
            name="saturated at the limit of signed numbers",
            answer=lambda depth_m: np.minimum(_to_16_bit(depth_m), 32767),
            question="Your image ends at 32.767 m. Does a distance need a sign?",
        ),
    ),
    hints=(
        "Three things in this order: the unit, what does not fit, the cast. A cast to integers truncates by itself.",
        "inf is larger than anything, so one minimum takes care of it and of 70 m; nan compares with nothing and "
        "needs a step of its own.",
        "Turn nan into inf by np.where, multiply by 1000, np.clip to 0 ... 65535, then .astype(np.uint16).",
    ),
)


# --- 16 bits to metres --------------------------------------------------------------------------------------


def _from_16_bit(depth_mm: Array) -> Numbers:
    return np.where(depth_mm == 65535, np.inf, depth_mm / 1000)


def _sentinel_as(mark: float, depth_mm: Array) -> Numbers:
    return np.where(depth_mm == 65535, mark, depth_mm / 1000)


def _zero_as(mark: float, depth_mm: Array) -> Numbers:
    return np.where(depth_mm == 0, mark, _from_16_bit(depth_mm))


def _random_millimetres(rng: np.random.Generator) -> Case:
    height, width = int(rng.integers(2, 5)), int(rng.integers(2, 6))
    depth_mm = rng.integers(300, 60_000, height * width)
    too_close, too_far = rng.choice(height * width, size=2, replace=False)
    depth_mm[too_close], depth_mm[too_far] = 0, 65535
    return {"depth_mm": depth_mm.reshape(height, width).astype(np.uint16)}


FROM_16_BIT = Exercise(
    name="from_16_bit",
    title="A 16-bit depth image read as metres",
    reference=_from_16_bit,
    unit="m",
    tolerance=1e-4,
    fixed=(
        {"depth_mm": np.array([[0, 1234], [40000, 65535]], np.uint16)},
        {"depth_mm": np.array([[65534, 999, 1]], np.uint16)},
    ),
    random_case=_random_millimetres,
    misconceptions=(
        Misconception(
            name="the factor 0.001 missing",
            answer=lambda depth_mm: _from_16_bit(depth_mm) * 1000,
            question="A cloud made of this is 1000 times too large. In which unit does the image count?",
        ),
        Misconception(
            name="65535 kept as 65.535 m",
            answer=lambda depth_mm: depth_mm / 1000,
            question="65535 is a mark, not a distance: it would become a wall 65.535 m away. If you looked for it, "
            "was that before you changed the unit?",
        ),
        Misconception(
            name="65535 turned into nan",
            answer=lambda depth_mm: _sentinel_as(np.nan, depth_mm),
            question="It was inf before it was written. Which value in metres says too far or nothing there?",
        ),
        Misconception(
            name="65535 turned into 0",
            answer=lambda depth_mm: _sentinel_as(0.0, depth_mm),
            question="0 says that something is too close. What does 65535 say?",
        ),
        Misconception(
            name="0 turned into inf",
            answer=lambda depth_mm: _zero_as(np.inf, depth_mm),
            question="0 says that something is too close. Would you drive on where inf is read?",
        ),
        Misconception(
            name="0 turned into nan",
            answer=lambda depth_mm: _zero_as(np.nan, depth_mm),
            question="0 is an answer: something is there, too close to be measured. What is lost if it becomes nan?",
        ),
        Misconception(
            name="divided by 65535",
            answer=lambda depth_mm: np.where(depth_mm == 65535, np.inf, depth_mm / 65535),
            question="That makes a picture from black to white. How many metres is one count of the image?",
        ),
        Misconception(
            name="read as signed 16 bit",
            answer=lambda depth_mm: depth_mm.astype(np.int16) / 1000,
            question="A wall at 40 m reads -25.536 m now, and the mark -0.001 m. Can a distance be negative?",
        ),
        Misconception(
            name="integer division",
            answer=lambda depth_mm: np.where(depth_mm == 65535, np.inf, depth_mm // 1000),
            question="1.234 m became 1 m. Which division drops what follows the point?",
        ),
    ),
    hints=(
        "Two values of the image need a thought each before any arithmetic: 0 and 65535.",
        "0 may stay 0, which says too close in metres too. Find the pixels that hold 65535 before you change the unit.",
        "np.where(depth_mm == 65535, np.inf, ...) with the millimetres divided by 1000 as the third argument.",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

ONE_METRE_IN_SIXTEEN_BITS = Prediction(
    name="one-metre-in-sixteen-bits",
    prompt="A renderer puts a wall at 0.99999976 m, which its depth image prints as 1.0. "
    "What does the 16-bit image made of it hold?",
    unit="mm",
    tolerance=0.4,
    choices=(
        Guess(
            value=1000,
            feedback="That is rounded. A cast to integers cuts off whatever follows the point, be it .99976.",
        ),
        Guess(
            value=999,
            feedback="999.99976 mm is truncated: a quarter of a micrometre less became a whole millimetre less.",
        ),
        Guess(
            value=1, feedback="That would be metres. A 16-bit depth image counts in millimetres."
        ),
        Guess(
            value=65535,
            feedback="That says too far or no reading; this wall is in reach.",
        ),
    ),
)

SIXTEEN_BIT_MARK = Question(
    name="sixteen-bit-mark",
    prompt="A 16-bit depth image holds 65535 in a tenth of its pixels. Which of these is safe to do first?",
    choices=(
        Choice(
            text="divide by 1000 and go on",
            feedback="Those pixels become a wall 65.535 m away: it is in the cloud, in the mean and in the map.",
        ),
        Choice(
            text="find the pixels that hold 65535, then divide by 1000",
            feedback="65535 says too far or no reading. After the division, nothing equals 65535 any more.",
            right=True,
        ),
        Choice(
            text="set them to 0, so that they do no harm",
            feedback="0 has a meaning too: something is too close. A planner would brake for nothing.",
        ),
        Choice(
            text="read the image as signed integers, where they become -1",
            feedback="Then all that lies beyond 32.767 m becomes negative as well, such as 40 m: -25.536 m.",
        ),
    ),
)
