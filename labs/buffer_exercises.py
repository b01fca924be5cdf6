"""Exercises of chapter 04, hit buffers, in the order of the chapter.

Distances are those of one ray, in m, in the order in which a query reports them: that of the scene's tree, which has
nothing to do with how far things are. A buffer has room for at least one touch. What is read in chunks is an exercise
with a module of its own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from labs.buffer_chunk_exercises import ALL_TOUCHES, half_metres

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Truth = NDArray[np.bool_]
Numbers = Any  # counts, or true and false


# --- how many hits ------------------------------------------------------------------------------------------


def _number_of_hits(n_touches: Whole, has_block: Truth) -> Numbers:
    return n_touches + has_block


def _random_counts(rng: np.random.Generator) -> Case:
    count = int(rng.integers(3, 7))
    return {"n_touches": rng.integers(0, 9, count), "has_block": rng.random(count) < 0.5}


NUMBER_OF_HITS = Exercise(
    name="number_of_hits",
    title="Hits of a result: touches and block",
    reference=_number_of_hits,
    unit="hits",
    tolerance=1e-6,
    fixed=(
        {"n_touches": np.array([3, 0, 2]), "has_block": np.array([True, True, False])},
        {"n_touches": np.array([0, 1]), "has_block": np.array([False, True])},
    ),
    random_case=_random_counts,
    misconceptions=(
        Misconception(
            name="the block left out",
            answer=lambda n_touches, has_block: n_touches,  # noqa: ARG005 - that is the mistake
            question="A query found one wall and calls it a block. Your count is 0. Where is a block kept?",
        ),
        Misconception(
            name="a block counted that is not there",
            answer=lambda n_touches, has_block: n_touches + 1,  # noqa: ARG005
            question="A query that met nothing at all has how many hits? What does yours say?",
        ),
        Misconception(
            name="the block taken for one of the touches",
            answer=lambda n_touches, has_block: np.maximum(n_touches, has_block),
            question="Three touches and a block are more than three touches. Does the buffer hold the block?",
        ),
        Misconception(
            name="touches left out",
            answer=lambda n_touches, has_block: 1 * has_block,  # noqa: ARG005
            question="A block ends the ray. What was met before it, and where is that kept?",
        ),
        Misconception(
            name="found or not, in place of a number",
            answer=lambda n_touches, has_block: (n_touches > 0) | has_block,
            question="That is what the query returns: true if anything was met. How many were met?",
        ),
    ),
    hints=(
        "A result keeps two things apart. One is a list, the other is a single hit or none.",
        "The block is not in the list of touches. It counts as one more, if there is one.",
        "True counts as 1 in NumPy: what is np.array([3, 0]) + np.array([True, False])?",
    ),
)

# --- full ---------------------------------------------------------------------------------------------------


def _may_be_truncated(n_touches: Whole, capacity: Whole) -> Numbers:
    return n_touches == capacity


def _random_fillings(rng: np.random.Generator) -> Case:
    capacity = rng.integers(3, 65, int(rng.integers(3, 6)))
    full = rng.random(len(capacity)) < 0.4
    return {"n_touches": np.where(full, capacity, rng.integers(0, capacity)), "capacity": capacity}


MAY_BE_TRUNCATED = Exercise(
    name="may_be_truncated",
    title="Which results may have lost touches",
    reference=_may_be_truncated,
    unit="",
    tolerance=1e-6,
    fixed=(
        {"n_touches": np.array([3, 4, 0, 59]), "capacity": np.array([4, 4, 8, 59])},
        {"n_touches": np.array([1, 7, 8]), "capacity": np.array([8, 8, 8])},
    ),
    random_case=_random_fillings,
    misconceptions=(
        Misconception(
            name="a count above the capacity waited for",
            answer=lambda n_touches, capacity: n_touches > capacity,
            question="A buffer cannot count what it has no place for. How large can its count become?",
        ),
        Misconception(
            name="a buffer with room left called truncated",
            answer=lambda n_touches, capacity: n_touches < capacity,
            question="If a place is still empty, would a further touch have been lost?",
        ),
        Misconception(
            name="any touch called truncation",
            answer=lambda n_touches, capacity: n_touches > 0,  # noqa: ARG005
            question="One touch in a buffer of eight: what could have been lost there?",
        ),
        Misconception(
            name="one place too early",
            answer=lambda n_touches, capacity: n_touches >= capacity - 1,
            question="With one place empty, where would the next touch have gone?",
        ),
        Misconception(
            name="the room that is left returned",
            answer=lambda n_touches, capacity: capacity - n_touches,
            question="That is how many more would fit. For which of these numbers may some have been lost?",
        ),
    ),
    hints=(
        "A touch is lost only if it finds no empty place.",
        "The count never exceeds the capacity. What is it if one touch too many came, and what if exactly enough came?",
        "Both give the same count, so compare for equality.",
    ),
)

# --- what a fixed buffer keeps ------------------------------------------------------------------------------


def _kept_touches(distances_m: Array, capacity: int, block_m: float) -> Array:
    asked_for = distances_m[distances_m <= block_m]
    return asked_for[:capacity]


def _random_arrivals(rng: np.random.Generator) -> Case:
    distances_m = half_metres(rng, int(rng.integers(5, 10)))
    block_m = float(rng.choice(distances_m)) if rng.random() < 0.6 else np.inf
    return {
        "distances_m": distances_m,
        "capacity": int(rng.integers(1, len(distances_m))),
        "block_m": block_m,
    }


KEPT_TOUCHES = Exercise(
    name="kept_touches",
    title="What a fixed buffer keeps",
    reference=_kept_touches,
    unit="m",
    tolerance=1e-6,
    fixed=(
        {"distances_m": np.array([4.5, 2.5, 10.5, 6.5, 8.5]), "capacity": 3, "block_m": np.inf},
        {"distances_m": np.array([10.5, 4.5, 12.5, 8.5, 2.5, 6.5]), "capacity": 3, "block_m": 8.5},
    ),
    random_case=_random_arrivals,
    misconceptions=(
        Misconception(
            name="the nearest kept",
            answer=lambda distances_m, capacity, block_m: np.sort(
                distances_m[distances_m <= block_m]
            )[:capacity],
            question="To keep the nearest, a query would have to throw out what it has kept. When does a fixed buffer "
            "do that?",
        ),
        Misconception(
            name="what is behind the block kept",
            answer=lambda distances_m, capacity, block_m: distances_m[:capacity],  # noqa: ARG005
            question="The ray ends at the block. Can it touch what is behind?",
        ),
        Misconception(
            name="filled first, then cut at the block",
            answer=lambda distances_m, capacity, block_m: distances_m[:capacity][
                distances_m[:capacity] <= block_m
            ],
            question="What is behind the block makes room for others. Does yours leave places empty?",
        ),
        Misconception(
            name="a touch as near as the block dropped",
            answer=lambda distances_m, capacity, block_m: distances_m[distances_m < block_m][
                :capacity
            ],
            question="Two shapes share one surface, one a touch, the other the block. Is the touch behind the block?",
        ),
        Misconception(
            name="the last ones kept",
            answer=lambda distances_m, capacity, block_m: distances_m[distances_m <= block_m][
                -capacity:
            ],
            question="Yours writes over what came first. What does a query do when its buffer is full: write over, or "
            "stop?",
        ),
        Misconception(
            name="the kept ones sorted",
            answer=lambda distances_m, capacity, block_m: np.sort(
                distances_m[distances_m <= block_m][:capacity]
            ),
            question="These are the right ones. Who would have sorted them?",
        ),
    ),
    hints=(
        "Take out first what the query does not ask for; then think of room.",
        "What is farther than the block is not asked for; what is as near as the block is. Order stays.",
        "Select with distances_m <= block_m, then cut off: the first `capacity` of what is left.",
    ),
)

# --- when the nearest is known ------------------------------------------------------------------------------


def _nearest_of_touches(distances_m: Array, capacity: int) -> float:
    if len(distances_m) == capacity:
        return np.nan
    return float(np.min(distances_m, initial=np.inf))


def _first(distances_m: Array, nothing: float = np.inf) -> float:
    return float(distances_m[0]) if len(distances_m) else nothing


def _random_buffer(rng: np.random.Generator) -> Case:
    capacity = int(rng.integers(3, 9))
    return {
        "distances_m": half_metres(rng, int(rng.integers(0, capacity + 1))),
        "capacity": capacity,
    }


NEAREST_OF_TOUCHES = Exercise(
    name="nearest_of_touches",
    title="The nearest touch, where it is known",
    reference=_nearest_of_touches,
    unit="m",
    tolerance=1e-6,
    fixed=(
        {"distances_m": np.array([6.5, 2.5, 4.5]), "capacity": 8},
        {"distances_m": np.array([18.5, 20.5, 12.5, 16.5]), "capacity": 4},
        {"distances_m": np.array([]), "capacity": 4},
    ),
    random_case=_random_buffer,
    misconceptions=(
        Misconception(
            name="a full buffer believed",
            answer=lambda distances_m, capacity: np.min(distances_m, initial=np.inf),  # noqa: ARG005
            question="A full buffer may have lost the nearest of all. Which number says that nobody knows?",
        ),
        Misconception(
            name="the first touch taken for the nearest",
            answer=lambda distances_m, capacity: (
                np.nan if len(distances_m) == capacity else _first(distances_m)
            ),
            question="In which order do touches come? Is the first one of [6.5, 2.5, 4.5] the nearest?",
        ),
        Misconception(
            name="the first touch of any buffer taken for the nearest",
            answer=lambda distances_m, capacity: _first(distances_m),  # noqa: ARG005
            question="Two things went wrong: touches come in no order of distance, and a full buffer may lack some.",
        ),
        Misconception(
            name="no touch called unknown",
            answer=lambda distances_m, capacity: (
                np.nan if len(distances_m) in (0, capacity) else np.min(distances_m, initial=np.inf)
            ),
            question="An empty buffer with room left: is anything unknown? How far away is the nearest of nothing?",
        ),
        Misconception(
            name="0 for no touch",
            answer=lambda distances_m, capacity: (
                np.nan
                if len(distances_m) == capacity
                else (np.min(distances_m) if len(distances_m) else 0.0)
            ),
            question="0 m says that something touches the sensor. The way is clear: which number says that?",
        ),
        Misconception(
            name="a full buffer called clear",
            answer=lambda distances_m, capacity: (
                np.inf if len(distances_m) == capacity else np.min(distances_m, initial=np.inf)
            ),
            question="inf says that nothing is there. Is that what a full buffer says?",
        ),
    ),
    hints=(
        "There are three cases: full, empty, and in between. Write down what is known in each.",
        "Full: nan, as the nearest may be lost. Empty: inf, as nothing was met. Else the smallest, wherever it stands.",
        "np.min(distances_m, initial=np.inf) is inf for an empty array. Look at the full buffer before that.",
    ),
)

# --- where any is enough ------------------------------------------------------------------------------------


def _is_occluded(distances_m: Array, target_m: Array) -> Numbers:
    return (distances_m < target_m[:, np.newaxis]).any(axis=1)


def _random_sight(rng: np.random.Generator) -> Case:
    n_rays, n_hits = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    distances_m = np.full((n_rays, n_hits), np.inf)
    target_m = np.empty(n_rays)
    for one in range(n_rays):
        met = half_metres(rng, int(rng.integers(1, n_hits + 1)))
        distances_m[one, : len(met)] = met
        target_m[one] = rng.choice(met) - rng.choice([0.0, 0.25])  # a body, or a place before one
    return {"distances_m": distances_m, "target_m": target_m}


IS_OCCLUDED = Exercise(
    name="is_occluded",
    title="Is anything before the target?",
    reference=_is_occluded,
    unit="",
    tolerance=1e-6,
    fixed=(
        {
            "distances_m": np.array([[8.5, 2.5], [4.5, 9.5], [6.5, np.inf]]),
            "target_m": np.array([8.5, 4.5, 6.5]),
        },
        {
            "distances_m": np.array([[3.0, 5.0, 1.0], [2.0, 7.0, 4.0], [9.0, 6.0, 8.0]]),
            "target_m": np.array([5.0, 2.0, 4.0]),
        },
    ),
    random_case=_random_sight,
    misconceptions=(
        Misconception(
            name="the hit that was found first compared",
            answer=lambda distances_m, target_m: distances_m[:, 0] < target_m,
            question="The hit that is found first need not be the nearest. What if it is the target, and another one "
            "is nearer?",
        ),
        Misconception(
            name="any hit counted, also behind the target",
            answer=lambda distances_m, target_m: np.isfinite(distances_m).any(axis=1),  # noqa: ARG005
            question="The ray goes on behind the target. Does a wall there hide it?",
        ),
        Misconception(
            name="the target hides itself",
            answer=lambda distances_m, target_m: (distances_m <= target_m[:, np.newaxis]).any(
                axis=1
            ),
            question="A target that is a body is among the hits. Is it before itself?",
        ),
        Misconception(
            name="all hits must be before the target",
            answer=lambda distances_m, target_m: (distances_m < target_m[:, np.newaxis]).all(
                axis=1
            ),
            question="How many things does it take to hide a target?",
        ),
        Misconception(
            name="visible in the place of occluded",
            answer=lambda distances_m, target_m: (
                ~(distances_m < target_m[:, np.newaxis]).any(axis=1)
            ),
            question="True shall say that something is in the way. What does it say in yours?",
        ),
    ),
    hints=(
        "Ask of each ray: is there a hit nearer than the target? One is enough.",
        "Compare every hit with the target of its own ray: target_m needs one more axis for that.",
        "distances_m < target_m[:, np.newaxis] has the shape of distances_m; then ask for any along the hits.",
    ),
)

EXERCISES = (
    NUMBER_OF_HITS,
    MAY_BE_TRUNCATED,
    NEAREST_OF_TOUCHES,
    KEPT_TOUCHES,
    ALL_TOUCHES,
    IS_OCCLUDED,
)
