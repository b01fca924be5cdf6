"""The model of the lab: where each shape leaves, and what is reported, against what is known without a query."""

from itertools import product

import pytest

from course.query import Layer
from labs.filter_layers import LAB
from labs.filter_layers_model import STORED, THINGS, FilterRun, model

ALL = [
    dict(zip(LAB.defaults, values, strict=True))
    for values in product(*(p.values for p in LAB.parameters))
]


def default(**changes: str) -> FilterRun:
    return LAB.model(**LAB.defaults | changes)


def left(data: FilterRun) -> dict[str, Layer]:
    return {name: data.result.log.left[name] for name in THINGS}


# What is known without a query: which of its bits each shape has, where the ray comes to it, and what it is.
BIT = {
    "hand": 1,
    "finger": 1,
    "zone": 8,
    "glass": 4,
    "gate": 2,
    "poster": 2,
    "crate": 2,
    "wall": 2,
}
MET_AT_M = {"hand": 0.0, "finger": 0.3, "zone": 0.7, "glass": 1.25, "crate": 2.4, "wall": 3.3}
DYNAMIC = {"hand", "finger", "crate"}


def expected_m(words, rule, kinds, pre, post, stages, crate) -> float:
    """The nearest of those that pass every layer, from the numbers above."""
    asked = 0 if words.startswith("0000") or rule == "disabled" else int(words[:4], 2)
    gone = {"leaves out the robot": {"hand", "finger"}, "leaves out the hand": {"hand"}}
    nearest = {"leaves out hits nearer than 3 m": 3.0, "leaves out hits nearer than 1 m": 1.0}
    distances = [
        distance
        for name, distance in MET_AT_M.items()
        if not (name == "crate" and crate == "not taking part in queries")
        and ("dynamic" if name in DYNAMIC else "static") in kinds
        and (not asked or ("in word 1" not in words and asked & BIT[name]))
        and not ("pre" in stages and name in gone.get(pre, set()))
        and not ("post" in stages and distance < nearest.get(post, 0.0))
    ]
    return min(distances, default=float("inf"))


@pytest.mark.parametrize("settings", [ALL[start::8] for start in range(8)], ids=range(8))
def test_reports_the_nearest_shape_that_passes_every_layer(settings):
    for setting in settings[::7]:
        assert model(**setting).range_m == pytest.approx(expected_m(**setting), abs=1e-12), setting


def test_at_first_eight_shapes_leave_at_six_layers():
    assert left(default()) == {
        "hand": Layer.PRE_FILTER,
        "finger": Layer.PRE_FILTER,
        "zone": Layer.WORDS,
        "glass": Layer.WORDS,
        "gate": Layer.EXACT,
        "poster": Layer.TAKES_PART,
        "crate": Layer.REPORTED,
        "wall": Layer.COLLECTOR,
    }


def test_leaving_out_the_hand_alone_reports_the_finger():
    assert default(pre="leaves out the hand").result.block.name == "finger"


def test_a_callback_is_called_for_those_that_pass_the_words_and_only_if_its_stage_is_on():
    called = set(default().result.log.pre_calls)
    assert called == {"hand", "finger", "gate", "crate", "wall"}
    assert default(stages="post").result.log.pre_calls == ()
    assert default(pre="not given").result.log.pre_calls == ()
    assert default(words="0011, but in word 1").result.log.pre_calls == ()


@pytest.mark.parametrize("crate", ["colliding with nothing", "a trigger"])
def test_what_the_crate_collides_with_changes_no_query(crate):
    assert left(default(crate=crate)) == left(default())


def test_a_post_filter_is_asked_about_hits_only():
    calls = default(post="leaves out hits nearer than 3 m").result.log.post_calls
    assert set(calls) == {"crate", "wall"}


def test_the_scene_holds_each_shape_once_in_another_order_than_the_ray():
    assert sorted(STORED) == sorted(THINGS)
    assert list(STORED) != list(THINGS)


@pytest.mark.parametrize("name", list(LAB.defaults))
def test_refuses_a_word_that_is_no_choice(name):
    with pytest.raises(ValueError, match=f"{name}: expected one of '.*', got 'perhaps'"):
        default(**{name: "perhaps"})
