import re

import numpy as np
import pytest

from course.query import (
    FieldNotValidError,
    HitFlag,
    HitType,
    Layer,
    QueryFilter,
    QueryFlag,
    QueryScene,
    QueryShape,
    raycast,
)
from course.query.filters import walk_layers
from course.query.raycast import Ray
from course.world import Body, Scene, Sphere, pose

START, X = (-3, 0, 0), (1, 0, 0)
BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC


def left_at(candidate, filters, layers):
    layer, _ = walk_layers(candidate, filters, (HitType.BLOCK, HitFlag(0)), layers)
    return layer


# Each pair of neighbours in the order of layers, and an input that tells which of them comes first.


def test_not_taking_part_comes_before_the_kind(row):
    scene = row.with_settings("r0", QueryShape(takes_part=False, dynamic=True))
    static_only = QueryFilter(flags=QueryFlag.STATIC)
    result = raycast(scene, START, X, 99, filters=static_only)
    assert result.log.left["r0"] is Layer.TAKES_PART
    swapped = (Layer.KIND, Layer.TAKES_PART)
    assert left_at(scene.candidate("r0"), static_only, swapped) is Layer.KIND


def test_the_kind_comes_before_the_words(row):
    scene = row.with_settings("r0", QueryShape(dynamic=True, words=(1, 0, 0, 0)))
    filters = QueryFilter(flags=QueryFlag.STATIC, words=(2, 0, 0, 0))
    assert raycast(scene, START, X, 99, filters=filters).log.left["r0"] is Layer.KIND
    assert left_at(scene.candidate("r0"), filters, (Layer.WORDS, Layer.KIND)) is Layer.WORDS


def test_the_words_come_before_the_callback_which_never_sees_what_they_removed(row):
    seen = []

    def pre(candidate, _):
        seen.append(candidate.name)
        return HitType.NONE

    scene = row.with_settings("r0", QueryShape(words=(1, 0, 0, 0)))
    filters = QueryFilter(flags=BOTH | QueryFlag.PREFILTER, words=(2, 0, 0, 0), pre=pre)
    assert raycast(scene, START, X, 99, filters=filters).log.left["r0"] is Layer.WORDS
    assert seen == []
    swapped = (Layer.PRE_FILTER, Layer.WORDS)
    assert left_at(scene.candidate("r0"), filters, swapped) is Layer.PRE_FILTER
    assert seen == ["r0"]


def test_the_callback_comes_before_the_intersection_whose_flags_it_may_change(kinds):
    """From inside the mesh: nothing, unless a callback asks for both sides in time."""
    filters = QueryFilter(
        flags=BOTH | QueryFlag.PREFILTER,
        pre=lambda _, flags: (HitType.BLOCK, flags | HitFlag.MESH_BOTH_SIDES),
    )
    inside, flags = (20, 0.1, 0.2), HitFlag.POSITION
    assert raycast(kinds, inside, X, 3, filters=filters, hit_flags=flags).block.distance == 0.5
    before = Ray(p_WO=as_array(inside), d_W=as_array(X)).meet(kinds.candidate("T"), flags, 3)
    assert len(before) == 0


def test_the_callback_comes_before_the_intersection_also_for_what_the_ray_misses():
    ball = Body(name="ball", shape=Sphere(1), X_WB=pose())
    decided = []

    def note(answer):
        def callback(candidate, _):
            decided.append((candidate.name, answer))
            return answer

        return callback

    corner = (-3, 0.9, 0.9)  # through the box around the ball, past the ball
    flags = BOTH | QueryFlag.PREFILTER | QueryFlag.POSTFILTER
    filters = QueryFilter(flags=flags, pre=note(HitType.TOUCH), post=note(HitType.BLOCK))
    result = raycast(QueryScene(Scene([ball])), corner, X, 9, filters=filters)
    assert decided == [("ball", HitType.TOUCH)]
    assert result.log.left["ball"] is Layer.EXACT


def test_the_intersection_comes_before_the_post_filter_which_knows_the_distance(row):
    distances = []

    def post(_, hit):
        distances.append(hit.distance)
        return HitType.NONE

    filters = QueryFilter(flags=BOTH | QueryFlag.POSTFILTER, post=post)
    result = raycast(row, START, X, 9, filters=filters)
    assert sorted(distances) == [2.5, 4.5, 6.5, 8.5]
    assert result.log.at(Layer.POST_FILTER) == ("r3", "r1", "r2", "r0")
    assert not result.found


def test_the_post_filter_comes_before_the_collector(row):
    """Were the closest chosen first, and filtered then, nothing would be left."""

    def far(_, hit):
        return HitType.NONE if hit.distance < 7 else HitType.BLOCK

    filters = QueryFilter(flags=BOTH | QueryFlag.POSTFILTER, post=far)
    assert raycast(row, START, X, 99, filters=filters).block.name == "r3"
    closest = raycast(row, START, X, 99).block
    assert far(row.candidate(closest.name), closest) is HitType.NONE


def as_array(vector):
    return np.array(vector, np.float64)


def test_a_post_filter_replaces_what_the_pre_filter_said(row):
    flags = BOTH | QueryFlag.PREFILTER | QueryFlag.POSTFILTER
    touch, block = (lambda *_: HitType.TOUCH), (lambda *_: HitType.BLOCK)
    blocked = raycast(
        row, START, X, 99, capacity=16, filters=QueryFilter(flags=flags, pre=touch, post=block)
    )
    assert (blocked.block.name, blocked.n_touches) == ("r0", 0)
    touched = raycast(
        row, START, X, 99, capacity=16, filters=QueryFilter(flags=flags, pre=block, post=touch)
    )
    assert (touched.has_block, touched.n_touches) == (False, 10)


@pytest.mark.parametrize("stage", ["pre", "post"])
def test_a_callback_whose_stage_is_off_is_never_called(row, stage):
    filters = QueryFilter(**{stage: lambda *_: HitType.NONE})
    result = raycast(row, START, X, 99, filters=filters)
    assert result.block.name == "r0"
    assert result.log.pre_calls == result.log.post_calls == ()


def test_a_stage_without_a_callback_lets_all_pass(row):
    flags = BOTH | QueryFlag.PREFILTER | QueryFlag.POSTFILTER
    assert raycast(row, START, X, 99, filters=QueryFilter(flags=flags)).block.name == "r0"


def test_a_pre_filter_changes_only_what_may_be_changed(row):
    """It may not take away the position, nor ask for what the query did not."""
    filters = QueryFilter(
        flags=BOTH | QueryFlag.PREFILTER, pre=lambda *_: (HitType.BLOCK, HitFlag.NORMAL)
    )
    hit = raycast(row, START, X, 99, filters=filters, hit_flags=HitFlag.POSITION).block
    assert hit.valid == HitFlag.POSITION
    with pytest.raises(FieldNotValidError):
        hit.n_W  # noqa: B018


def test_a_self_is_all_of_its_bodies(row):
    """A sensor on r0 whose robot is r0 and r1: to leave out r0 alone is to see oneself."""

    def without(*names):
        return QueryFilter(
            flags=BOTH | QueryFlag.PREFILTER,
            pre=lambda c, _: HitType.NONE if c.name in names else HitType.BLOCK,
        )

    assert raycast(row, (0, 0, 0), X, 99).block.distance == 0
    assert raycast(row, (0, 0, 0), X, 99, filters=without("r0")).block.name == "r1"
    assert raycast(row, (0, 0, 0), X, 99, filters=without("r0", "r1")).block.name == "r2"


def test_simulation_words_and_triggers_are_nothing_to_a_query(row):
    plain = raycast(row, START, X, 99, filters=QueryFilter(words=(1, 0, 0, 0)))
    trigger = QueryShape(simulation_words=(1, 1, 1, 1), trigger=True)
    assert not plain.found
    changed = row.with_settings("r0", trigger)
    assert not raycast(changed, START, X, 99, filters=QueryFilter(words=(1, 0, 0, 0))).found
    assert raycast(changed, START, X, 99).block.name == "r0"


def test_every_body_leaves_at_one_layer(make_random_scene, rng):
    for _ in range(20):
        scene = make_random_scene(rng)
        filters = QueryFilter(
            words=(1, 2, 0, 0),
            flags=QueryFlag.STATIC | QueryFlag.PREFILTER | QueryFlag.POSTFILTER,
            pre=lambda c, _: HitType.NONE if c.name.endswith("1") else HitType.TOUCH,
            post=lambda c, _: HitType.NONE if c.name.endswith("2") else HitType.TOUCH,
        )
        result = raycast(scene, rng.normal(size=3), (0, 0.6, 0.8), 9, capacity=3, filters=filters)
        log = result.log
        assert list(log.left) == [candidate.name for candidate in scene.candidates]
        assert sum(log.counts.values()) == len(scene.candidates)
        assert set(log.at(Layer.REPORTED)) == {hit.name for hit in result.hits}
        for candidate in scene.candidates:
            assert (log.left[candidate.name] is Layer.TAKES_PART) == (
                not candidate.settings.takes_part
            )


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"flags": 3}, TypeError, "QueryFilter.flags: expected QueryFlag.STATIC | ..., got 3"),
        ({"pre": HitType.NONE}, TypeError, "QueryFilter.pre: expected a function, got"),
        ({"words": (-1, 0, 0, 0)}, ValueError, "QueryFilter.words: word 0: expected at least 0"),
    ],
)
def test_broken_filters_are_refused(changes, error, message):
    with pytest.raises(error, match=re.escape(message)):
        QueryFilter(**changes)


@pytest.mark.parametrize("answer", [True, None, "BLOCK", 2])
def test_a_callback_must_decide(row, answer):
    for stage, flag in (("pre", QueryFlag.PREFILTER), ("post", QueryFlag.POSTFILTER)):
        filters = QueryFilter(flags=BOTH | flag, **{stage: lambda *_: answer})
        message = re.escape(f"{stage}-filter: expected HitType.NONE, TOUCH or BLOCK, got")
        with pytest.raises(TypeError, match=message):
            raycast(row, START, X, 99, filters=filters)
