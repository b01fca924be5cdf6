"""A claim cell must fail when what it claims is not so: each expected number is altered, each condition inverted.

In an `assert`, expected values stand as positional operands and tolerances as keywords (`rtol=`, `atol=`), which are
left alone: a tolerance that is one per cent wider is not another claim.
"""

import ast
import copy
from collections.abc import Iterator

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from course.commands.claims import TAG
from course.evidence.ledger import ledger
from course.outline import Chapter
from course.teaching.editions import tags

TRY = """
try:
    exec(compile({source!r}, "altered claim", "exec"), dict(globals()))
except Exception:
    print("refused")
else:
    print("accepted")
"""


def test_an_altered_claim_fails(notebook: NotebookNode, chapter: Chapter) -> None:
    altered: dict[str, list[str]] = {}
    cells = []
    for cell in notebook.cells:
        if any(tag.startswith(TAG) for tag in tags(cell)):
            altered[cell.id] = list(alterations(cell.source))
            cells += [try_cell(cell.id, n, source) for n, source in enumerate(altered[cell.id])]
        cells.append(cell)
    claimed = any(claim.chapter == int(chapter.id) for claim in ledger().values())
    assert bool(altered) == claimed
    if not claimed:
        return
    notebook.cells = cells
    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(chapter.notebook.parent)}},
    ).execute()

    said = {cell.id: printed(cell) for cell in notebook.cells if "altered" in tags(cell)}
    for cell_id, sources in altered.items():
        assert len(sources) >= 2, cell_id
        for number, source in enumerate(sources):
            assert said[f"{cell_id}-{number}"].endswith("refused\n"), source


def printed(cell: NotebookNode) -> str:
    """All that a cell wrote to stdout; one stream can arrive in several pieces."""
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


def alterations(source: str) -> Iterator[str]:
    """The cell with one of its assertions altered, in every way."""
    tree = ast.parse(source)
    for index, node in enumerate(ast.walk(tree)):
        if not isinstance(node, ast.Assert):
            continue
        inverted = copy.deepcopy(tree)
        place = nth(inverted, index)
        place.test = ast.UnaryOp(op=ast.Not(), operand=place.test)
        yield ast.unparse(ast.fix_missing_locations(inverted))
        for number in range(len(list(expected_numbers(node.test)))):
            moved = copy.deepcopy(tree)
            constant = list(expected_numbers(nth(moved, index).test))[number]
            constant.value = 1.01 * constant.value if constant.value else 0.01
            yield ast.unparse(moved)


def expected_numbers(node: ast.AST) -> Iterator[ast.Constant]:
    """Numbers in an expression, those in keyword arguments excepted."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.keyword):
            yield from expected_numbers(child)


def nth(tree: ast.AST, index: int) -> ast.Assert:
    node = list(ast.walk(tree))[index]
    assert isinstance(node, ast.Assert)
    return node


def try_cell(cell_id: str, number: int, source: str) -> NotebookNode:
    cell = nbformat.v4.new_code_cell(TRY.format(source=source), id=f"{cell_id}-{number}")
    cell.metadata["tags"] = ["altered"]
    return cell
