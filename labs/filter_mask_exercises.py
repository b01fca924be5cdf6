"""Exercises on words and masks: the built-in rule, a word that sees no shape of the robot, and Bullet's two-way rule.

Words are whole numbers, of which each bit stands for one kind of thing. A truth value counts as 1 or 0.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception

Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


def word_array(*words: int) -> Whole:
    """Words as an array, as cases hold them."""
    return np.array(words, np.int64)


# --- the built-in rule --------------------------------------------------------------------------------------


def _words_let_pass(query_words: Whole, shape_words: Whole) -> bool:
    if not query_words.any():
        return True
    return bool((query_words & shape_words).any())


def _unless_zero(query_words: Whole, answer: bool) -> bool:
    return answer or not query_words.any()


def _random_words(rng: np.random.Generator) -> Case:
    words = rng.integers(1, 8, (2, 4)) * (rng.random((2, 4)) < 0.4)
    return {"query_words": words[0], "shape_words": words[1]}


WORDS_LET_PASS = Exercise(
    name="words_let_pass",
    title="The built-in rule: AND in each word, OR over the four",
    reference=_words_let_pass,
    unit="",
    tolerance=0.0,
    fixed=(
        {"query_words": word_array(3, 0, 0, 0), "shape_words": word_array(2, 0, 0, 0)},
        {"query_words": word_array(0, 4, 0, 0), "shape_words": word_array(4, 0, 0, 0)},
        {"query_words": word_array(0, 0, 0, 0), "shape_words": word_array(1, 0, 0, 0)},
        {"query_words": word_array(4, 0, 0, 0), "shape_words": word_array(3, 8, 0, 0)},
        {"query_words": word_array(1, 4, 0, 0), "shape_words": word_array(1, 2, 0, 0)},
        {"query_words": word_array(1, 0, 0, 0), "shape_words": word_array(3, 0, 0, 0)},
        {"query_words": word_array(1, 0, 0, 0), "shape_words": word_array(0, 0, 0, 0)},
    ),
    random_case=_random_words,
    misconceptions=(
        Misconception(
            name="four words that must all match",
            answer=lambda q, s: _unless_zero(q, bool((q & s).all())),
            question="Most words are 0 in most programs, and 0 & anything is 0. What joins the four answers: and, or?",
        ),
        Misconception(
            name="every word that asks must match",
            answer=lambda q, s: bool((q & s)[q != 0].all()),
            question="Words (1, 4, 0, 0) ask a shape with (1, 2, 0, 0). Is one word that matches enough?",
        ),
        Misconception(
            name="equal words in place of a common bit",
            answer=lambda q, s: _unless_zero(q, bool(((q == s) & (q != 0)).any())),
            question="A query for kinds 1 and 2 is the word 3. Does a shape of kind 2 have to be of kind 1 as well?",
        ),
        Misconception(
            name="every bit of a word must be there",
            answer=lambda q, s: _unless_zero(q, bool((((q & s) == q) & (q != 0)).any())),
            question="3 & 2 is 2, which is not 3. Does the rule ask for that, or only for something that is not 0?",
        ),
        Misconception(
            name="bits found in another word",
            answer=lambda q, s: _unless_zero(
                q, bool(np.bitwise_or.reduce(q) & np.bitwise_or.reduce(s))
            ),
            question="Word 1 of the query is compared with word 1 of the shape. With which did you compare it?",
        ),
        Misconception(
            name="a query of zeros sees nothing",
            answer=lambda q, s: bool((q & s).any()),
            question="A query that nobody gave any words has (0, 0, 0, 0). Does it see nothing, or all?",
        ),
        Misconception(
            name="OR in place of AND",
            answer=lambda q, s: bool((q | s).any()) or not q.any(),
            question="q | s is 0 only if both are. Which operator keeps the bits that both have?",
        ),
        Misconception(
            name="a shape of zeros is always seen",
            answer=lambda q, s: _words_let_pass(q, s) or not s.any(),
            question="Zeros have a meaning of their own in the query. Have they one in the shape too?",
        ),
    ),
    hints=(
        "First the exception: what does a query ask for whose four words are 0?",
        "Compare word with word, at the same place, by &. What is left is not 0 if they have a bit in common.",
        "not query_words.any() or (query_words & shape_words).any()",
    ),
)


# --- a word without the robot -------------------------------------------------------------------------------


def _word_without_robot(shape_words: Whole, robot: Flags) -> int:
    of_the_robot = np.bitwise_or.reduce(shape_words[robot])
    return int(255 & ~of_the_robot)


def _robot_bits(shape_words: Whole, robot: Flags) -> int:
    return int(np.bitwise_or.reduce(shape_words[robot]))


def _random_robot(rng: np.random.Generator) -> Case:
    count = int(rng.integers(4, 7))
    robot = np.zeros(count, bool)
    robot[rng.choice(count, size=int(rng.integers(2, count)), replace=False)] = True
    return {"shape_words": rng.integers(1, 128, count), "robot": robot}


WORD_WITHOUT_ROBOT = Exercise(
    name="word_without_robot",
    title="A query word that sees no shape of the robot",
    reference=_word_without_robot,
    unit="",
    tolerance=0.0,
    fixed=(
        {"shape_words": word_array(1, 16, 2), "robot": np.array([True, True, False])},
        {"shape_words": word_array(5, 4, 4, 6), "robot": np.array([True, True, True, False])},
        {"shape_words": word_array(4, 4, 12), "robot": np.array([True, True, False])},
    ),
    random_case=_random_robot,
    misconceptions=(
        Misconception(
            name="only the link that carries the sensor",
            answer=lambda words, robot: 255 & ~int(words[robot.argmax()]),
            question="The sensor sits on the first shape of the robot. Which other shapes move with it before the ray?",
        ),
        Misconception(
            name="a word that sees the robot and nothing else",
            answer=_robot_bits,
            question="These are the bits that the query must not have. Which are left?",
        ),
        Misconception(
            name="a negative number",
            answer=lambda words, robot: ~_robot_bits(words, robot),
            question="~ turns all bits around, also those beyond the eight. How do you keep the eight?",
        ),
        Misconception(
            name="words added in place of joined",
            answer=lambda words, robot: 255 - int(words[robot].sum()),
            question="Two shapes of word 4 make 8 when they are added. Which operator joins bits?",
        ),
        Misconception(
            name="bits that all shapes of the robot share",
            answer=lambda words, robot: 255 & ~int(np.bitwise_and.reduce(words[robot])),
            question="One bit in common is enough to be seen. Is it enough to leave out what all of them share?",
        ),
        Misconception(
            name="bits joined by XOR",
            answer=lambda words, robot: 255 & ~int(np.bitwise_xor.reduce(words[robot])),
            question="A bit that two shapes carry vanishes when you join them by ^. Which operator keeps it?",
        ),
        Misconception(
            name="all bits of the other shapes",
            answer=lambda words, robot: int(np.bitwise_or.reduce(words[~robot])),
            question="A shape of the robot may share a bit with an obstacle. Is it seen through that bit?",
        ),
        Misconception(
            name="only bits that are in use today",
            answer=lambda words, robot: (
                int(np.bitwise_or.reduce(words[~robot])) & ~_robot_bits(words, robot)
            ),
            question="Tomorrow a shape comes with a bit that nobody has today. As many bits as possible: is it in?",
        ),
    ),
    hints=(
        "One bit in common is enough to be seen. So which bits of the robot's shapes may the word have?",
        "Join the words of all the robot's shapes by |, with np.bitwise_or.reduce or a loop.",
        "255 & ~np.bitwise_or.reduce(shape_words[robot])",
    ),
)


# --- another engine's rule ----------------------------------------------------------------------------------


def _bullet_ray_meets(group: Whole, mask: Whole, ray_mask: int) -> Any:  # (N,) bool
    ray_group = 1
    return (group & ray_mask != 0) & (mask & ray_group != 0)


def _random_groups(rng: np.random.Generator) -> Case:
    count = int(rng.integers(4, 7))
    return {
        "group": rng.integers(0, 8, count),
        "mask": rng.choice([-1, 0, 1, 2, 3, 4, 5], count),
        "ray_mask": int(rng.choice([-1, 0, 1, 2, 3, 6])),
    }


BULLET_RAY_MEETS = Exercise(
    name="bullet_ray_meets",
    title="Bullet's rule, which asks both sides",
    reference=_bullet_ray_meets,
    unit="",
    tolerance=0.0,
    fixed=(
        {"group": word_array(1, 2, 2), "mask": word_array(-1, 2, 1), "ray_mask": -1},
        {"group": word_array(1, 2, 4, 0), "mask": word_array(3, 5, 2, 1), "ray_mask": 2},
        {"group": word_array(1, 2, 3), "mask": word_array(1, -1, 3), "ray_mask": 0},
        {"group": word_array(1, 1, 2), "mask": word_array(1, 6, 4), "ray_mask": 4},
    ),
    random_case=_random_groups,
    misconceptions=(
        Misconception(
            name="one way only: the ray's mask against the body's group",
            answer=lambda group, _mask, ray_mask: group & ray_mask != 0,
            question="The body has a mask too. Whom does it have to let in for a ray to meet it?",
        ),
        Misconception(
            name="one way only: the body's mask against the ray's group",
            answer=lambda _group, mask, _ray_mask: mask & 1 != 0,
            question="The ray has a mask too. With what of the body is it compared?",
        ),
        Misconception(
            name="a mask 0 that compares nothing",
            answer=lambda group, mask, ray_mask: (
                _bullet_ray_meets(group, mask, ray_mask) | (ray_mask == 0)
            ),
            question="In PhysX words of 0 ask for no comparison. Is there such an exception here?",
        ),
        Misconception(
            name="mask compared with mask",
            answer=lambda _group, mask, ray_mask: mask & ray_mask != 0,
            question="A mask says whom one wants to see; a group says who one is. Which two belong together?",
        ),
        Misconception(
            name="either side suffices",
            answer=lambda group, mask, ray_mask: (group & ray_mask != 0) | (mask & 1 != 0),
            question="Both have to want it. Which operator joins the two answers?",
        ),
        Misconception(
            name="the body's own group in place of the ray's",
            answer=lambda group, mask, ray_mask: (group & ray_mask != 0) & (mask & group != 0),
            question="The body's mask has to let the ray in. In which group is the ray?",
        ),
        Misconception(
            name="a mask that must be exactly 1",
            answer=lambda group, mask, ray_mask: (group & ray_mask != 0) & (mask == 1),
            question="-1 has all bits, also the ray's. Does your comparison see it?",
        ),
    ),
    hints=(
        "Two questions, and both must be answered by yes: does the ray want this body, and does this body want rays?",
        "The ray's mask is compared with the body's group, and the body's mask with the ray's group, which is 1.",
        "(group & ray_mask != 0) & (mask & 1 != 0)",
    ),
)
