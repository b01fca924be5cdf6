"""What the lab on truncated buffers reads out, says and draws in the settings that a reader can reach."""

from itertools import product

import numpy as np
import pytest

from labs.buffer_truncation import LAB, LOOKS, RowAndBuffer, alt, model, readout

CROSSED = [
    dict(zip(LAB.defaults, values, strict=True))
    for values in product((0, 1, 4, 12), (1, 5, 10, 12), *(p.values for p in LAB.parameters[2:]))
]


def default(**changes):
    return LAB.model(**LAB.defaults | changes)


def numbers(data):
    return {name: number for name, (number, _unit) in readout(data).items()}


@pytest.mark.parametrize("setting", CROSSED, ids=str)
def test_reads_the_nearest_box_and_the_nearest_hit(setting):
    data = model(**setting)
    reported = min(hit.distance for hit in data.result.hits)
    assert numbers(data) == pytest.approx(
        {
            "nearest box of all": 2.5,
            "nearest hit reported": reported,
            "too far by": reported - 2.5,
        },
        rel=0,
        abs=1e-12,
    )
    assert all(np.isfinite(number) for number in numbers(data).values())


def test_the_default_is_the_surprise():
    assert numbers(default())["too far by"] == 10.0
    assert numbers(default(capacity=10))["too far by"] == 0.0


def test_words_say_what_is_lost_what_the_count_says_and_what_the_record_says():
    words = alt(default())
    assert "hits at 18.5, 20.5, 12.5, 16.5 m, in this order" in words
    assert "The nearest box, at 2.5 m, is lost." in words
    assert "no block, 4 touches, room for 4: full, so perhaps truncated." in words
    assert words.endswith("Our record says: not complete, 6 touches lost.")
    assert "full, so perhaps truncated. Our record says: complete." in alt(default(capacity=10))
    assert "not full. Our record says: complete." in alt(default(capacity=11))
    stopped = alt(default(capacity=2, seen_from="left", block="the 3rd nearest"))
    assert stopped.endswith("it stopped when it was full, so nobody knows.")
    assert "no touch is kept; the block is at 2.5 m" in alt(default(capacity=0))


def test_the_kinds_of_boxes_are_told_apart_without_colour():
    marks = [(look["linestyle"], word) for look, word, _colour, _label in LOOKS]
    assert len(set(marks)) == len(LOOKS)


def shown(picture):
    """(x, outline, letter) of every box that is seen."""
    return [
        (box.get_x(), box.get_linestyle(), letter.get_text())
        for box, letter in zip(picture._boxes, picture._letters, strict=True)
        if box.get_visible()
    ]


def test_boxes_stand_where_the_scene_has_them_and_carry_their_places():
    picture = RowAndBuffer()
    picture.show(default())
    from_the_left = sorted(shown(picture))
    assert [x for x, _, _ in from_the_left] == pytest.approx(2.5 + 2 * np.arange(10))
    assert "".join(letter for _, _, letter in from_the_left) == "214×3×××××"
    picture.show(default(block="the 3rd nearest", n_shapes=5, seen_from="left"))
    assert "".join(letter for _, _, letter in sorted(shown(picture))) in {"12B", "21B"}
    assert len(shown(picture)) == 5
