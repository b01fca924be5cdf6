import re

import pytest

from course.query import HitType, QueryFilter, QueryFlag, QueryShape, raycast, raycast_chunks

START, X = (-3, 0, 0), (1, 0, 0)
PREFILTER = QueryFlag.STATIC | QueryFlag.DYNAMIC | QueryFlag.PREFILTER


def stopping_after(count):
    calls = []

    def receive(chunk):
        calls.append(chunk)
        return len(calls) < count

    return receive


@pytest.fixture
def moving_row(row):
    for candidate in row.candidates:
        row = row.with_settings(candidate.name, QueryShape(dynamic=True))
    return row


def test_physx_5_3_1_hands_over_all_10_in_4_calls(row):
    result = raycast_chunks(row, START, X, 99, capacity=3)
    assert [len(chunk) for chunk in result.chunks] == [3, 3, 3, 1]
    assert {hit.name for hit in result.hits} == {f"r{place}" for place in range(10)}
    assert result.complete is True


def test_physx_5_3_1_told_to_stop_hands_over_the_last_three_again(row):
    """Told to stop after 2 chunks: a third call, 9 entries, 6 of them different."""
    result = raycast_chunks(row, START, X, 99, capacity=3, receive=stopping_after(2))
    assert [len(chunk) for chunk in result.chunks] == [3, 3, 3]
    assert (len(result.entries), len(result.hits)) == (9, 6)
    assert result.complete is False


def test_dynamic_bodies_are_not_handed_over_again(moving_row):
    """Read in the source of PhysX, which knows there that it was stopped; not measured."""
    result = raycast_chunks(moving_row, START, X, 99, capacity=3, receive=stopping_after(2))
    assert (len(result.entries), len(result.hits)) == (6, 6)


def test_a_stop_at_the_very_end_loses_nothing(row):
    result = raycast_chunks(row, START, X, 99, capacity=5, receive=stopping_after(2))
    assert (len(result.hits), result.complete) == (10, True)


@pytest.mark.parametrize("room", [1, 2, 3, 7, 64])
def test_chunks_of_any_size_hold_what_an_ample_buffer_holds(make_random_scene, rng, room):
    filters = QueryFilter(
        flags=PREFILTER,
        pre=lambda c, _: HitType.BLOCK if c.name.endswith("7") else HitType.TOUCH,
    )
    some = 0
    for _ in range(10):
        scene = make_random_scene(rng, count=40)
        ample = raycast(scene, (-5, 0, 0), X, 9, capacity=64, filters=filters)
        result = raycast_chunks(scene, (-5, 0, 0), X, 9, capacity=room, filters=filters)
        assert {hit.name for hit in result.hits} == {hit.name for hit in ample.touches}
        assert result.complete is True
        assert (result.closest is None) == (not ample.has_block)
        if result.closest is not None:
            assert result.closest.name == ample.block.name
        some += len(result.hits)
    assert some > 5


def test_nothing_met_is_nothing_handed_over(row):
    result = raycast_chunks(row, START, (0, 1, 0), 99, capacity=3)
    assert (result.chunks, result.complete) == ((), True)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"capacity": 0}, ValueError, "capacity: expected at least 1, got 0"),
        ({"receive": lambda _: None}, TypeError, "receive: expected True to go on or False to"),
        ({"d_W": (0, 0, 0)}, ValueError, "d_W: expected a direction, got zero"),
        ({"scene": None}, TypeError, "scene: expected a QueryScene, got NoneType"),
    ],
)
def test_broken_questions_are_refused(row, changes, error, message):
    good = {"scene": row, "p_WO": START, "d_W": X, "max_distance": 9, "capacity": 3}
    with pytest.raises(error, match=re.escape(message)):
        raycast_chunks(**good | changes)
