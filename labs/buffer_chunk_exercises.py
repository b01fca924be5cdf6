"""Exercise on reading touches in chunks: each body once, none behind the block, no place read that holds nothing.

Chunks come as rows of one array, a place of the buffer a column. Ids are those of bodies; -1 marks an empty place, and
its distance means nothing.
"""

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Truth = NDArray[np.bool_]


def half_metres(rng: np.random.Generator, count: int, *, among: int = 40) -> Array:
    """Different distances that float32 holds exactly, so that equal ones stay equal."""
    return 0.5 * (1 + rng.choice(among, size=count, replace=False)).astype(np.float64)


def _all_touches(ids: Whole, distances_m: Array, block_m: float) -> Array:
    asked_for = (ids >= 0) & (distances_m <= block_m)
    _bodies, first = np.unique(ids[asked_for], return_index=True)
    return np.sort(distances_m[asked_for][first])


def _each_once(ids: Whole, distances_m: Array, asked_for: Truth) -> Array:
    """Distances of those asked for, each body once, in the order of their ids."""
    first = np.unique(ids[asked_for], return_index=True)[1]
    return distances_m[asked_for][first]


def _in_order_of_ids(ids: Whole, distances_m: Array, block_m: float) -> Array:
    return _each_once(ids, distances_m, (ids >= 0) & (distances_m <= block_m))


def _in_order_of_arrival(ids: Whole, distances_m: Array, block_m: float) -> Array:
    asked_for = (ids >= 0) & (distances_m <= block_m)
    first = np.unique(ids[asked_for], return_index=True)[1]
    return distances_m[asked_for][np.sort(first)]


def _only_those_handed_over_once(ids: Whole, distances_m: Array, block_m: float) -> Array:
    asked_for = (ids >= 0) & (distances_m <= block_m)
    _bodies, first, count = np.unique(ids[asked_for], return_index=True, return_counts=True)
    return np.sort(distances_m[asked_for][first[count == 1]])


def _random_chunks(rng: np.random.Generator) -> Case:
    capacity, n_chunks = int(rng.integers(2, 4)), int(rng.integers(2, 4))
    shape = (n_chunks, capacity)
    ids = rng.choice(30, size=shape, replace=False)
    distances_m = half_metres(rng, ids.size).reshape(shape)
    distances_m[0, 1] = distances_m[-1, 0]  # two bodies at one distance
    if rng.random() < 0.5:  # told to stop: the last chunk comes once more
        ids, distances_m = np.vstack([ids, ids[-1:]]), np.vstack([distances_m, distances_m[-1:]])
    else:
        ids[-1, -1], distances_m[-1, -1] = -1, 0.0
    block_m = float(rng.choice(distances_m[ids >= 0])) if rng.random() < 0.5 else np.inf
    return {"ids": ids, "distances_m": distances_m, "block_m": block_m}


ALL_TOUCHES = Exercise(
    name="all_touches",
    title="All touches out of chunks, each once",
    reference=_all_touches,
    unit="m",
    tolerance=1e-6,
    fixed=(
        {
            "ids": np.array([[1, 0], [4, 2], [4, -1]]),
            "distances_m": np.array([[4.5, 2.5], [10.5, 4.5], [10.5, 0.0]]),
            "block_m": np.inf,
        },
        {
            "ids": np.array([[3, 9, 5], [7, 2, 8], [7, 2, 8]]),
            "distances_m": np.array([[6.5, 2.5, 12.5], [2.5, 8.5, 4.5], [2.5, 8.5, 4.5]]),
            "block_m": 8.5,
        },
    ),
    random_case=_random_chunks,
    misconceptions=(
        Misconception(
            name="what came twice counted twice",
            answer=lambda ids, distances_m, block_m: np.sort(
                distances_m[(ids >= 0) & (distances_m <= block_m)]
            ),
            question="Told to stop, PhysX may hand over the last chunk once more. How do you know a body again?",
        ),
        Misconception(
            name="told apart by distance, not by body",
            answer=lambda ids, distances_m, block_m: np.unique(
                distances_m[(ids >= 0) & (distances_m <= block_m)]
            ),
            question="Two bodies can be met at one distance. What tells them apart?",
        ),
        Misconception(
            name="only the last chunk read",
            answer=lambda ids, distances_m, block_m: np.sort(
                _each_once(
                    ids[-1:], distances_m[-1:], (ids[-1:] >= 0) & (distances_m[-1:] <= block_m)
                )
            ),
            question="One buffer is used again for every chunk. What is left of the first, if you did not copy it?",
        ),
        Misconception(
            name="empty places read",
            answer=lambda ids, distances_m, block_m: np.sort(
                _each_once(ids, distances_m, distances_m <= block_m)
            ),
            question="The last chunk need not be full. Which body stands at 0 m in yours?",
        ),
        Misconception(
            name="what is behind the block kept",
            answer=lambda ids, distances_m, block_m: np.sort(  # noqa: ARG005 - that is the mistake
                _each_once(ids, distances_m, ids >= 0)
            ),
            question="A block may be found after a chunk was handed over. Does the ray reach what is behind it?",
        ),
        Misconception(
            name="in the order of arrival",
            answer=_in_order_of_arrival,
            question="All of them are there. Which comes first: the one that was handed over first, or the nearest?",
        ),
        Misconception(
            name="in the order of their ids",
            answer=_in_order_of_ids,
            question="All of them are there, and np.unique has sorted something. What was it?",
        ),
        Misconception(
            name="what came twice dropped altogether",
            answer=_only_those_handed_over_once,
            question="A body that was handed over twice is still there once. Where is it in your answer?",
        ),
    ),
    hints=(
        "Take out first what is no touch: empty places, and what is behind the block. Then each body once, then sort.",
        "A body is known by its id, not by its distance. np.unique(..., return_index=True) says where each first is.",
        "With asked_for = (ids >= 0) & (distances_m <= block_m), distances_m[asked_for] is in the order of "
        "ids[asked_for]: take it at those places, and sort what you get.",
    ),
)
