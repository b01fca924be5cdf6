"""The exercises of chapter 03 against the query and the engine, and right answers in other styles."""

import numpy as np
import pytest

from course.query import (
    HitType,
    Layer,
    QueryFilter,
    QueryFlag,
    QueryScene,
    QueryShape,
    raycast,
    words_allow,
)
from course.teaching.judge import judge
from course.world import Body, Box, Scene, Sphere, pose
from course.world.bullet import BulletWorld, available
from labs.filter_exercises import (
    BLOCK_DISTANCE,
    LAYER_OF_EXIT,
    PRE_FILTER_CALLS,
)
from labs.filter_mask_exercises import BULLET_RAY_MEETS, WORD_WITHOUT_ROBOT, WORDS_LET_PASS

BOTH = QueryFlag.STATIC | QueryFlag.DYNAMIC


def row(count: int, settings: list[QueryShape]) -> QueryScene:
    """Boxes of 1 m, one behind the other, from a start 2.5 m before the first."""
    bodies = [
        Body(name=f"r{place}", shape=Box((1, 1, 1)), X_WB=pose(translation=(2 * place, 0, 0)))
        for place in range(count)
    ]
    return QueryScene(
        Scene(bodies), {f"r{place}": setting for place, setting in enumerate(settings)}
    )


# --- each reference against the model of queries, or against the engine -------------------------------------


def test_the_words_are_compared_as_the_query_compares_them():
    for seed in range(20):
        for case in WORDS_LET_PASS.cases(seed):
            query, shape = (tuple(map(int, words)) for words in case.values())
            assert WORDS_LET_PASS.reference(**case) is words_allow(query, shape)
            scene = row(1, [QueryShape(words=shape)])
            found = raycast(scene, (-3, 0, 0), (1, 0, 0), 9, filters=QueryFilter(words=query)).found
            assert WORDS_LET_PASS.reference(**case) is found


def test_the_word_sees_no_shape_of_the_robot_and_is_as_full_as_it_can_be():
    for seed in range(20):
        for case in WORD_WITHOUT_ROBOT.cases(seed):
            word = WORD_WITHOUT_ROBOT.reference(**case)
            robot = case["shape_words"][case["robot"]]
            assert 0 < word < 256  # 0 would compare nothing
            assert not (robot & word).any()
            for bit in (1 << place for place in range(8)):
                assert bool(word & bit) is not bool((robot & bit).any())


def test_a_shape_leaves_where_the_query_says():
    number = {layer: place for place, layer in enumerate(Layer, start=1)} | {Layer.REPORTED: 0}
    for seed in range(20):
        for case in LAYER_OF_EXIT.cases(seed):
            answer = HitType.NONE if case["drops"] else HitType.BLOCK
            flags = QueryFlag.PREFILTER if case["stage_on"] else QueryFlag(0)
            for looks, flag in zip(case["looks_at"], BOTH, strict=True):
                flags |= flag if looks else QueryFlag(0)
            # Beside the ball, but through the box around it: the ray comes near in any case.
            start = (-3.0, 0.0, 0.0) if case["met"] else (-3.0, 0.9, 0.9)
            ball = Body(name="ball", shape=Sphere(1.0), X_WB=pose())
            settings = QueryShape(
                takes_part=case["takes_part"],
                dynamic=case["dynamic"],
                words=(case["shape_word"], 0, 0, 0),
            )
            filters = QueryFilter(
                words=(case["query_word"], 0, 0, 0), flags=flags, pre=lambda *_, a=answer: a
            )
            log = raycast(
                QueryScene(Scene([ball]), {"ball": settings}), start, (1, 0, 0), 9, filters=filters
            ).log
            assert number[log.left["ball"]] == LAYER_OF_EXIT.reference(**case), case


def test_the_callback_is_called_as_often_as_the_query_calls_it():
    for seed in range(20):
        for case in PRE_FILTER_CALLS.cases(seed):
            flags = BOTH
            flags |= QueryFlag.PREFILTER if case["stage_on"] else QueryFlag(0)
            flags |= QueryFlag(0) if case["rule_on"] else QueryFlag.DISABLE_HARDCODED_FILTER
            settings = [
                QueryShape(takes_part=bool(part), words=(int(word), 0, 0, 0))
                for part, word in zip(case["takes_part"], case["shape_words"], strict=True)
            ]
            filters = QueryFilter(
                words=(case["query_word"], 0, 0, 0),
                flags=flags,
                pre=(lambda *_: HitType.TOUCH) if case["given"] else None,
            )
            result = raycast(
                row(len(settings), settings),
                (-3, 0, 0),
                (1, 0, 0),
                99,
                capacity=16,
                filters=filters,
            )
            assert len(result.log.pre_calls) == PRE_FILTER_CALLS.reference(**case)


def test_the_block_is_the_one_that_the_query_reports():
    types = (HitType.NONE, HitType.TOUCH, HitType.BLOCK)
    for seed in range(20):
        for case in BLOCK_DISTANCE.cases(seed):
            bodies = [
                Body(name=f"r{place}", shape=Box((0.01, 1, 1)), X_WB=pose(translation=(d, 0, 0)))
                for place, d in enumerate(case["distance_m"] + 0.005)
            ]
            pre = {f"r{place}": types[says] for place, says in enumerate(case["pre"])}
            post = {f"r{place}": types[says] for place, says in enumerate(case["post"])}
            filters = QueryFilter(
                flags=BOTH | QueryFlag.PREFILTER | QueryFlag.POSTFILTER,
                pre=lambda candidate, _, says=pre: says[candidate.name],
                post=lambda candidate, _, says=post: says[candidate.name],
            )
            result = raycast(
                QueryScene(Scene(bodies)), (0, 0, 0), (1, 0, 0), 99, capacity=9, filters=filters
            )
            reported = result.block.distance if result.has_block else np.inf
            assert BLOCK_DISTANCE.reference(**case) == pytest.approx(reported, abs=1e-12)


@pytest.mark.skipif(not available(), reason="pybullet has no wheel here")
def test_bullet_meets_what_the_rule_says():
    box = Body(name="box", shape=Box((1, 1, 1)), X_WB=pose())
    with BulletWorld(Scene([box])) as world:
        for seed in range(5):
            for case in BULLET_RAY_MEETS.cases(seed):
                for group, mask, expected in zip(
                    case["group"], case["mask"], BULLET_RAY_MEETS.reference(**case), strict=True
                ):
                    world.call("setCollisionFilterGroupMask", 0, -1, int(group), int(mask))
                    answer = world.call(
                        "rayTest", [-3, 0, 0], [3, 0, 0], collisionFilterMask=case["ray_mask"]
                    )
                    assert (answer[0][0] == world.uid_of("box")) == expected, case


# --- other styles -------------------------------------------------------------------------------------------


def words_in_a_loop(query_words, shape_words):
    if sum(query_words) == 0:
        return 1
    return int(any(q & s for q, s in zip(query_words, shape_words, strict=True)))


def robot_in_a_loop(shape_words, robot):
    joined = 0
    for word, is_robot in zip(shape_words, robot, strict=True):
        if is_robot:
            joined |= word
    return joined ^ 0xFF


def calls_in_a_loop(takes_part, shape_words, query_word, given, stage_on, rule_on):
    calls = 0
    for part, word in zip(takes_part, shape_words, strict=True):
        passes = not rule_on or query_word == 0 or word & query_word
        calls += bool(part and passes and given and stage_on)
    return calls


def bullet_in_a_loop(group, mask, ray_mask):
    return [int(g & ray_mask and m % 2) for g, m in zip(group, mask, strict=True)]


def block_in_float32(distance_m, pre, post):
    return np.where((pre > 0) & (post == 2), np.float32(distance_m), np.inf).min()


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (WORDS_LET_PASS, words_in_a_loop),
        (WORD_WITHOUT_ROBOT, robot_in_a_loop),
        (PRE_FILTER_CALLS, calls_in_a_loop),
        (BULLET_RAY_MEETS, bullet_in_a_loop),
        (BLOCK_DISTANCE, block_in_float32),
    ],
    ids=lambda thing: getattr(thing, "__name__", None),
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise, answer) -> None:
    right = str(judge(exercise, exercise.reference))
    for seed in range(20):
        assert str(judge(exercise, answer, seed=seed)) == right
