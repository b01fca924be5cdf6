"""What a stored chapter may and may not hold."""

import ast
import re
from importlib import import_module

from nbformat import NotebookNode

from course.commands.claims import TAG
from course.commands.notebooks import unfit
from course.evidence.ledger import ledger
from course.outline import Chapter
from course.teaching.editions import BEGIN, tags
from course.teaching.replay import checked_exercise


def test_nothing_unfit_is_stored(notebook: NotebookNode) -> None:
    assert list(unfit(notebook)) == []


def test_cells_are_numbered_as_one_run_would(notebook: NotebookNode) -> None:
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


def test_cell_ids_are_words_and_unique(notebook: NotebookNode) -> None:
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", cell_id) for cell_id in ids)


def test_every_exercise_is_checked_and_every_check_has_its_exercise(notebook: NotebookNode) -> None:
    written = [name for cell in tagged(notebook, "exercise") for name in functions(cell)]
    checked = [checked_exercise(cell) for cell in tagged(notebook, "check")]
    assert written == checked
    assert len(set(written)) == len(written)
    assert all(BEGIN in cell.source for cell in tagged(notebook, "exercise"))


def test_the_chapter_asks_all_that_its_labs_hold_ready(
    notebook: NotebookNode, chapter: Chapter
) -> None:
    labs = [import_module(f"labs.{name}").LAB for name in chapter.labs]
    shown = re.findall(
        r'<div class="(quiz|predict)" data-name="([^"]+)"',
        "".join(
            o.get("data", {}).get("text/html", "") for c in code_cells(notebook) for o in c.outputs
        ),
    )
    assert sorted(name for kind, name in shown if kind == "quiz") == sorted(
        question.name for lab in labs for question in lab.quiz
    )
    assert [name for kind, name in shown if kind == "predict"] == [
        prediction.name for lab in labs for prediction in lab.predictions
    ]
    written = [name for cell in tagged(notebook, "exercise") for name in functions(cell)]
    assert written == [exercise.name for lab in labs for exercise in lab.exercises]


def test_no_exercise_has_the_name_of_an_import(notebook: NotebookNode) -> None:
    # An answer may be moved above an import, and the replay runs the set-up again before it checks: either would put
    # the import in the answer's place.
    exercises = [name for cell in tagged(notebook, "exercise") for name in functions(cell)]
    assert imports(notebook).isdisjoint(exercises)


def test_every_call_that_the_text_or_a_verdict_names_can_be_made(notebook: NotebookNode) -> None:
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    quoted = set(re.findall(r"`(\w+)\(", "\n".join(texts)))
    by_verdicts = {"check", "hint", "show_answer"}
    assert quoted | by_verdicts <= imports(notebook)


def test_outputs_that_can_be_compared_are_compared(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        if "nbval-ignore-output" in tags(cell):
            assert not any(tag == "check" or tag.startswith(TAG) for tag in tags(cell)), cell.id


def test_a_claim_cell_asserts_and_prints_a_number(notebook: NotebookNode, chapter: Chapter) -> None:
    for cell in code_cells(notebook):
        claimed = [tag.removeprefix(TAG) for tag in tags(cell) if tag.startswith(TAG)]
        for claim in claimed:
            assert ledger()[claim].chapter == int(chapter.id)
        if claimed:
            assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(cell.source)))
            printed = "".join(output.get("text", "") for output in cell.outputs)
            assert re.search(r"\d", printed), cell.id


def test_pictures_have_words(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data:
                assert len(data.get("text/plain", "").split()) > 5, cell.id
            for alt in re.findall(r'<img [^>]*alt="([^"]*)"', data.get("text/html", "")):
                assert len(alt.split()) > 5, cell.id


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tagged(notebook: NotebookNode, tag: str) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if tag in tags(cell)]


def imports(notebook: NotebookNode) -> set[str]:
    """Names that the chapter imports."""
    return {
        alias.asname or alias.name
        for cell in code_cells(notebook)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def functions(cell: NotebookNode) -> list[str]:
    return [node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)]
