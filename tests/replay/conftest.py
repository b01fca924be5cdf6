"""Copies of chapter 10 as learners may have them, and the table that `course check` makes of one."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from course.cli import main
from course.outline import find_root, read_outline
from course.teaching.editions import learner_edition, without_markers

KEY = nbformat.read(read_outline(find_root(Path(__file__))).chapter("10").notebook, as_version=4)
Table = Callable[[NotebookNode], tuple[dict[str, str], int]]


@pytest.fixture
def key() -> NotebookNode:
    """The solved chapter."""
    return copy.deepcopy(KEY)


@pytest.fixture
def untouched() -> NotebookNode:
    """A learner's copy as `course lab` writes it."""
    return learner_edition(KEY)


@pytest.fixture
def solved() -> NotebookNode:
    """A learner's copy with every answer in it, run and saved."""
    notebook = copy.deepcopy(KEY)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = without_markers(cell.source)
    return notebook


@pytest.fixture
def table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Table:
    """Checks a copy by the command: exercise -> state and reason, and the exit code."""

    def check(notebook: NotebookNode) -> tuple[dict[str, str], int]:
        path = tmp_path / "mine.ipynb"
        path.write_text(json.dumps(notebook))
        code = main(["check", "10", str(path), "--json"])
        said = json.loads(capsys.readouterr().out)
        assert said["exit_code"] == code
        states = {
            entry["name"]: " - ".join(filter(None, (entry["state"], entry["reason"])))
            for entry in said["exercises"]
        }
        return states, code

    return check
