"""Exercises on filter layers: where a shape leaves, how often a callback runs, what two of them decide together.

`EXERCISES` has those on words and masks too, in the order of the chapter.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Answer, Case, Exercise, Misconception
from labs.filter_mask_exercises import (
    BULLET_RAY_MEETS,
    WORD_WITHOUT_ROBOT,
    WORDS_LET_PASS,
    Flags,
    Whole,
    word_array,
)

Array = NDArray[np.float64]

NOBODYS_BIT = 1 << 10
"""A bit that no shape in a case has."""


def _changed(answer: Answer, place: int, change: Callable[[Any], Any]) -> Answer:
    """The same answer to another question: one argument is changed."""

    def changed(*case: Any) -> Any:
        arguments = list(case)
        arguments[place] = change(arguments[place])
        return answer(*arguments)

    return changed


# --- where a shape leaves -----------------------------------------------------------------------------------


def _layer_of_exit(
    takes_part: bool,
    dynamic: bool,
    looks_at: Flags,
    query_word: int,
    shape_word: int,
    drops: bool,
    stage_on: bool,
    met: bool,
) -> int:
    if not takes_part:
        return 1
    if not looks_at[int(dynamic)]:
        return 2
    if query_word != 0 and query_word & shape_word == 0:
        return 4
    if stage_on and drops:
        return 5
    return 0 if met else 6


def _objections(*case: object) -> list[int]:
    """All layers that would object, in their order."""
    takes_part, dynamic, looks_at, query_word, shape_word, drops, stage_on, met = case
    assert isinstance(query_word, int)
    assert isinstance(shape_word, int)
    assert isinstance(looks_at, np.ndarray)
    objects = {
        1: not takes_part,
        2: not looks_at[1 if dynamic else 0],
        4: query_word != 0 and not query_word & shape_word,
        5: stage_on and drops,
        6: not met,
    }
    return [layer for layer, objection in objects.items() if objection]


def _first_of(order: tuple[int, ...], *case: object) -> int:
    objecting = _objections(*case)
    return next((layer for layer in order if layer in objecting), 0)


def _exit_case(
    takes_part: bool = True,
    dynamic: bool = False,
    looks_at: tuple[bool, bool] = (True, True),
    query_word: int = 2,
    shape_word: int = 2,
    drops: bool = False,
    stage_on: bool = True,
    met: bool = True,
) -> Case:
    return {
        "takes_part": takes_part,
        "dynamic": dynamic,
        "looks_at": np.array(looks_at),
        "query_word": query_word,
        "shape_word": shape_word,
        "drops": drops,
        "stage_on": stage_on,
        "met": met,
    }


def _random_exit(rng: np.random.Generator) -> Case:
    yes = rng.random(6) < (0.85, 0.5, 0.8, 0.8, 0.4, 0.7)
    takes_part, dynamic, static_on, dynamic_on, drops, met = (bool(value) for value in yes)
    return _exit_case(
        takes_part,
        dynamic,
        (static_on, dynamic_on),
        int(rng.choice([0, 1, 2, 3, 6])),
        int(rng.choice([1, 2, 4])),
        drops,
        bool(rng.random() < 0.7),
        met,
    )


LAYER_OF_EXIT = Exercise(
    name="layer_of_exit",
    title="The number of the layer at which a shape leaves",
    reference=_layer_of_exit,
    unit="",
    tolerance=0.0,
    fixed=(
        _exit_case(shape_word=1, drops=True),
        _exit_case(drops=True, met=False),
        _exit_case(drops=True, stage_on=False),
        _exit_case(query_word=0, shape_word=4),
        _exit_case(takes_part=False, looks_at=(False, True)),
        _exit_case(dynamic=True, looks_at=(True, False)),
        _exit_case(),
        _exit_case(met=False),
    ),
    random_case=_random_exit,
    misconceptions=(
        Misconception(
            name="the callback before the words",
            answer=lambda *case: _first_of((1, 2, 5, 4, 6), *case),
            question="If the callback came first it would see every shape. Does it see those that the words removed?",
        ),
        Misconception(
            name="the exact intersection before the callback",
            answer=lambda *case: _first_of((1, 2, 4, 6, 5), *case),
            question="A pre-filter saves work. Which work is saved if the intersection has been computed already?",
        ),
        Misconception(
            name="a callback that runs though its stage is off",
            answer=_changed(_layer_of_exit, 6, lambda _: True),
            question="stage_on is False, and the callback would drop the shape. Was it asked?",
        ),
        Misconception(
            name="a query word 0 that lets nothing pass",
            answer=_changed(_layer_of_exit, 3, lambda word: word or NOBODYS_BIT),
            question="A query whose words are all 0 asks for no comparison. What does yours do with 0?",
        ),
        Misconception(
            name="static and dynamic mixed up",
            answer=_changed(_layer_of_exit, 1, lambda dynamic: not dynamic),
            question="looks_at is [static, dynamic]. At which place is a dynamic shape looked up?",
        ),
        Misconception(
            name="the kind before taking part",
            answer=lambda *case: _first_of((2, 1, 4, 5, 6), *case),
            question="A shape that does not take part is in no tree. Does anybody ask for its kind?",
        ),
        Misconception(
            name="the last layer that objects",
            answer=lambda *case: _first_of((6, 5, 4, 2, 1), *case),
            question="A shape that has left is asked nothing more. Is the first objection the answer, or the last?",
        ),
    ),
    hints=(
        "One question after the other, in the order of their numbers, and return at the first that says no.",
        "Two of them have an exception: a query word 0 compares nothing, and a callback whose stage is off is silent.",
        "if not takes_part: return 1; if not looks_at[int(dynamic)]: return 2; if query_word and not query_word & "
        "shape_word: return 4; then the callback, then 6 if not met, and 0.",
    ),
)


# --- how often a callback runs ------------------------------------------------------------------------------


def _pre_filter_calls(
    takes_part: Flags,
    shape_words: Whole,
    query_word: int,
    given: bool,
    stage_on: bool,
    rule_on: bool,
) -> int:
    if not (given and stage_on):
        return 0
    seen = takes_part
    if rule_on and query_word != 0:
        seen = seen & (shape_words & query_word != 0)
    return int(seen.sum())


def _calls_case(
    takes_part: tuple[bool, ...],
    shape_words: tuple[int, ...],
    query_word: int,
    given: bool = True,
    stage_on: bool = True,
    rule_on: bool = True,
) -> Case:
    return {
        "takes_part": np.array(takes_part),
        "shape_words": word_array(*shape_words),
        "query_word": query_word,
        "given": given,
        "stage_on": stage_on,
        "rule_on": rule_on,
    }


def _random_calls(rng: np.random.Generator) -> Case:
    count = int(rng.integers(5, 10))
    given, stage_on, rule_on = (bool(rng.random() < share) for share in (0.9, 0.8, 0.7))
    return {
        "takes_part": rng.random(count) < 0.8,
        "shape_words": rng.integers(1, 8, count),
        "query_word": int(rng.integers(0, 8)),
        "given": given,
        "stage_on": stage_on,
        "rule_on": rule_on,
    }


PRE_FILTER_CALLS = Exercise(
    name="pre_filter_calls",
    title="How often the pre-filter is called",
    reference=_pre_filter_calls,
    unit="",
    tolerance=0.0,
    fixed=(
        _calls_case((True, True, True, False), (1, 2, 3, 2), 2),
        _calls_case((True, True, True, False), (1, 2, 3, 2), 2, rule_on=False),
        _calls_case((True, True, True, False), (1, 2, 3, 2), 0),
        _calls_case((True, True, True), (1, 2, 4), 2, stage_on=False),
        _calls_case((True, True, True), (2, 2, 4), 2, given=False),
        _calls_case((True, True, True, True), (1, 1, 1, 2), 2),
    ),
    random_case=_random_calls,
    misconceptions=(
        Misconception(
            name="called for every shape",
            answer=lambda part, _words, _word, given, on, _rule: len(part) * (given and on),
            question="The callback is the fourth layer here, not the first. Who has left before it?",
        ),
        Misconception(
            name="words compared though the rule is off",
            answer=_changed(_pre_filter_calls, 5, lambda _: True),
            question="rule_on is False: nobody compares words then. Who comes to the callback?",
        ),
        Misconception(
            name="called though its stage is off",
            answer=_changed(_pre_filter_calls, 4, lambda _: True),
            question="To give a callback is not enough. What else has to be switched on?",
        ),
        Misconception(
            name="called though none is given",
            answer=_changed(_pre_filter_calls, 3, lambda _: True),
            question="The stage is on and there is no function. What is called then?",
        ),
        Misconception(
            name="a query word 0 that lets nothing pass",
            answer=_changed(_pre_filter_calls, 2, lambda word: word or NOBODYS_BIT),
            question="A query word 0 compares nothing. Does the callback then see none, or all?",
        ),
        Misconception(
            name="shapes counted that take no part",
            answer=_changed(_pre_filter_calls, 0, np.ones_like),
            question="A shape that takes no part is in no tree. Can a callback see it?",
        ),
        Misconception(
            name="one call a query",
            answer=lambda *case: min(1, _pre_filter_calls(*case)),
            question="Is the callback asked about the query, or about each shape?",
        ),
        Misconception(
            name="called for those that the words removed",
            answer=lambda part, words, word, given, on, rule: int(
                given and on and (part & ((words & word == 0) & (word != 0) & rule)).sum()
            ),
            question="Those that leave at the words are gone. Who is left for the callback?",
        ),
    ),
    hints=(
        "When is a callback not called at all? There are two reasons.",
        "Else it is called once for each shape that has passed the layers before it: taking part, and the words.",
        "(takes_part & (shape_words & query_word != 0)).sum(), and only takes_part.sum() if the rule is off or the "
        "query word is 0.",
    ),
)


# --- pre- and post-filter together --------------------------------------------------------------------------


def _block_distance(distance_m: Array, pre: Whole, post: Whole) -> float:
    blocks = (pre != 0) & (post == 2)
    return float(distance_m[blocks].min(initial=np.inf))


def _nearest(distance_m: Array, counts: Flags) -> float:
    return float(distance_m[counts].min(initial=np.inf))


def _closest_first(distance_m: Array, pre: Whole, post: Whole) -> float:
    kept = np.where(pre != 0, distance_m, np.inf)
    place = kept.argmin()
    return float(kept[place]) if post[place] == 2 else np.inf


def _random_decisions(rng: np.random.Generator) -> Case:
    count = int(rng.integers(4, 7))
    return {
        "distance_m": rng.permutation(np.arange(count)) + rng.uniform(0.1, 0.9, count),
        "pre": rng.choice([0, 1, 2], count),
        "post": rng.choice([0, 1, 2], count),
    }


BLOCK_DISTANCE = Exercise(
    name="block_distance",
    title="The block that two callbacks leave",
    reference=_block_distance,
    unit="m",
    tolerance=1e-5,
    fixed=(
        {
            "distance_m": np.array([4.5, 2.5, 6.5]),
            "pre": word_array(1, 0, 2),
            "post": word_array(2, 2, 2),
        },
        {
            "distance_m": np.array([2.5, 8.5, 4.5, 6.5]),
            "pre": word_array(2, 2, 2, 2),
            "post": word_array(0, 2, 1, 2),
        },
        {
            "distance_m": np.array([3.0, 5.0]),
            "pre": word_array(1, 2),
            "post": word_array(1, 1),
        },
        {
            "distance_m": np.array([1.0, 2.0]),
            "pre": word_array(2, 0),
            "post": word_array(0, 2),
        },
    ),
    random_case=_random_decisions,
    misconceptions=(
        Misconception(
            name="a post-filter that brings back what the pre-filter removed",
            answer=lambda d, _pre, post: _nearest(d, post == 2),
            question="The pre-filter said NONE. Was there ever a hit about which the post-filter could be asked?",
        ),
        Misconception(
            name="the pre-filter's word kept",
            answer=lambda d, pre, _post: _nearest(d, pre == 2),
            question="The pre-filter said BLOCK; the post-filter, later and with the hit in hand, another. Who wins?",
        ),
        Misconception(
            name="the stricter of both",
            answer=lambda d, pre, post: _nearest(d, np.minimum(pre, post) == 2),
            question="TOUCH, and then BLOCK: does the post-filter replace what was said, or only take away?",
        ),
        Misconception(
            name="BLOCK as soon as one of them says so",
            answer=lambda d, pre, post: _nearest(
                d, (pre != 0) & (post != 0) & (np.maximum(pre, post) == 2)
            ),
            question="BLOCK, and then TOUCH: what has the later one made of the hit?",
        ),
        Misconception(
            name="a touch taken for the block",
            answer=lambda d, pre, post: _nearest(d, (pre != 0) & (post != 0)),
            question="A touch is reported beside the block. Is it ever the block?",
        ),
        Misconception(
            name="the closest first, and the post-filter after it",
            answer=_closest_first,
            question="If the closest is dropped, is there nothing behind it?",
        ),
    ),
    hints=(
        "Which shapes come to the post-filter at all?",
        "Of those, the post-filter alone decides: what it calls 2 is a block, whatever was said before.",
        "distance_m[(pre != 0) & (post == 2)].min(initial=np.inf)",
    ),
)


EXERCISES = (
    WORDS_LET_PASS,
    LAYER_OF_EXIT,
    PRE_FILTER_CALLS,
    BLOCK_DISTANCE,
    WORD_WITHOUT_ROBOT,
    BULLET_RAY_MEETS,
)
"""In the order of the chapter."""
