"""Editions of a chapter: pure functions from the solved, executed notebook to the copy that someone gets.

The solved notebook is the only source. A solution stands between nbgrader's markers, `### BEGIN SOLUTION` and
`### END SOLUTION`; the learner's edition has a stub in its place, the book shows the stub and folds the solution away.
"""

import copy
import re
from collections.abc import Iterator, Mapping

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError")
FURNITURE = {"lab", "predict", "quiz", "scene"}  # on a page their one line of code says nothing


class EditionError(ValueError):
    """A slip of the author's: the markers of a cell do not pair, or a lab is unknown."""


def learner_edition(notebook: NotebookNode) -> NotebookNode:
    """The copy that a learner works in: stubs for solutions, nothing executed.

    Raises:
        EditionError: markers that do not pair; the message names the cell.
    """
    edition = copy.deepcopy(notebook)
    edition.metadata.pop("widgets", None)
    for number, cell in _code_cells(edition):
        cell.source = stubbed(cell.source, cell_number=number)
        cell.outputs = []
        cell.execution_count = None
    return edition


def book_edition(notebook: NotebookNode, *, lab_html: Mapping[str, str]) -> NotebookNode:
    """The copy that the static book is built from.

    Args:
        notebook: solved and executed.
        lab_html: name of a lab -> the player that stands where its panel was.

    Raises:
        EditionError: markers that do not pair, or a lab without a player.
    """
    edition = copy.deepcopy(notebook)
    cells: list[NotebookNode] = []
    numbers = {id(cell): number for number, cell in _code_cells(edition)}
    for cell in edition.cells:
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        number = numbers[id(cell)]
        cell_tags = tags(cell)
        if "lab" in cell_tags:
            _put_player(cell, number, lab_html)
        _describe_pictures(cell)
        if cell_tags & FURNITURE:
            cell.metadata.tags = sorted(cell_tags | {"remove-input"})
        if BEGIN in cell.source:
            solved = without_markers(cell.source)
            cell.source = stubbed(cell.source, cell_number=number)
            cell.outputs = []
            cells.append(_solution_dropdown(cell.id, solved))
    edition.cells = cells
    return edition


def tags(cell: NotebookNode) -> set[str]:
    """The tags of a cell."""
    return set(cell.metadata.get("tags", ()))


def stubbed(source: str, *, cell_number: int) -> str:
    """Source with a stub in place of each solution.

    Raises:
        EditionError: markers that do not pair.
    """
    lines: list[str] = []
    inside = False
    for line in source.splitlines():
        marker = line.strip()
        if marker == BEGIN:
            if inside:
                raise EditionError(f"cell {cell_number}: a solution begins inside a solution")
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in STUB]
        elif marker == END:
            if not inside:
                raise EditionError(f"cell {cell_number}: a solution ends that never began")
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise EditionError(f"cell {cell_number}: the solution that begins here never ends")
    return "\n".join(lines)


def without_markers(source: str) -> str:
    """Source with its solution, and without the markers."""
    return "\n".join(line for line in source.splitlines() if line.strip() not in {BEGIN, END})


def solution_lines(source: str) -> tuple[str, ...]:
    """The lines between the markers, stripped: what must not be found in a learner's copy."""
    regions = re.findall(rf"{BEGIN}\n(.*?){END}", source, flags=re.DOTALL)
    return tuple(line.strip() for region in regions for line in region.splitlines() if line.strip())


def _code_cells(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Code cells with their number among all cells, from 1, as an author counts them."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            yield number, cell


def _put_player(cell: NotebookNode, number: int, lab_html: Mapping[str, str]) -> None:
    for output in cell.outputs:
        html = output.get("data", {}).get("text/html", "")
        found = re.match(r'<div class="lab" data-lab="([\w-]+)">', html)
        if not found:
            continue
        if found[1] not in lab_html:
            known = ", ".join(lab_html) or "none"
            raise EditionError(
                f"cell {number}: there is no player for lab {found[1]!r} (known: {known})"
            )
        output.data = NotebookNode({"text/html": lab_html[found[1]]})
        return
    raise EditionError(f"cell {number} is tagged `lab` but stores no lab: run `make notebooks`")


def _describe_pictures(cell: NotebookNode) -> None:
    """Make the words of a picture its alt text: myst-nb would take the name of a file."""
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data and "text/plain" in data:
            cell.metadata.mystnb = {"image": {"alt": " ".join(data["text/plain"].split())}}


def _solution_dropdown(cell_id: str, solved: str) -> NotebookNode:
    text = f"::::{{dropdown}} Solution\n```python\n{solved}\n```\n::::"
    return new_markdown_cell(text, id=f"{cell_id}-solution"[:64])
