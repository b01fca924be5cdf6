"""The learner's folder: nothing that they wrote is ever lost."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course.commands import workspace
from course.outline import Outline
from course.teaching.bundle import WIDGET_MIME
from course.teaching.replay import UnreadableError
from course.teaching.sources import defined_names


def mine(outline: Outline) -> Path:
    return outline.workspace / "10-small.ipynb"


def edit(outline: Outline, cell_id: str, source: str) -> None:
    """Answer an exercise, as a learner would."""
    notebook = nbformat.read(mine(outline), as_version=4)
    cell(notebook, cell_id).source = source
    nbformat.write(notebook, mine(outline))


def cell(notebook: NotebookNode, cell_id: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == cell_id)


def source(outline: Outline, cell_id: str) -> str:
    return cell(nbformat.read(mine(outline), as_version=4), cell_id).source


def publish(outline: Outline, cell_id: str, text: str) -> None:
    """Change the chapter, as its authors would."""
    path = outline.chapters[0].notebook
    notebook = nbformat.read(path, as_version=4)
    cell(notebook, cell_id).source = text
    nbformat.write(notebook, path)


def test_the_first_fill_writes_a_stubbed_copy(outline: Outline) -> None:
    assert workspace.fill(outline) == {"10-small.ipynb": "new"}
    assert source(outline, "double").endswith("# YOUR CODE HERE\n    raise NotImplementedError")


def test_an_untouched_copy_follows_the_chapter(outline: Outline) -> None:
    workspace.fill(outline)
    assert workspace.fill(outline) == {"10-small.ipynb": "unchanged"}
    publish(outline, "title", "# New title")
    assert workspace.fill(outline) == {"10-small.ipynb": "refreshed"}
    assert source(outline, "title") == "# New title"


def test_a_changed_copy_is_never_overwritten(outline: Outline) -> None:
    workspace.fill(outline)
    edit(outline, "double", "def double(x):\n    return x + x")
    publish(outline, "title", "# New title")
    before = mine(outline).read_bytes()
    assert workspace.fill(outline) == {"10-small.ipynb": "yours, kept"}
    assert mine(outline).read_bytes() == before


def test_without_its_mark_every_copy_counts_as_the_learners(outline: Outline) -> None:
    workspace.fill(outline)
    (outline.workspace / ".workspace.json").write_text("{ damaged")
    publish(outline, "title", "# New title")
    assert workspace.fill(outline) == {"10-small.ipynb": "yours, kept"}


def test_reset_gives_one_stub_back_and_keeps_the_rest(outline: Outline) -> None:
    workspace.fill(outline)
    edit(outline, "double", "def double(x):\n    return x + x")
    edit(outline, "triple", "def triple(x):\n    return x + x + x")
    before = mine(outline).read_bytes()
    kept = workspace.reset(outline, "10", "double")
    assert kept is not None
    assert (kept.name, kept.read_bytes()) == ("10-small.old-1.ipynb", before)
    assert source(outline, "double").endswith("raise NotImplementedError")
    assert source(outline, "triple") == "def triple(x):\n    return x + x + x"


def test_reset_brings_back_an_exercise_that_was_deleted(outline: Outline) -> None:
    workspace.fill(outline)
    notebook = nbformat.read(mine(outline), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "double"]
    nbformat.write(notebook, mine(outline))
    workspace.reset(outline, "10", "double")
    assert source(outline, "double").endswith("raise NotImplementedError")


def test_each_reset_keeps_another_file(outline: Outline) -> None:
    workspace.fill(outline)
    names = [workspace.reset(outline, "10").name for _ in range(3)]
    assert names == [f"10-small.old-{n}.ipynb" for n in (1, 2, 3)]


def test_a_whole_reset_is_untouched_again(outline: Outline) -> None:
    workspace.fill(outline)
    edit(outline, "double", "def double(x):\n    return x + x")
    workspace.reset(outline, "10")
    publish(outline, "title", "# New title")
    assert workspace.fill(outline) == {"10-small.ipynb": "refreshed"}


def test_a_damaged_copy_can_be_reset_as_a_whole_only(outline: Outline) -> None:
    workspace.fill(outline)
    mine(outline).write_text("not a notebook")
    with pytest.raises(UnreadableError, match="is not JSON"):
        workspace.reset(outline, "10", "double")
    assert mine(outline).read_text() == "not a notebook"
    kept = workspace.reset(outline, "10")
    assert kept is not None
    assert kept.read_text() == "not a notebook"


def test_an_unknown_exercise_is_refused_by_name(outline: Outline) -> None:
    workspace.fill(outline)
    with pytest.raises(
        LookupError, match="chapter 10 has no exercise 'halve'; it has double, triple"
    ):
        workspace.reset(outline, "10", "halve")


def test_update_carries_answers_by_name(outline: Outline) -> None:
    workspace.fill(outline)
    notebook = nbformat.read(mine(outline), as_version=4)
    answer = cell(notebook, "double")
    answer.source = "HELPER = 2\n\ndef double(x):\n    return HELPER * x"
    answer.id = "somewhere-else"
    notebook.cells.append(new_code_cell("def of_my_own(x):\n    return x"))
    nbformat.write(notebook, mine(outline))
    publish(outline, "title", "# New title")

    done = workspace.update(outline, "10")
    assert (done.carried, done.left) == (("double",), 2)  # of my own, and the old title
    assert done.kept is not None
    assert "of_my_own" in done.kept.read_text()
    assert source(outline, "double") == "HELPER = 2\n\ndef double(x):\n    return HELPER * x"
    assert source(outline, "triple").endswith("raise NotImplementedError")
    assert source(outline, "title") == "# New title"


def test_update_carries_a_cell_that_answers_two_exercises(outline: Outline) -> None:
    workspace.fill(outline)
    both = "def double(x):\n    return x + x\n\ndef triple(x):\n    return 3 * x"
    edit(outline, "double", both)
    edit(outline, "triple", "# see above")
    publish(outline, "title", "# New title")
    workspace.update(outline, "10")
    defined = {
        name for cell_id in ("double", "triple") for name in defined_names(source(outline, cell_id))
    }
    assert defined == {"double", "triple"}


def test_update_carries_an_answer_that_python_cannot_read_yet(outline: Outline) -> None:
    workspace.fill(outline)
    edit(outline, "double", "def double(x)\n    return 2 * x")
    publish(outline, "title", "# New title")
    assert workspace.update(outline, "10").carried == ("double",)
    assert source(outline, "double") == "def double(x)\n    return 2 * x"


@pytest.mark.parametrize(
    "answer",
    [
        "%%time\ndef double(x):\n    return 2 * x",
        "double = lambda x: 2 * x",
        "from operator import neg as double",
        "if True:\n    def double(x):\n        return 2 * x",
        "class double:\n    pass",
        "!ls\ndef double(x):\n    return 2 * x",
    ],
)
def test_an_answer_of_any_form_is_found(outline: Outline, answer: str) -> None:
    workspace.fill(outline)
    edit(outline, "double", answer)
    publish(outline, "title", "# New title")
    assert workspace.update(outline, "10").carried == ("double",)
    assert source(outline, "double") == answer
    workspace.reset(outline, "10", "double")
    assert source(outline, "double").endswith("raise NotImplementedError")


def test_a_local_name_is_no_answer() -> None:
    assert defined_names("def double(x):\n    triple = 3\n    return 2 * x") == {"double"}


def test_reset_of_an_old_copy_does_not_make_it_current(outline: Outline) -> None:
    workspace.fill(outline)
    publish(outline, "title", "# New title")
    edit(outline, "triple", "def triple(x):\n    return 3 * x")
    workspace.reset(outline, "10", "double")
    assert workspace.update(outline, "10").carried == ("triple",)
    assert source(outline, "title") == "# New title"


def test_reset_keeps_another_answer_in_the_same_cell(outline: Outline) -> None:
    workspace.fill(outline)
    both = "def double(x):\n    return x + x\n\ndef triple(x):\n    return 3 * x"
    edit(outline, "double", both)
    workspace.reset(outline, "10", "double")
    cells = [c.source for c in nbformat.read(mine(outline), as_version=4).cells]
    assert both in cells
    assert cells[cells.index(both) + 1].endswith("raise NotImplementedError")


@pytest.mark.parametrize("damage", ["not utf-8", "folder", "loop of links"])
def test_an_unreadable_copy_is_kept_and_can_be_reset(outline: Outline, damage: str) -> None:
    workspace.fill(outline)
    mine(outline).unlink()
    if damage == "folder":
        mine(outline).mkdir()
    elif damage == "loop of links":
        mine(outline).symlink_to(mine(outline).name)
    else:
        mine(outline).write_bytes(b"\xff\xfe")
    assert workspace.fill(outline) == {"10-small.ipynb": "yours, kept"}
    with pytest.raises(UnreadableError):
        workspace.update(outline, "10")
    with pytest.raises(UnreadableError):
        workspace.reset(outline, "10", "double")
    kept = workspace.reset(outline, "10")
    assert kept is not None
    assert os.path.lexists(kept)
    assert workspace.fill(outline) == {"10-small.ipynb": "unchanged"}


@pytest.mark.parametrize("cell_", [None, {"cell_type": "code", "source": "1", "outputs": None}])
def test_a_damaged_cell_is_told_before_anything_is_written(outline: Outline, cell_: object) -> None:
    workspace.fill(outline)
    data = json.loads(mine(outline).read_text())
    data["cells"].append(cell_)
    mine(outline).write_text(json.dumps(data))
    with pytest.raises(UnreadableError, match="is damaged: reset the whole chapter"):
        workspace.reset(outline, "10", "double")
    assert json.loads(mine(outline).read_text()) == data


def test_update_leaves_a_copy_of_the_present_edition_alone(outline: Outline) -> None:
    workspace.fill(outline)
    edit(outline, "double", "def double(x):\n    return x + x")
    before = mine(outline).read_bytes()
    assert workspace.update(outline, "10") == workspace.Update(current=True)
    assert mine(outline).read_bytes() == before


def test_widgets_of_a_kernel_that_is_gone_give_way_to_their_html(outline: Outline) -> None:
    workspace.fill(outline)
    notebook = nbformat.read(mine(outline), as_version=4)
    widget = {WIDGET_MIME: {"model_id": "gone"}}
    data = [widget | {"text/html": "<p>static</p>"}, widget | {"text/plain": "no html"}]
    cell(notebook, "sum").outputs = [nbformat.v4.new_output("display_data", d) for d in data]
    nbformat.write(notebook, mine(outline))
    assert workspace.fill(outline) == {"10-small.ipynb": "yours, kept"}
    first, second = cell(nbformat.read(mine(outline), as_version=4), "sum").outputs
    assert first.data == {"text/html": "<p>static</p>"}
    assert WIDGET_MIME in second.data
