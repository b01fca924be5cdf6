"""Makes the replay of these notebooks compare their pictures too, with a tolerance."""

from collections.abc import Generator
from typing import Any

import pytest

from course.teaching.pictures import picture_difference, pictures_in


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, None, None]:
    """After nbval has run and compared a cell, compare its pictures."""
    yield
    fresh, stored = pictures_in(item.test_outputs or ()), pictures_in(item.cell.outputs)
    assert len(fresh) == len(stored), (
        f"{len(fresh)} pictures, and {len(stored)} are stored"
    )
    for number, (ours, theirs) in enumerate(zip(fresh, stored, strict=True), start=1):
        difference = picture_difference(ours, theirs)
        assert not difference, f"cell {item.cell_num}, picture {number}: {difference}"
