"""The claim ledger `claims.yml`: every statement that the course shows by running code.

A notebook shows a claim in a cell tagged `claim:<id>`; `course.commands.claims` puts the two side by side.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import fill

import yaml


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement.

    Attributes:
        id: stable name, used in tags.
        chapter: number of the notebook that shows it.
        claim: the statement.
        show: "demo", "model" or "contract".
        weight: "core" or "extra".
        real: the real engine it can be put to, "-" for none.
        finding: "confirmed", "partly", "contradicted", or "" where no engine was run.
        observed: the numbers seen then, with the engine.
        source: section of the lesson it comes from.
    """

    id: str
    chapter: int
    claim: str
    show: str
    weight: str
    real: str
    source: str
    finding: str = ""
    observed: str = ""


@cache
def ledger() -> dict[str, Claim]:
    """All claims by id, in the order of the file.

    Raises:
        ValueError: two claims share an id.
    """
    text = files("course.evidence").joinpath("claims.yml").read_text(encoding="utf-8")
    claims = [Claim(**record) for record in yaml.safe_load(text)]
    by_id = {claim.id: claim for claim in claims}
    if len(by_id) < len(claims):
        raise ValueError("claims.yml gives one id to two claims")
    return by_id


def finding(claim_id: str) -> str:
    """What was claimed, and what a real engine answered when it was asked, as wrapped lines.

    Raises:
        LookupError: no such claim.
    """
    if claim_id not in ledger():
        raise LookupError(f"claims.yml has no claim {claim_id!r}")
    claim = ledger()[claim_id]
    if not claim.finding:
        return _wrapped(f"Claim: {claim.claim}") + "\n  No engine was asked."
    answer = f"Asked of {claim.real}: {claim.finding}. {claim.observed}".strip()
    return f"{_wrapped(f'Claim: {claim.claim}')}\n{_wrapped(answer)}"


def _wrapped(text: str) -> str:
    return fill(text, width=84, subsequent_indent="  ")
