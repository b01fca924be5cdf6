"""`course notebooks`: execute the chapters and store them so that a second run changes no byte."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from course.outline import Chapter
from course.teaching.bundle import WIDGET_MIME

CELL_SECONDS = 120
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python"}  # its version would differ from machine to machine
# An absolute path of Linux, macOS or Windows, where a word of prose or a URL cannot be meant.
ABSOLUTE_PATH = re.compile(
    r"(?<![\w./:<])/(?:home|root|tmp|usr|opt|Users|var|work)/\w|\b[A-Z]:\\\w"
)


class NotebookError(ValueError):
    """A chapter that may not be stored: it fails, or its outputs would not be the same elsewhere."""


def write_notebook(path: Path) -> bool:
    """Execute a chapter in its folder and store it, normalised.

    Returns:
        whether any byte changed.

    Raises:
        NotebookError: a cell fails, writes to stderr, or stores an absolute path.
    """
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    normalise(execute(notebook, path))
    problems = list(unfit(notebook))
    if problems:
        raise NotebookError("\n".join(f"{path.name}, {problem}" for problem in problems))
    after = serialise(notebook)
    if after == before:
        return False
    path.write_text(after, encoding="utf-8")
    return True


def read_key(chapter: Chapter) -> NotebookNode:
    """The solved, executed notebook of a chapter.

    Raises:
        NotebookError: it is missing or damaged.
    """
    try:
        return nbformat.read(chapter.notebook, as_version=4)
    except (OSError, ValueError, AttributeError, nbformat.ValidationError) as error:
        reason = getattr(error, "strerror", None) or "it is no notebook"
        raise NotebookError(f"{chapter.notebook.name}: {reason}") from None


def execute(notebook: NotebookNode, path: Path) -> NotebookNode:
    """Run all cells of a notebook as if it lay at `path`; returns the same notebook."""
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        record_timing=False,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        raise NotebookError(f"{path.name}: {error}") from None
    return notebook


def normalise(notebook: NotebookNode) -> None:
    """Remove all that varies from run to run and from machine to machine: widgets, kernel details, empty metadata."""
    notebook.metadata = NotebookNode({"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        cell.outputs = _joined(cell.outputs)
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET_MIME, None)
            if "metadata" in output:
                output.metadata = NotebookNode()


def unfit(notebook: NotebookNode) -> Iterator[str]:
    """What may not stand in a stored chapter, one line each; nothing when it is fit.

    nbval runs a cell without an execution count but does not compare it, so a null count is a check that cannot fail.
    """
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type != "code":
            continue
        if cell.source.strip() and cell.execution_count is None:
            yield f"cell {number} has no execution count: nbval would not compare it"
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"cell {number} stores an error: {output.ename}: {output.evalue}"
            if output.get("name") == "stderr":
                yield f"cell {number} writes to stderr: {output.text.strip()[:200]}"
            if WIDGET_MIME in output.get("data", {}):
                yield f"cell {number} stores a widget, which is dead on a page"
            found = ABSOLUTE_PATH.search(json.dumps(_texts(output), ensure_ascii=False))
            if found:
                yield f"cell {number} stores an absolute path: {found[0]}…"


def serialise(notebook: NotebookNode) -> str:
    """The file's text: nbformat's own, ending in one newline."""
    text: str = nbformat.writes(notebook, version=4)
    return text.rstrip("\n") + "\n"


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs with neighbouring pieces of one stream put together: where a stream is cut depends on the timing."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _texts(output: NotebookNode) -> list[str]:
    data = output.get("data", {})
    return [
        output.get("text", ""),
        *(str(value) for mime, value in data.items() if "image" not in mime),
    ]
