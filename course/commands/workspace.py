"""The learner's folder: `course lab` fills it, `course reset` gives a stub back, `course update` carries answers over.

Nothing that a learner changed is ever overwritten: it is kept beside the new file as `NAME.old-1.ipynb`.
"""

import ast
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.commands.notebooks import serialise
from course.outline import Chapter, Outline
from course.teaching.bundle import WIDGET_MIME
from course.teaching.editions import learner_edition, tags
from course.teaching.events import MARK
from course.teaching.replay import learner_sources


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
        text = _learner_text(chapter)
        if not path.exists():
            done[path.name] = "new"
        elif _digest(path.read_text(encoding="utf-8")) != written.get(path.name):
            _lay_widgets_to_rest(path)
            done[path.name] = "yours, kept"
            continue
        else:
            done[path.name] = (
                "unchanged" if path.read_text(encoding="utf-8") == text else "refreshed"
            )
        path.write_text(text, encoding="utf-8")
        written[path.name] = _digest(text)
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
    if exercise is None or not path.exists():
        return _replace(outline, chapter, fresh)
    stubs = _exercise_cells(fresh)
    if exercise not in stubs:
        known = ", ".join(stubs)
        raise LookupError(f"chapter {chapter.id} has no exercise {exercise!r}; it has {known}")
    learner_sources(path)  # says so, if this is no notebook
    copy = nbformat.read(path, as_version=4)
    mine = [cell for cell in copy.cells if exercise in defined(cell)]
    for cell in mine:
        cell.source, cell.outputs, cell.execution_count = stubs[exercise].source, [], None
    if not mine:
        copy.cells.append(stubs[exercise])
    return _replace(outline, chapter, copy)


def update(outline: Outline, number: str) -> Update:
    """Carry the answers of a copy into the present edition of its chapter, by function name.

    The cell that defines a function last is carried as a whole, with its helpers. What else the learner wrote stays in
    the old file.
    """
    chapter = outline.chapter(number)
    path = outline.workspace / chapter.notebook.name
    pristine = _digest(_learner_text(chapter))
    if path.exists() and _read_mark(outline.workspace).get(path.name) == pristine:
        return Update(current=True)
    fresh = _learner_notebook(chapter)
    stubs = _exercise_cells(fresh)
    given = {cell.source for cell in fresh.cells}
    sources = learner_sources(path) if path.exists() else []
    answers = {name: source for source in sources for name in function_names(source)}
    carried = [
        name for name, cell in stubs.items() if answers.get(name, cell.source) != cell.source
    ]
    for name in carried:
        stubs[name].source = answers[name]
    placed = given | {answers[name] for name in carried}
    left = sum(bool(source.strip()) and source not in placed for source in sources)
    return Update(carried=tuple(carried), left=left, kept=_replace(outline, chapter, fresh))


def function_names(source: str) -> set[str]:
    """Names of the functions that a cell defines; none if it cannot be parsed (magics, a slip)."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def defined(cell: NotebookNode) -> set[str]:
    """Names of the functions that a notebook cell defines."""
    return function_names(cell.source) if cell.cell_type == "code" else set()


def _exercise_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    cells = [cell for cell in notebook.cells if "exercise" in tags(cell)]
    return {name: cell for cell in cells for name in defined(cell)}


def _learner_notebook(chapter: Chapter) -> NotebookNode:
    return learner_edition(nbformat.read(chapter.notebook, as_version=4))


def _learner_text(chapter: Chapter) -> str:
    return serialise(_learner_notebook(chapter))


def _replace(outline: Outline, chapter: Chapter, notebook: NotebookNode) -> Path | None:
    """Write a notebook to the workspace; the file that was there is kept under another name."""
    outline.workspace.mkdir(exist_ok=True)
    path = outline.workspace / chapter.notebook.name
    kept = None
    if path.exists():
        kept = _free_name(path)
        path.rename(kept)
    path.write_text(serialise(notebook), encoding="utf-8")
    pristine = {path.name: _digest(_learner_text(chapter))}
    _write_mark(outline.workspace, _read_mark(outline.workspace) | pristine)
    return kept


def _lay_widgets_to_rest(path: Path) -> None:
    """Remove widgets of kernels that are gone, where the same output is there as HTML.

    JupyterLab prefers the widget, and would show "model not found" in its place until the cell is run again.
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
        dead = [output["data"] for output in outputs if WIDGET_MIME in output.get("data", {})]
    except (ValueError, LookupError, TypeError, AttributeError):
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
    while (candidate := path.with_name(f"{path.stem}.old-{number}.ipynb")).exists():
        number += 1
    return candidate


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read_mark(workspace: Path) -> dict[str, str]:
    """Digests of the copies as they were written; an absent or damaged mark means that all may be the learner's."""
    try:
        written = json.loads((workspace / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return written if isinstance(written, dict) else {}


def _write_mark(workspace: Path, written: dict[str, str]) -> None:
    (workspace / MARK).write_text(
        json.dumps(written, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
