"""The learner's copy: no solution in it, and it runs to its end whatever the exercises hold."""

import json
import re
from itertools import cycle

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from course.outline import Chapter
from course.teaching.editions import STUB, learner_edition, solution_lines, tags
from course.teaching.verdict import State, Verdict


def test_no_line_of_a_solution_is_in_it(notebook: NotebookNode) -> None:
    copy = json.dumps(learner_edition(notebook), ensure_ascii=False)
    lines = [line for cell in notebook.cells for line in solution_lines(cell.source)]
    assert lines
    for line in lines:
        assert json.dumps(line, ensure_ascii=False)[1:-1] not in copy


def test_nothing_in_it_was_executed(notebook: NotebookNode) -> None:
    for cell in learner_edition(notebook).cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


@pytest.mark.parametrize(
    ("bodies", "state"),
    [
        ((STUB[1],), State.NOT_ATTEMPTED),
        (("raise", "raise SystemExit(3)"), State.ERROR),
    ],
    ids=["untouched", "raise and SystemExit in turns"],
)
def test_it_runs_to_its_end(
    notebook: NotebookNode, chapter: Chapter, bodies: tuple[str, ...], state: State
) -> None:
    copy = learner_edition(notebook)
    exercises = (cell for cell in copy.cells if "exercise" in tags(cell))
    for cell, body in zip(exercises, cycle(bodies), strict=False):
        cell.source = cell.source.replace(STUB[1], body)
    run(copy, chapter)
    assert states(copy) == {state}


def test_a_cell_that_only_raises_leaves_its_check_alive(
    notebook: NotebookNode, chapter: Chapter
) -> None:
    copy = learner_edition(notebook)
    for cell in copy.cells:
        if "exercise" in tags(cell):
            cell.source = "raise"
            cell.metadata.tags.append("raises-exception")
    run(copy, chapter)
    assert states(copy) == {State.NOT_ATTEMPTED}


def run(copy: NotebookNode, chapter: Chapter) -> None:
    where = {"metadata": {"path": str(chapter.notebook.parent)}}
    NotebookClient(copy, kernel_name="python3", resources=where).execute()


def states(copy: NotebookNode) -> set[State]:
    """States of all verdicts; the report at the end must say the same."""
    texts = [
        "".join(o.get("text", "") for o in c.outputs) for c in copy.cells if "check" in tags(c)
    ]
    verdicts = [Verdict.parse(text) for text in texts]
    assert all(verdicts)
    report = "".join(
        output.text for cell in copy.cells if "report" in tags(cell) for output in cell.outputs
    )
    for verdict in verdicts:
        assert re.search(rf"{verdict.exercise} +{re.escape(verdict.summary)}", report)
    return {verdict.state for verdict in verdicts}
