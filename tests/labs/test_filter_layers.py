"""The lab: what it reads out, says and draws, in the settings that a reader can reach."""

from itertools import product

import pytest

from course.query import Layer
from course.teaching.bundle import png
from labs.filter_layers import LAB, RayAndTable, alt, readout
from labs.filter_layers_model import THINGS, FilterRun, model

ALL = [
    dict(zip(LAB.defaults, values, strict=True))
    for values in product(*(p.values for p in LAB.parameters))
]
EVERY_17TH = ALL[::17]  # 17 is no divisor of any number of values, so every value is met


def default(**changes: str) -> FilterRun:
    return LAB.model(**LAB.defaults | changes)


def left(data: FilterRun) -> dict[str, Layer]:
    return {name: data.result.log.left[name] for name in THINGS}


def test_reads_the_range_and_the_calls():
    assert readout(default(post="leaves out hits nearer than 3 m")) == {
        "reading": (pytest.approx(3.3, abs=1e-12), "m"),
        "pre-filter called": (5, "times"),
        "post-filter called": (2, "times"),
    }
    assert readout(default(words="0001 robot"))["reading"] == (float("inf"), "m")


def test_the_page_shows_every_layer():
    shown = {layer for setting in LAB.star() for layer in left(model(**setting)).values()}
    assert shown == set(Layer)


def test_the_sample_meets_every_value_of_every_switch():
    for parameter in LAB.parameters:
        met = {setting[parameter.name] for setting in EVERY_17TH}
        assert met == set(parameter.values)


def test_every_setting_is_described_in_words_of_its_own():
    described = {alt(model(**setting)) for setting in EVERY_17TH}
    assert len(described) == len(EVERY_17TH) > 100


def test_words_say_who_left_where_and_whom_the_callback_saw():
    words = alt(default())
    assert "The ray reports the crate, at 2.400 m." in words
    assert "at words: zone, glass" in words
    assert "the pre-filter for hand, finger, gate, crate, wall" in words
    assert "The ray reports nothing." in alt(default(words="0001 robot"))


def test_a_switch_that_changes_what_is_reported_changes_the_picture():
    picture = RayAndTable()
    drawn = {}
    for setting in LAB.star():
        data = model(**setting)
        picture.show(data)
        seen = (tuple(left(data).values()), data.result.log.pre_calls, data.result.log.post_calls)
        drawn.setdefault((*seen, setting["crate"] == "a trigger"), set()).add(png(picture.figure))
    assert all(len(pictures) == 1 for pictures in drawn.values())
    assert len(set().union(*drawn.values())) == len(drawn) >= 12


def test_marks_and_shapes_are_told_apart_without_colour():
    picture = RayAndTable()
    picture.show(default(crate="a trigger"))
    _ray, table = picture.figure.axes
    marks = {
        (line.get_marker(), line.get_fillstyle())
        for line in table.lines
        if line.get_marker() != "None"
    }
    assert marks == {("x", "full"), ("o", "none"), ("o", "full")}
    looks = {
        (patch.get_hatch(), patch.get_linestyle(), patch.get_facecolor())
        for patches in picture._patches.values()
        for patch in patches
    }
    assert len(looks) == 5  # static, dynamic, either as a trigger, and what takes no part
