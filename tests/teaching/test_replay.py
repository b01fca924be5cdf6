"""`course check` on copies that learners may make of a chapter: the right table and exit code for each."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course.cli import main
from course.outline import find_root, read_outline
from course.teaching.editions import STUB, learner_edition, tags, without_markers
from course.teaching.replay import UnreadableError, learner_sources

CHAPTER = read_outline(find_root(Path(__file__))).chapter("10")
KEY = nbformat.read(CHAPTER.notebook, as_version=4)
RIGHT, NOT = "right", "not attempted"


def solved() -> NotebookNode:
    """A learner's copy with every answer in it, run and saved."""
    notebook = copy.deepcopy(KEY)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = without_markers(cell.source)
    return notebook


def exercise(notebook: NotebookNode, number: int) -> int:
    """Where the cell of an exercise is."""
    return [index for index, cell in enumerate(notebook.cells) if "exercise" in tags(cell)][number]


def check_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if "check" in tags(cell)]


# Each changes a solved copy and leaves it solved.


def untouched_by_hand(_notebook: NotebookNode) -> None:
    pass


def split(notebook: NotebookNode) -> None:
    at = exercise(notebook, 1)
    helper = "def ray_length(x, y):\n    return np.sqrt(1 + x**2 + y**2)"
    cell = notebook.cells[at]
    cell.source = cell.source.replace("np.sqrt(1 + x**2 + y**2)", "ray_length(x, y)")
    notebook.cells.insert(at, new_code_cell(helper))


def merged(notebook: NotebookNode) -> None:
    at = exercise(notebook, 0)
    below = notebook.cells.pop(at + 1)
    notebook.cells[at] = new_code_cell(notebook.cells[at].source + "\n\n" + below.source)


def moved_to_the_top(notebook: NotebookNode) -> None:
    notebook.cells.insert(0, notebook.cells.pop(exercise(notebook, 1)))


def moved_to_the_end(notebook: NotebookNode) -> None:
    notebook.cells.append(notebook.cells.pop(exercise(notebook, 0)))


def doubled(notebook: NotebookNode) -> None:
    at = exercise(notebook, 0)
    notebook.cells.insert(at, copy.deepcopy(notebook.cells[at]))


def check_edited(notebook: NotebookNode) -> None:
    for cell in check_cells(notebook):
        cell.source = "check = None"


def check_deleted(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if "check" not in tags(cell)]


def reference_output_edited(notebook: NotebookNode) -> None:
    for cell in check_cells(notebook):
        cell.outputs[0].text = "axial_depth: wrong\n"


def count_removed(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None


def tag_removed(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata.pop("tags", None)


def start_deleted(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if "setup" not in tags(cell)]
    notebook.cells.insert(0, new_code_cell("import numpy as np"))


def a_cell_that_raises(notebook: NotebookNode) -> None:
    notebook.cells.insert(5, new_code_cell("1 / 0"))


def a_cell_that_never_ends(notebook: NotebookNode) -> None:
    notebook.cells.insert(5, new_code_cell("while True:\n    pass"))


def a_cell_with_magics(notebook: NotebookNode) -> None:
    notebook.cells.insert(5, new_code_cell("%timeit -n1 -r1 pass\n!echo hello"))


HARMLESS = [
    untouched_by_hand,
    split,
    merged,
    moved_to_the_top,
    moved_to_the_end,
    doubled,
    check_edited,
    check_deleted,
    reference_output_edited,
    count_removed,
    tag_removed,
    start_deleted,
    a_cell_that_raises,
    a_cell_that_never_ends,
    a_cell_with_magics,
]


@pytest.mark.parametrize("change", HARMLESS, ids=lambda change: change.__name__)
def test_a_solved_copy_is_right_however_its_cells_lie(
    change: Callable[[NotebookNode], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = solved()
    change(notebook)
    assert table(notebook, tmp_path, capsys) == ({"axial_depth": RIGHT, "depth_image": RIGHT}, 0)


def test_an_untouched_copy_is_not_attempted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = table(learner_edition(KEY), tmp_path, capsys)
    assert result == ({"axial_depth": NOT, "depth_image": NOT}, 2)


def test_a_half_solved_copy_has_one_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = learner_edition(KEY)
    at = exercise(notebook, 1)
    notebook.cells[at].source = solved().cells[at].source
    result = table(notebook, tmp_path, capsys)
    assert result == ({"axial_depth": NOT, "depth_image": RIGHT}, 2)


def test_a_wrong_answer_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = solved()
    cell = notebook.cells[exercise(notebook, 0)]
    cell.source = "def axial_depth(range_m, angle_rad):\n    return range_m + 0 * angle_rad"
    states, code = table(notebook, tmp_path, capsys)
    assert states == {"axial_depth": "wrong - range returned as depth", "depth_image": RIGHT}
    assert code == 1


def test_a_wrong_answer_stays_wrong_when_its_stored_verdict_is_forged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = solved()  # the stored outputs say "right"
    cell = notebook.cells[exercise(notebook, 0)]
    cell.source = "def axial_depth(range_m, angle_rad):\n    return 0.5 * range_m"
    notebook.cells.append(new_code_cell(f"print({check_cells(KEY)[0].outputs[0].text!r})"))
    states, code = table(notebook, tmp_path, capsys)
    assert states["axial_depth"].startswith("wrong")
    assert code == 1


def test_a_deleted_exercise_is_not_attempted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = solved()
    del notebook.cells[exercise(notebook, 0)]
    result = table(notebook, tmp_path, capsys)
    assert result == ({"axial_depth": NOT, "depth_image": RIGHT}, 2)


def test_a_cell_that_ends_the_kernel_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = solved()
    notebook.cells.append(new_code_cell("import os\nos._exit(1)"))
    states, code = table(notebook, tmp_path, capsys)
    assert set(states.values()) == {
        "error in your code - the kernel ended before this check could run (exit(), or a crash?)"
    }
    assert code == 1


def test_an_exercise_that_raises_is_an_error_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = learner_edition(KEY)
    for cell in notebook.cells:
        cell.source = cell.source.replace(STUB[1], "return 1 / 0")
    states, code = table(notebook, tmp_path, capsys)
    assert (
        states["axial_depth"] == "error in your code - line 8: ZeroDivisionError: division by zero"
    )
    assert code == 1


def test_a_copy_of_nbformat_4_4_without_ids_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = solved()
    for cell in notebook.cells:
        del cell["id"]
    notebook.nbformat_minor = 4
    assert table(notebook, tmp_path, capsys) == ({"axial_depth": RIGHT, "depth_image": RIGHT}, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "mine.ipynb is not JSON, so it is no notebook"),
        ("[]", "mine.ipynb is JSON, but no notebook of format 4 (it has no list of cells)"),
        ('{"nbformat": 3, "worksheets": []}', "mine.ipynb is JSON, but no notebook of format 4"),
        (b"\xff\xfe\x00", "mine.ipynb is not JSON, so it is no notebook"),
    ],
)
def test_what_is_no_notebook_is_unreadable(
    text: str | bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.ipynb"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main(["check", "10", str(path)]) == 3
    assert capsys.readouterr().err.startswith(f"course check: {message}")


def test_a_missing_copy_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"none.ipynb: No such file or directory"):
        learner_sources(tmp_path / "none.ipynb")


def test_the_replay_writes_nothing_beside_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".workspace.json").write_text("{}")  # a workspace, where a check would be recorded
    notebook = solved()
    notebook.cells.append(
        new_code_cell("import pathlib\nassert pathlib.Path('mine.ipynb').exists()")
    )
    table(notebook, tmp_path, capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".workspace.json", "mine.ipynb"]


def table(
    notebook: NotebookNode, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[dict[str, str], int]:
    """Write a copy, check it by the command, and read its JSON: exercise -> state and reason, and the exit code."""
    path = folder / "mine.ipynb"
    path.write_text(json.dumps(notebook))
    code = main(["check", "10", str(path), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["exit_code"] == code
    states = {
        entry["name"]: " - ".join(filter(None, (entry["state"], entry["reason"])))
        for entry in said["exercises"]
    }
    return states, code
