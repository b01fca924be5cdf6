"""Four words of 32 bits: how shapes and queries say which of them belong together."""

from collections.abc import Sequence
from typing import TypeAlias

from course.world.checks import whole

Words: TypeAlias = tuple[int, int, int, int]

NO_WORDS: Words = (0, 0, 0, 0)

LARGEST_WORD = 0xFFFFFFFF


def as_words(value: Sequence[int], *, name: str) -> Words:
    """Four words.

    Raises:
        TypeError: not whole numbers, or one number in the place of four.
        ValueError: not four, negative, or more than 32 bits.
    """
    if isinstance(value, int) or not isinstance(value, Sequence):
        raise TypeError(f"{name}: expected four words, got {value!r}; write ({value!r}, 0, 0, 0)")
    if len(value) != 4:
        raise ValueError(f"{name}: expected four words, got {len(value)}: {tuple(value)}")
    first, second, third, fourth = (
        whole(word, name=f"{name}: word {place}", at_least=0) for place, word in enumerate(value)
    )
    words = (first, second, third, fourth)
    for place, word in enumerate(words):
        if word > LARGEST_WORD:
            raise ValueError(
                f"{name}: word {place}: expected at most 32 bits, got {word:#x}; "
                "an engine would cut off the upper ones"
            )
    return words


def words_allow(query: Words, shape: Words) -> bool:
    """The rule that PhysX applies before any callback: AND word by word, OR over the four.

    A query whose words are all 0 asks for no comparison.
    """
    if query == NO_WORDS:
        return True
    return any(ours & theirs for ours, theirs in zip(query, shape, strict=True))
