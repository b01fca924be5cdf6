"""A small workbook in a temporary folder: one chapter with two exercises, without stored outputs."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.outline import Outline, read_outline

BOOK = """
title: A small workbook
languages: [en]
parts:
  - title: Only part
    chapters:
      - {id: "10", file: 10-small, minutes: 5, labs: []}
"""


def exercise(name: str, answer: str) -> nbformat.NotebookNode:
    source = f"def {name}(x):\n    ### BEGIN SOLUTION\n    return {answer}\n    ### END SOLUTION"
    return new_code_cell(source, id=name, metadata={"tags": ["exercise"]})


@pytest.fixture
def outline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outline:
    """The outline of the small workbook, which is also where the test then stands."""
    (tmp_path / "book.yml").write_text(BOOK)
    (tmp_path / "notebooks").mkdir()
    cells = [
        new_markdown_cell("# Small", id="title"),
        new_code_cell("1 + 1", id="sum"),
        exercise("double", "2 * x"),
        exercise("triple", "3 * x"),
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "notebooks" / "10-small.ipynb")
    monkeypatch.chdir(tmp_path)
    return read_outline(tmp_path)
