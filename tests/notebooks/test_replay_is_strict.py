"""The strict replay of the repository fails when what is stored, or the reference, is not what is computed.

It is asked of the beginning of chapter 10, up to its second exercise: a whole chapter takes much longer to run.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course.outline import Outline
from course.teaching.editions import tags
from course.teaching.pictures import pictures_in

CHAPTER_10 = "notebooks/10-depth-and-range.ipynb"
LAST = "check-depth-image"


@pytest.fixture
def copy(tmp_path: Path, outline: Outline) -> Path:
    """A copy of what the replay reads; `labs` in it hides the repository's own."""
    for name in (
        "notebooks/conftest.py",
        CHAPTER_10,
        "labs",
        "tests/nbval-sanitize.cfg",
        "pyproject.toml",
        "book.yml",
    ):
        source = outline.root / name
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    path, notebook = chapter_10(tmp_path)
    del notebook.cells[[cell.id for cell in notebook.cells].index(LAST) + 1 :]
    nbformat.write(notebook, path)
    return tmp_path


def test_an_unchanged_copy_passes(copy: Path) -> None:
    assert failed_cells(copy) == []


def test_one_digit_in_a_stored_verdict_makes_it_fail(copy: Path) -> None:
    path, notebook = chapter_10(copy)
    cell = next(cell for cell in notebook.cells if "check" in tags(cell))
    text = cell.outputs[0].text
    cell.outputs[0].text = text.replace("1.732", "1.733")
    assert cell.outputs[0].text != text
    nbformat.write(notebook, path)
    assert failed_cells(copy) == [code_index(notebook, cell)]


def test_one_constant_in_a_solution_makes_it_fail(copy: Path) -> None:
    path, notebook = chapter_10(copy)
    for cell in notebook.cells:
        if cell.id == "ex-depth-image":
            assert "np.arange(width) + 0.5" in cell.source
            cell.source = cell.source.replace("np.arange(width) + 0.5", "np.arange(width) + 0.6")
    nbformat.write(notebook, path)
    assert failed_cells(copy) == [code_index(notebook, notebook.cells[-1])]


def test_one_constant_in_a_reference_makes_it_fail(copy: Path) -> None:
    reference = copy / "labs" / "depth_exercises.py"
    text = reference.read_text()
    assert text.count("(np.arange(width) + 0.5 - cx) / fx") == 1
    reference.write_text(text.replace("np.arange(width) + 0.5", "np.arange(width) + 0.6"))
    _, notebook = chapter_10(copy)
    assert failed_cells(copy) == [code_index(notebook, notebook.cells[-1])]


def test_a_picture_that_moved_makes_it_fail(copy: Path) -> None:
    path, notebook = chapter_10(copy)
    cell = next(cell for cell in notebook.cells if "lab" in tags(cell))
    other = notebook.cells[[c.id for c in notebook.cells].index("wall-again")]
    stored = cell.outputs[0].data["text/html"]
    wrong = other.outputs[0].data["image/png"].replace("\n", "")
    cell.outputs[0].data["text/html"] = re.sub(r"(?<=base64,)[A-Za-z0-9+/=]+", wrong, stored)
    assert pictures_in(cell.outputs)
    nbformat.write(notebook, path)
    assert failed_cells(copy) == [code_index(notebook, cell)]


def test_everything_runs_where_there_is_no_pybullet(copy: Path, outline: Outline) -> None:
    shutil.copytree(outline.root / "notebooks", copy / "notebooks", dirs_exist_ok=True)
    (copy / "pybullet.py").write_text("raise ImportError('hidden by a test')\n")
    hidden = subprocess.run(
        [sys.executable, "-c", "import pybullet"],
        env=environment(copy),
        capture_output=True,
        check=False,
    )
    assert hidden.returncode != 0
    assert failed_cells(copy) == []


def failed_cells(copy: Path) -> list[int]:
    """Numbers of the code cells that fail in the strict replay of a copy."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", "notebooks"],
        cwd=copy,
        env=environment(copy),
        capture_output=True,
        text=True,
        check=False,
    )
    failed = [
        int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, re.MULTILINE)
    ]
    assert run.returncode == (1 if failed else 0), run.stdout
    return failed


def environment(copy: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(copy)}


def chapter_10(copy: Path) -> tuple[Path, nbformat.NotebookNode]:
    path = copy / CHAPTER_10
    return path, nbformat.read(path, as_version=4)


def code_index(notebook: nbformat.NotebookNode, wanted: nbformat.NotebookNode) -> int:
    code = [cell.id for cell in notebook.cells if cell.cell_type == "code"]
    return code.index(wanted.id)
