"""The learner's folder: `course lab` fills it, `course reset` gives a stub back, `course update` carries answers over.

Nothing that a learner changed is ever overwritten: it is kept beside the new file as `NAME.old-1.ipynb`.
"""

import contextlib
import hashlib
import json
import os
import warnings
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id as random_cell_id
from nbformat.v4 import new_code_cell

from course.commands.notebooks import read_key, serialise
from course.outline import Chapter, Outline
from course.teaching.bundle import WIDGET_MIME
from course.teaching.editions import learner_edition, tags
from course.teaching.events import MARK
from course.teaching.replay import UnreadableError, learner_sources
from course.teaching.sources import defined_names

EDITION = "sensing_workbook_edition"  # in a copy's metadata: which edition of its chapter it is of


@dataclass(frozen=True, kw_only=True)
class Update:
    """What `course update` did.

    Attributes:
        carried: exercises whose answers are in the new copy.
        left: how many cells the learner changed or added that are not in it; they are in the old file.
        kept: the old file; None if there was none.
        current: the copy was of the present edition already, and was left alone.
    """

    carried: tuple[str, ...] = ()
    left: int = 0
    kept: Path | None = None
    current: bool = False


def fill(outline: Outline) -> dict[str, str]:
    """Write a learner copy of every chapter that has none, or whose copy is untouched.

    Returns:
        file name -> "new", "refreshed", "unchanged" or "yours, kept".
    """
    outline.workspace.mkdir(exist_ok=True)
    written = _read_mark(outline.workspace)
    done = {}
    for chapter in outline.chapters:
        path = outline.workspace / chapter.notebook.name
        text = serialise(_learner_notebook(chapter))
        done[path.name] = _state(path, text, written.get(path.name))
        if done[path.name] == "yours, kept":
            _lay_widgets_to_rest(path)
        elif done[path.name] != "unchanged":
            path.write_text(text, encoding="utf-8")
            written[path.name] = _digest(text.encode())
    _write_mark(outline.workspace, written)
    return done


def reset(outline: Outline, number: str, exercise: str | None = None) -> Path | None:
    """Give back the stub of one exercise, or the whole untouched chapter.

    Returns:
        where the old file is kept; None if there was none.

    Raises:
        LookupError: no such chapter, or no such exercise in it.
        UnreadableError: one exercise of a copy that is no notebook: reset the whole chapter.
    """
    chapter = outline.chapter(number)
    path = outline.workspace / chapter.notebook.name
    fresh = _learner_notebook(chapter)
    stubs = _exercise_cells(fresh)
    if exercise is not None and exercise not in stubs:
        known = ", ".join(stubs)
        raise LookupError(f"chapter {chapter.id} has no exercise {exercise!r}; it has {known}")
    if exercise is None or not os.path.lexists(path):
        return _replace(outline, path, fresh, pristine=True)
    copy = _read_copy(path)
    _put_stub(copy, stubs[exercise], exercise, others=set(stubs) - {exercise})
    return _replace(outline, path, copy, pristine=False)


def update(outline: Outline, number: str) -> Update:
    """Carry the answers of a copy into the present edition of its chapter, by function name.

    The cell that defines a function last is carried as a whole, with its helpers. What else the learner wrote stays in
    the old file.

    Raises:
        LookupError: no such chapter.
        UnreadableError: the copy is no notebook.
    """
    chapter = outline.chapter(number)
    path = outline.workspace / chapter.notebook.name
    fresh = _learner_notebook(chapter)
    if not os.path.lexists(path):
        return Update(kept=_replace(outline, path, fresh, pristine=True))
    code, text = learner_sources(path), learner_sources(path, "markdown")
    if _edition_of(path) == fresh.metadata[EDITION]:
        return Update(current=True)
    stubs = _exercise_cells(fresh)
    given = {cell.source for cell in fresh.cells}
    answers = {name: source for source in code for name in defined_names(source)}
    carried = [
        name for name, cell in stubs.items() if answers.get(name, cell.source) != cell.source
    ]
    for name in carried:
        stubs[name].source = answers[name]
    placed = given | {answers[name] for name in carried}
    left = sum(bool(source.strip()) and source not in placed for source in code + text)
    kept = _replace(outline, path, fresh, pristine=not carried)
    return Update(carried=tuple(carried), left=left, kept=kept)


def _state(path: Path, text: str, written: str | None) -> str:
    """What is to be done with a copy whose present edition is `text` and which was written with a digest."""
    if not os.path.lexists(path):
        return "new"
    try:
        present = path.read_bytes()
    except OSError:  # a folder, a loop of links, a file that may not be read
        return "yours, kept"
    if _digest(present) != written:
        return "yours, kept"
    return "unchanged" if present == text.encode() else "refreshed"


def _put_stub(copy: NotebookNode, stub: NotebookNode, exercise: str, *, others: set[str]) -> None:
    """Put a stub in the place of an answer; a cell that holds another answer too is kept, and the stub put below it."""
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    mine = [cell for cell in code if exercise in defined_names(cell.source)]
    mine = mine or [cell for cell in code if cell.id == stub.id]
    for cell in mine:
        if not defined_names(cell.source) & others:
            cell.source, cell.outputs, cell.execution_count = stub.source, [], None
    if not mine or defined_names(mine[-1].source) & others:
        below = copy.cells.index(mine[-1]) + 1 if mine else len(copy.cells)
        fresh = new_code_cell(stub.source, metadata=stub.metadata)
        if all(cell.id != stub.id for cell in copy.cells):
            fresh.id = stub.id
        copy.cells.insert(below, fresh)


def _read_copy(path: Path) -> NotebookNode:
    """A learner's copy, to be changed and written again.

    Raises:
        UnreadableError: it is no notebook, or one so damaged that only the whole chapter can be reset.
    """
    learner_sources(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about ids, which are given anew
            copy = nbformat.read(path, as_version=4)
            copy.nbformat_minor = 5
            for cell in copy.cells:
                cell.setdefault("id", random_cell_id())
            nbformat.validate(copy)
    except (AssertionError, AttributeError, TypeError, ValueError, nbformat.ValidationError):
        raise UnreadableError(f"{path.name} is damaged: reset the whole chapter") from None
    return copy


def _exercise_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    cells = [cell for cell in notebook.cells if "exercise" in tags(cell)]
    return {name: cell for cell in cells for name in defined_names(cell.source)}


def _learner_notebook(chapter: Chapter) -> NotebookNode:
    """The learner's edition of a chapter; it says which edition it is."""
    notebook = learner_edition(read_key(chapter))
    notebook.metadata[EDITION] = _digest(serialise(notebook).encode())
    return notebook


def _edition_of(path: Path) -> str | None:
    metadata = json.loads(path.read_text(encoding="utf-8")).get("metadata")
    return metadata.get(EDITION) if isinstance(metadata, dict) else None


def _replace(
    outline: Outline, path: Path, notebook: NotebookNode, *, pristine: bool
) -> Path | None:
    """Write a notebook to the workspace; the file that was there is kept under another name.

    A pristine copy is marked, so that `fill` may refresh it.
    """
    outline.workspace.mkdir(exist_ok=True)
    kept = None
    if os.path.lexists(path):
        kept = _free_name(path)
        path.rename(kept)
    text = serialise(notebook)
    path.write_text(text, encoding="utf-8")
    if pristine:
        with contextlib.suppress(OSError):  # without its mark the copy counts as the learner's
            mark = {path.name: _digest(text.encode())}
            _write_mark(outline.workspace, _read_mark(outline.workspace) | mark)
    return kept


def _lay_widgets_to_rest(path: Path) -> None:
    """Remove widgets of kernels that are gone, where the same output is there as HTML.

    JupyterLab prefers the widget, and would show "model not found" in its place until the cell is run again.
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
        dead = [output["data"] for output in outputs if WIDGET_MIME in output.get("data", {})]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return  # no notebook: `course check` will say so
    dead = [data for data in dead if "text/html" in data]
    for data in dead:
        del data[WIDGET_MIME]
    if dead:
        new = path.with_suffix(".new")
        new.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        new.replace(path)


def _free_name(path: Path) -> Path:
    number = 1
    while os.path.lexists(candidate := path.with_name(f"{path.stem}.old-{number}.ipynb")):
        number += 1
    return candidate


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_mark(workspace: Path) -> dict[str, str]:
    """Digests of the copies as they were written; an absent or damaged mark means that all may be the learner's."""
    try:
        written = json.loads((workspace / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return written if isinstance(written, dict) else {}


def _write_mark(workspace: Path, written: dict[str, str]) -> None:
    (workspace / MARK).write_text(
        json.dumps(written, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
