"""Editions of a chapter: pure functions from the solved, executed notebook to the copy that someone gets.

The solved notebook is the only source. A solution stands between nbgrader's markers, `### BEGIN SOLUTION` and
`### END SOLUTION`; the learner's edition has a stub in its place, the book shows the stub and folds the solution away.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError")
LOOKS_LIKE_A_MARKER = re.compile(r"#.*\b(begin|end)[\W_]{0,3}solution", re.IGNORECASE)
KEY_ONLY = "key-only"  # a word to those who open the answer key
JUPYTER_ONLY = (
    "jupyter-only"  # says how to use a notebook, or where the learner stands: not on a page
)
FURNITURE = {"lab", "predict", "quiz", "scene"}  # on a page their one line of code says nothing


class EditionError(ValueError):
    """A slip of the author's: markers that would let a solution through, a lab or the words of a picture missing."""


@dataclass(frozen=True, kw_only=True)
class _Region:
    """A solution in a cell: the lines of its markers, counted from 0, and their indentation."""

    first: int
    last: int
    indent: str


def learner_edition(notebook: NotebookNode) -> NotebookNode:
    """The copy that a learner works in: stubs for solutions, nothing executed.

    Raises:
        EditionError: markers that would let a solution through; the message names the cell.
    """
    edition = copy.deepcopy(notebook)
    edition.metadata.pop("widgets", None)
    _check_markers(edition)
    edition.cells = [cell for cell in edition.cells if KEY_ONLY not in tags(cell)]
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
        EditionError: markers that would let a solution through, a lab without a player, or a cell whose pictures
            would share one alt text.
    """
    edition = copy.deepcopy(notebook)
    _check_markers(edition)
    cells: list[NotebookNode] = []
    numbers = {id(cell): number for number, cell in _code_cells(edition)}
    for cell in edition.cells:
        if tags(cell) & {KEY_ONLY, JUPYTER_ONLY}:
            continue
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        number = numbers[id(cell)]
        cell_tags = tags(cell)
        if "lab" in cell_tags:
            _put_player(cell, number, lab_html)
        _describe_pictures(cell, number)
        if cell_tags & FURNITURE:
            cell.metadata.tags = sorted(cell_tags | {"remove-input"})
        if solution_lines(cell.source):
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
    """Source with a stub in place of each solution; without markers, the same source.

    Raises:
        EditionError: markers that would let a solution through, or a stub that Python could not read.
    """
    lines = source.split("\n")
    for region in reversed(_regions(source, f"cell {cell_number}")):
        lines[region.first : region.last + 1] = [region.indent + stub for stub in STUB]
    return "\n".join(lines)


def without_markers(source: str) -> str:
    """Source with its solution, and without the markers."""
    return "\n".join(line for line in source.split("\n") if line.strip() not in {BEGIN, END})


def solution_lines(source: str) -> tuple[str, ...]:
    """The lines between the markers, stripped: what must not be found in a learner's copy.

    Raises:
        EditionError: markers that do not pair.
    """
    lines = source.split("\n")
    inside = [
        line
        for region in _regions(source, "this cell")
        for line in lines[region.first + 1 : region.last]
    ]
    return tuple(line.strip() for line in inside if line.strip())


def _regions(source: str, place: str) -> list[_Region]:
    """The solutions of a cell, in order.

    Raises:
        EditionError: what is wrong with the markers, and in which place.
    """
    lines = source.split("\n")
    regions: list[_Region] = []
    first = None
    for number, line in enumerate(lines):
        marker = line.strip()
        if marker == BEGIN:
            if first is not None:
                raise EditionError(f"{place}: a solution begins inside a solution")
            first = number
        elif marker == END:
            if first is None:
                raise EditionError(f"{place}: a solution ends that never began")
            regions.append(_Region(first=first, last=number, indent=_indent(lines[first])))
            _check_region(regions[-1], lines, place)
            first = None
        elif LOOKS_LIKE_A_MARKER.search(line):
            raise EditionError(f"{place}: {marker!r} is no marker, write {BEGIN!r} or {END!r}")
    if first is not None:
        raise EditionError(f"{place}: the solution that begins here never ends")
    return regions


def _check_region(region: _Region, lines: list[str], place: str) -> None:
    """The stub takes the indentation of the marker, so the solution must have it too."""
    inside = [line for line in lines[region.first + 1 : region.last] if line.strip()]
    if not inside:
        raise EditionError(f"{place}: a solution without a line")
    for what, line in (("solution", inside[0]), ("end", lines[region.last])):
        if _indent(line) != region.indent:
            raise EditionError(
                f"{place}: the {what} is indented by {len(_indent(line))}, its beginning by {len(region.indent)}"
            )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _check_markers(notebook: NotebookNode) -> None:
    """Refuse, by the number of the cell, what would let a solution through, also where no markers are looked for."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type != "code":
            if {BEGIN, END} & {line.strip() for line in cell.source.split("\n")}:
                raise EditionError(f"cell {number}: a solution's marker outside a code cell")
        elif not _regions(cell.source, f"cell {number}") and "exercise" in tags(cell):
            raise EditionError(f"cell {number} is tagged `exercise` but marks no solution")


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


def _describe_pictures(cell: NotebookNode, number: int) -> None:
    """Make the words of a picture its alt text: myst-nb would take the name of a file, and takes one for a cell."""
    words = {
        " ".join(output.data["text/plain"].split())
        for output in cell.outputs
        if {"image/png", "text/plain"} <= set(output.get("data", {}))
    }
    if len(words) > 1:
        raise EditionError(
            f"cell {number} shows {len(words)} pictures, which would share one alt text"
        )
    for alt in words:
        settings = cell.metadata.get("mystnb", {})
        cell.metadata.mystnb = settings | {"image": settings.get("image", {}) | {"alt": alt}}


def _solution_dropdown(cell_id: str, solved: str) -> NotebookNode:
    code, directive = _fence("`", solved, least=3), _fence(":", solved, least=4)
    dropdown = f"{directive}{{dropdown}} Solution\n{code}python\n{solved}\n{code}\n{directive}"
    text = f"{dropdown}\n\nWith that answer the check says:"
    return new_markdown_cell(text, id=f"{cell_id[:55]}-solution")  # an id has 64 characters


def _fence(mark: str, text: str, *, least: int) -> str:
    """A fence that no line of the text can close."""
    runs = re.findall(f"{re.escape(mark)}+", text)
    return mark * max([least, *(len(run) + 1 for run in runs)])
