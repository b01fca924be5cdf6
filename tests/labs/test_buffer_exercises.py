"""The exercises of chapter 04: right answers in other styles get the verdict of the reference."""

import numpy as np
import pytest

from course.teaching.judge import judge
from labs.buffer_chunk_exercises import ALL_TOUCHES
from labs.buffer_exercises import (
    IS_OCCLUDED,
    KEPT_TOUCHES,
    MAY_BE_TRUNCATED,
    NEAREST_OF_TOUCHES,
    NUMBER_OF_HITS,
)


def counted_one_by_one(n_touches, has_block):
    return [int(n) + (1 if block else 0) for n, block in zip(n_touches, has_block, strict=True)]


def not_less_than_the_room(n_touches, capacity):
    return [float(not n < room) for n, room in zip(n_touches, capacity, strict=True)]


def sorted_and_the_first(distances_m, capacity):
    if len(distances_m) >= capacity:
        return float("nan")
    return sorted([*np.float32(distances_m), np.inf])[0]


def one_after_the_other(distances_m, capacity, block_m):
    kept = []
    for distance in distances_m:
        if len(kept) < capacity and not distance > block_m:
            kept.append(float(distance))
    return kept


def in_a_dictionary(ids, distances_m, block_m):
    found = {}
    for body, distance in zip(np.ravel(ids), np.ravel(distances_m), strict=True):
        if body >= 0 and distance <= block_m:
            found[int(body)] = float(distance)
    return sorted(found.values())


def by_the_nearest_hit(distances_m, target_m):
    return [min(row) < target for row, target in zip(distances_m.tolist(), target_m, strict=True)]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (NUMBER_OF_HITS, counted_one_by_one),
        (MAY_BE_TRUNCATED, not_less_than_the_room),
        (NEAREST_OF_TOUCHES, sorted_and_the_first),
        (KEPT_TOUCHES, one_after_the_other),
        (ALL_TOUCHES, in_a_dictionary),
        (IS_OCCLUDED, by_the_nearest_hit),
    ],
    ids=lambda thing: getattr(thing, "name", None) or thing.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise, answer) -> None:
    right = str(judge(exercise, exercise.reference))
    for seed in range(20):
        assert str(judge(exercise, answer, seed=seed)) == right
