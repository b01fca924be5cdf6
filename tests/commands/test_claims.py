"""`course claims` sets the ledger beside the cells that show it."""

from pathlib import Path

import nbformat
import pytest

from course.commands.claims import claims_table, showings
from course.evidence.ledger import ledger
from course.outline import Outline, find_root, read_outline

REAL = read_outline(find_root(Path(__file__)))


def tag(outline: Outline, claim: str) -> None:
    path = outline.chapters[0].notebook
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].metadata["tags"] = [f"claim:{claim}"]
    nbformat.write(notebook, path)


def test_a_tagged_claim_is_shown_by_its_cell_and_others_are_missing(outline: Outline) -> None:
    tag(outline, "depth-off-axis")
    by_id = {showing.claim.id: showing.cells for showing in showings(outline, 10)}
    assert by_id["depth-off-axis"] == ("10-small: cell 2",)
    assert by_id["depth-to-range"] == ()


def test_the_table_says_what_engines_found(outline: Outline) -> None:
    tag(outline, "depth-off-axis")
    text = claims_table(showings(outline, 10))
    assert "confirmed: Linearised renderer depth" in text
    assert text.endswith(f"1 of {len(showings(outline, 10))} claims shown")


def test_a_tag_without_a_claim_is_refused(outline: Outline) -> None:
    tag(outline, "depth-of-axis")
    with pytest.raises(
        LookupError, match=r"no such claim in claims.yml: depth-of-axis \(10-small: cell 2\)"
    ):
        showings(outline)


def test_the_repository_shows_two_claims_of_chapter_10() -> None:
    shown = {showing.claim.id for showing in showings(REAL, 10) if showing.cells}
    assert shown >= {"depth-off-axis", "depth-to-range"}


def test_the_ledger_is_whole() -> None:
    claims = ledger().values()
    assert len(claims) == 169
    assert {claim.finding for claim in claims} <= {"", "confirmed", "partly", "contradicted"}
    assert {claim.show for claim in claims} == {"demo", "model", "contract"}
