"""Makes the replay of these notebooks compare their pictures too, with a tolerance.

And it spares cells that ask Bullet. pybullet is optional: a cell tagged `bullet` shows
what it answered, or else says that it is not there, and must run to its end either way.
With pybullet it is compared like any other cell; without, what it shows is not.
"""

from collections.abc import Generator
from typing import Any

import pytest

from course.teaching.editions import tags
from course.teaching.pictures import picture_difference, pictures_in

BULLET = "bullet"  # the tag
AVAILABLE = "__import__('course.world.bullet', fromlist=['available']).available()"
KERNEL_HAS_BULLET = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, None, None]:
    """After nbval has run and compared a cell, compare its pictures."""
    compared = BULLET not in tags(item.cell) or kernel_has_bullet(item.parent)
    if not compared:
        item.options["check"] = False
    yield
    if not compared:
        return
    fresh, stored = pictures_in(item.test_outputs or ()), pictures_in(item.cell.outputs)
    assert len(fresh) == len(stored), (
        f"{len(fresh)} pictures, and {len(stored)} are stored"
    )
    for number, (ours, theirs) in enumerate(zip(fresh, stored, strict=True), start=1):
        difference = picture_difference(ours, theirs)
        assert not difference, f"cell {item.cell_num}, picture {number}: {difference}"


def kernel_has_bullet(notebook: Any) -> bool:
    """Whether the kernel of a notebook can import pybullet.

    The kernel itself is asked, once, without a trace in its variables or its history.
    """
    if not notebook.kernel.is_alive():
        return True  # nbval will say so
    if KERNEL_HAS_BULLET not in notebook.stash:
        reply = notebook.kernel.kc.execute_interactive(
            "",
            silent=True,
            allow_stdin=False,
            user_expressions={BULLET: AVAILABLE},
            output_hook=lambda _message: None,
            timeout=60,
        )
        answer = reply["content"]["user_expressions"][BULLET]
        # An error is no answer: then the cell is compared, and whatever is wrong shows.
        notebook.stash[KERNEL_HAS_BULLET] = (
            answer.get("data", {}).get("text/plain") != "False"
        )
    return notebook.stash[KERNEL_HAS_BULLET]
