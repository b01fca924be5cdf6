"""`course doctor`: is this environment complete, and what can be run in it?"""

import importlib
import shutil
import sys
from collections.abc import Iterator

from course.teaching.requirements import problems
from course.world.native import silenced


def diagnosis() -> tuple[tuple[str, ...], bool]:
    """Lines to read, and whether all that the notebooks need is there."""
    found = problems()
    lines = [f"[missing] {problem}" for problem in found] or ["[ok] every required package"]
    return (f"Python {sys.version.split()[0]}", *lines, *_optional()), not found


def _optional() -> Iterator[str]:
    bullet = _importable("pybullet")
    yield (
        "[ok] pybullet: cells that ask Bullet run"
        if bullet
        else (
            "[optional] no pybullet (its wheels are for Linux x86-64 with Python 3.11): "
            "cells that ask Bullet say what they would show"
        )
    )
    node, chromium = shutil.which("node"), shutil.which("chromium")
    yield "[ok] node: the book can be built" if node else "[optional] no node: `make book` needs it"
    yield (
        "[ok] chromium: the browser tests can run"
        if chromium
        else "[optional] no chromium: `make test-browser` needs it"
    )


def _importable(name: str) -> bool:
    with silenced():
        try:
            importlib.import_module(name)
        except ImportError:
            return False
    return True
