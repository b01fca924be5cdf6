"""Copies of a chapter as learners may have them, and the table that `course check` makes of one.

The chapter is the beginning of chapter 10, up to its second exercise, in a book of its own: what is tested is the
replay, and a whole chapter takes much longer to run.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from course.cli import main
from course.outline import find_root, read_outline
from course.teaching.editions import learner_edition, tags, without_markers

WHOLE = read_outline(find_root(Path(__file__))).chapter("10").notebook
LAST, SLOW = "check-depth-image", {"lab", "scene"}


def beginning(notebook: NotebookNode) -> NotebookNode:
    """The cells up to the second check, without panels and scenes, and the report."""
    ids = [cell.id for cell in notebook.cells]
    notebook.cells = [
        cell
        for place, cell in enumerate(notebook.cells)
        if (place <= ids.index(LAST) or "report" in tags(cell)) and not SLOW & set(tags(cell))
    ]
    return notebook


KEY = beginning(nbformat.read(WHOLE, as_version=4))
Table = Callable[[NotebookNode], tuple[dict[str, str], int]]


@pytest.fixture(scope="session")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a workbook of this one chapter."""
    root = tmp_path_factory.mktemp("book")
    chapter = {"id": "10", "file": WHOLE.stem, "minutes": 5, "labs": ["off_axis_depth"]}
    book = {
        "title": "A small workbook",
        "languages": ["en"],
        "parts": [{"title": "One", "chapters": [chapter]}],
    }
    (root / "book.yml").write_text(json.dumps(book))  # JSON is YAML
    (root / "notebooks").mkdir()
    nbformat.write(KEY, root / "notebooks" / WHOLE.name)
    return root


@pytest.fixture(autouse=True)
def _in_the_small_book(small_book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small_book)


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
