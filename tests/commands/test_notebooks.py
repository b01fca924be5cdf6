"""`course notebooks`: executed, normalised, and the same bytes again."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_output

from course.commands.notebooks import NotebookError, unfit, write_notebook
from course.outline import Outline

# ipykernel reads native output in a thread: what a cell writes last of all can arrive when the cell has ended, and is
# then lost. A cell that is still busy for a moment loses nothing.
NATIVE = "import os, time; os.write"
AND_WAIT = "time.sleep(0.5)"


def write(path: Path) -> bool:
    """`write_notebook` as outside of pytest: ipykernel captures no native output where it sees this variable."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTEST_CURRENT_TEST")
        return write_notebook(path)


def put(outline: Outline, source: str) -> None:
    """Make the chapter's code cells these lines."""
    path = outline.chapters[0].notebook
    notebook = nbformat.v4.new_notebook(cells=[new_code_cell(source, id="only")])
    nbformat.write(notebook, path)


def test_a_second_run_changes_no_byte(outline: Outline) -> None:
    path = outline.chapters[0].notebook
    put(
        outline,
        "import ipywidgets\nfrom course.teaching.bundle import LiveOrStatic\n"
        "LiveOrStatic(html='<p>static</p>', text='static', widget=ipywidgets.FloatSlider())",
    )
    assert write(path)
    first = path.read_bytes()
    assert not write(path)
    assert path.read_bytes() == first
    stored = nbformat.read(path, as_version=4)
    assert stored.cells[0].outputs[0].data == {"text/html": "<p>static</p>", "text/plain": "static"}
    assert "widgets" not in stored.metadata


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import sys; print('oh', file=sys.stderr)", "10-small.ipynb, cell 1 writes to stderr: oh"),
        ("print('/home/me/file')", "10-small.ipynb, cell 1 stores an absolute path: /home/m…"),
        (f"{NATIVE}(2, b'native'); {AND_WAIT}", "cell 1 writes to stderr: native"),
    ],
)
def test_what_may_not_be_stored_is_refused_and_the_file_is_kept(
    outline: Outline, source: str, message: str
) -> None:
    put(outline, source)
    path = outline.chapters[0].notebook
    before = path.read_bytes()
    with pytest.raises(NotebookError) as refused:
        write(path)
    assert message in str(refused.value)
    assert path.read_bytes() == before


def test_native_output_can_be_silenced(outline: Outline) -> None:
    put(
        outline,
        "import os\nfrom course.world.native import silenced\n"
        "with silenced():\n    os.write(1, b'built on ...'); os.write(2, b'[time] log')\nprint('after')",
    )
    path = outline.chapters[0].notebook
    write(path)
    (output,) = nbformat.read(path, as_version=4).cells[0].outputs
    assert (output.name, output.text) == ("stdout", "after\n")


def test_native_output_that_is_not_silenced_would_be_stored(outline: Outline) -> None:
    put(outline, f"{NATIVE}(1, b'built on ...'); {AND_WAIT}")
    path = outline.chapters[0].notebook
    write(path)
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "built on ..."


def test_pieces_of_one_stream_are_joined(outline: Outline) -> None:
    put(outline, "import sys\nfor word in 'abc':\n    print(word)\n    sys.stdout.flush()")
    path = outline.chapters[0].notebook
    write(path)
    (output,) = nbformat.read(path, as_version=4).cells[0].outputs
    assert output.text == "a\nb\nc\n"


def test_a_null_count_and_a_stored_error_are_unfit(outline: Outline) -> None:
    error = new_output("error", ename="ValueError", evalue="no", traceback=[])
    notebook = nbformat.v4.new_notebook(cells=[new_code_cell("1", id="a", outputs=[error])])
    assert list(unfit(notebook)) == [
        "cell 1 has no execution count: nbval would not compare it",
        "cell 1 stores an error: ValueError: no",
    ]
