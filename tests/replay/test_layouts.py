"""`course check` finds answers by name, however a learner arranged the cells of a chapter."""

import copy
from collections.abc import Callable

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course.teaching.editions import tags

RIGHT = "right"


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


def streams_replaced(notebook: NotebookNode) -> None:
    notebook.cells.append(new_code_cell("import sys, io\nsys.stdout = io.StringIO()"))


def print_replaced_and_environment_cleared(notebook: NotebookNode) -> None:
    source = "import builtins, os\nbuiltins.print = lambda *a, **k: None\nos.environ.clear()"
    notebook.cells.append(new_code_cell(source))


def in_and_folder_lost(notebook: NotebookNode) -> None:
    source = "import os, tempfile\nIn = 5\nd = tempfile.mkdtemp()\nos.chdir(d)\nos.rmdir(d)"
    notebook.cells.append(new_code_cell(source))


HARMLESS = [
    streams_replaced,
    print_replaced_and_environment_cleared,
    in_and_folder_lost,
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
    change: Callable[[NotebookNode], None], solved: NotebookNode, table
) -> None:
    change(solved)
    assert table(solved) == ({"axial_depth": RIGHT, "depth_image": RIGHT}, 0)
