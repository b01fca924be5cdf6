"""Definitions that Python cannot read are found, and references are shown as learners would write them."""

import pytest

from course.teaching.sources import broken_definition, plain_source

GOOD = "def half(x):\n    return x / 2"
BAD = "def half(x)\n    return x / 2"


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ([], ""),
        ([GOOD], ""),
        ([BAD], "line 1: SyntaxError: expected ':'"),
        ([GOOD, BAD], "line 1: SyntaxError: expected ':'"),
        ([BAD, GOOD], ""),
        (["%time pass\n" + GOOD, "!ls"], ""),
        (["def other(x)\n    pass", GOOD], ""),
        ([GOOD, "half(3"], ""),
        (["x = 1\n" + BAD], "line 2: SyntaxError: expected ':'"),
        (
            ["def half(x):\nreturn x"],
            "line 2: SyntaxError: expected an indented block after function definition on line 1",
        ),
        (
            ["def half(x):\n    return '\0'"],
            "SyntaxError: source code string cannot contain null bytes",
        ),
    ],
)
def test_the_newest_definition_is_read(sources: list[str], found: str) -> None:
    assert broken_definition(sources, "half") == found


def test_a_reference_is_shown_under_the_learners_name_and_without_annotations() -> None:
    def _half(length: float, unit: str = "m") -> float:
        """Half of it."""
        return length / 2

    assert plain_source(_half, "half") == (
        'def half(length, unit=\'m\'):\n    """Half of it."""\n    return length / 2'
    )
