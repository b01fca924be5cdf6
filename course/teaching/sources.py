"""The text of answers: a definition that Python cannot read, and the reference as a learner would write it."""

import ast
import inspect
import re
import symtable
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from course.teaching.words import one_line


def broken_definition(sources: Sequence[str], name: str) -> str:
    """What keeps Python from reading the newest definition of a function, as one line; "" if nothing does.

    A cell with a slip of syntax defines nothing, so an older definition, or none, would be judged in its place.

    Args:
        sources: code cells, oldest first; magics are understood.
        name: of the function.
    """
    definition = re.compile(rf"^\s*(?:async\s+)?def\s+{re.escape(name)}\b", re.MULTILINE)
    newest = next((text for text in reversed(sources) if definition.search(text)), "")
    try:
        ast.parse(TransformerManager().transform_cell(newest))  # type: ignore[no-untyped-call]
    except (SyntaxError, ValueError) as error:  # a null byte is either, by the version of Python
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        return one_line(f"{place}SyntaxError: {error.args[0]}", limit=300)
    return ""


def defined_names(source: str) -> set[str]:
    """Names that a cell gives to functions, classes, values and imports.

    Magics are understood. Where Python cannot read the cell, they are the names on its `def` lines.
    """
    body = re.sub(r"\A\s*%%.*\n", "", source)  # what stands below %%time is code
    try:
        top = symtable.symtable(TransformerManager().transform_cell(body), "cell", "exec")  # type: ignore[no-untyped-call]
    except (SyntaxError, ValueError):
        return set(re.findall(r"^\s*(?:async\s+)?def\s+(\w+)", source, re.MULTILINE))
    return {
        symbol.get_name()
        for symbol in top.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def plain_source(function: Callable[..., Any], name: str) -> str:
    """The source of one of our functions under a learner's name and without annotations, to be pasted and run."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    definition.name, definition.returns, definition.decorator_list = name, None, []
    for argument in definition.args.args:
        argument.annotation = None
    return ast.unparse(definition)
