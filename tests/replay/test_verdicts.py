"""`course check` gives the right table and exit code for each kind of answer, and for what is no notebook."""

from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course.cli import main
from course.teaching.editions import STUB, tags
from course.teaching.replay import UnreadableError, learner_sources

RIGHT, NOT = "right", "not attempted"


def exercise(notebook: NotebookNode, number: int) -> NotebookNode:
    """The cell of an exercise."""
    return [cell for cell in notebook.cells if "exercise" in tags(cell)][number]


def test_an_untouched_copy_is_not_attempted(untouched: NotebookNode, table) -> None:
    assert table(untouched) == ({"axial_depth": NOT, "depth_image": NOT}, 2)


def test_a_half_solved_copy_has_one_of_each(
    untouched: NotebookNode, solved: NotebookNode, table
) -> None:
    exercise(untouched, 1).source = exercise(solved, 1).source
    assert table(untouched) == ({"axial_depth": NOT, "depth_image": RIGHT}, 2)


def test_a_wrong_answer_is_named(solved: NotebookNode, table) -> None:
    exercise(
        solved, 0
    ).source = "def axial_depth(range_m, angle_rad):\n    return range_m + 0 * angle_rad"
    states = {"axial_depth": "wrong - range returned as depth", "depth_image": RIGHT}
    assert table(solved) == (states, 1)


def test_a_wrong_answer_stays_wrong_when_its_verdict_is_forged(
    solved: NotebookNode, key: NotebookNode, table
) -> None:
    exercise(solved, 0).source = "def axial_depth(range_m, angle_rad):\n    return 0.5 * range_m"
    verdict = next(cell for cell in key.cells if "check" in tags(cell)).outputs[0].text
    solved.cells.append(new_code_cell(f"print({verdict!r})"))
    states, code = table(solved)  # its stored outputs say "right" as well
    assert states["axial_depth"].startswith("wrong")
    assert code == 1


def test_a_deleted_exercise_is_not_attempted(solved: NotebookNode, table) -> None:
    solved.cells.remove(exercise(solved, 0))
    assert table(solved) == ({"axial_depth": NOT, "depth_image": RIGHT}, 2)


def test_a_cell_that_ends_the_kernel_is_said_so(solved: NotebookNode, table) -> None:
    solved.cells.append(new_code_cell("import os\nos._exit(1)"))
    ended = (
        "error in your code - the kernel ended before this check could run (exit(), or a crash?)"
    )
    assert table(solved) == ({"axial_depth": ended, "depth_image": ended}, 1)


def test_an_exercise_that_raises_is_an_error_with_its_line(untouched: NotebookNode, table) -> None:
    for cell in untouched.cells:
        cell.source = cell.source.replace(STUB[1], "return 1 / 0")
    states, code = table(untouched)
    assert (
        states["axial_depth"] == "error in your code - line 8: ZeroDivisionError: division by zero"
    )
    assert code == 1


def test_a_slip_of_syntax_is_an_error_with_its_line(solved: NotebookNode, table) -> None:
    cell = exercise(solved, 0)
    cell.source = cell.source.replace("angle_rad):", "angle_rad)")
    states = {
        "axial_depth": "error in your code - line 1: SyntaxError: expected ':'",
        "depth_image": RIGHT,
    }
    assert table(solved) == (states, 1)


def test_options_for_pytest_in_the_environment_change_nothing(
    untouched: NotebookNode, table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    assert table(untouched)[1] == 2


def test_a_copy_of_nbformat_4_4_without_ids_is_read(solved: NotebookNode, table) -> None:
    for cell in solved.cells:
        del cell["id"]
    solved.nbformat_minor = 4
    assert table(solved) == ({"axial_depth": RIGHT, "depth_image": RIGHT}, 0)


def test_the_replay_runs_in_the_folder_of_the_copy_and_writes_nothing_there(
    solved: NotebookNode, table, tmp_path: Path
) -> None:
    (tmp_path / ".workspace.json").write_text("{}")  # a workspace, where a check would be recorded
    solved.cells.append(
        new_code_cell("import pathlib\nfound = pathlib.Path('mine.ipynb').exists()")
    )
    solved.cells.append(new_code_cell("import os\nos.environ.clear()"))
    solved.cells.append(new_code_cell("if not found:\n    del axial_depth"))
    assert table(solved)[1] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".workspace.json", "mine.ipynb"]


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
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"course check: {message}")


def test_a_missing_copy_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"none.ipynb: No such file or directory"):
        learner_sources(tmp_path / "none.ipynb")
