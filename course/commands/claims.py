"""`course claims`: which cell shows each claim, which claims are still missing, and what real engines found."""

from dataclasses import dataclass

from course.commands.notebooks import read_key
from course.evidence.ledger import Claim, ledger
from course.outline import Outline
from course.teaching.editions import tags

TAG = "claim:"


@dataclass(frozen=True, kw_only=True)
class Showing:
    """A claim and the cells that show it, as `10-depth-and-range: cell 7`; none if it is missing."""

    claim: Claim
    cells: tuple[str, ...]


def showings(outline: Outline, chapter: int | None = None) -> list[Showing]:
    """Every claim, or those of one chapter, with the cells that show it.

    Raises:
        LookupError: a cell is tagged with a claim that the ledger does not know, or no claim is of that chapter.
    """
    found = _tagged_cells(outline)
    unknown = sorted(set(found) - set(ledger()))
    if unknown:
        raise LookupError(
            f"no such claim in claims.yml: {', '.join(unknown)} ({found[unknown[0]][0]})"
        )
    shown = [
        Showing(claim=claim, cells=tuple(found.get(claim.id, ())))
        for claim in ledger().values()
        if chapter in (None, claim.chapter)
    ]
    if not shown:
        raise LookupError(f"claims.yml has no claim of chapter {chapter}")
    return shown


def claims_table(shown: list[Showing]) -> str:
    """The showings as text."""
    width = max((len(showing.claim.id) for showing in shown), default=0)
    rows = []
    for showing in shown:
        where = ", ".join(showing.cells) or "missing"
        rows.append(f"{showing.claim.id:<{width}}  {showing.claim.chapter:>2}  {where}")
        if showing.cells and showing.claim.finding:
            rows.append(
                f"{'':<{width}}      {showing.claim.finding}: {showing.claim.observed}".rstrip(": ")
            )
    count = sum(bool(showing.cells) for showing in shown)
    return "\n".join([*rows, f"{count} of {len(shown)} claims shown"])


def _tagged_cells(outline: Outline) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for chapter in outline.chapters:
        notebook = read_key(chapter)
        for number, cell in enumerate(notebook.cells, start=1):
            for tag in sorted(tags(cell)):
                if tag.startswith(TAG):
                    place = f"{chapter.notebook.stem}: cell {number}"
                    found.setdefault(tag.removeprefix(TAG), []).append(place)
    return found
