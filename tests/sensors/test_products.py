"""Contracts are values: equal if they say the same, and made of names that are several."""

from dataclasses import replace

import pytest

from course.sensors.products import (
    COLOUR,
    DEPTH,
    DEPTH_16U,
    FORCE,
    SCAN,
    SEGMENTATION,
    SPECIFIC_FORCE,
)


def test_contracts_are_equal_and_can_be_keys() -> None:
    again = replace(DEPTH)
    assert again == DEPTH
    assert {DEPTH: 1}[again] == 1
    assert len({COLOUR, DEPTH, DEPTH_16U, SEGMENTATION, SCAN, FORCE, SPECIFIC_FORCE}) == 7


@pytest.mark.parametrize("name", ["shape", "dtypes", "times"])
def test_one_text_is_not_several(name: str) -> None:
    """`"int8" in "uint8"` is true."""
    with pytest.raises(TypeError, match=rf"^Contract\.{name}: expected \('uint8',\), got 'uint8'$"):
        replace(DEPTH, **{name: "uint8"})
