"""The replay: a learner's copy, run from its first cell, then judged by the key's own check cells through nbval.

All of the learner's code cells run in order and are not compared: answers are found by name, so cells may be split,
merged, moved, doubled or deleted, and an edited check cell changes nothing. Then come the key's check cells with their
stored outputs, which nbval compares. Code that replaces the checks from inside the notebook is out of scope here.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from course.teaching.cell_limit import CELL_SECONDS
from course.teaching.editions import tags
from course.teaching.sources import broken_definition
from course.teaching.verdict import State, Verdict

CHECKED = re.compile(r"""\bcheck\(["'](\w+)["']\)""")


class UnreadableError(ValueError):
    """The file is no notebook; the message says what it is."""


def judge_copy(path: Path, key: NotebookNode) -> list[Verdict]:
    """Replay a learner's copy and judge every exercise of its chapter.

    Args:
        path: the copy.
        key: the solved, executed notebook of the same chapter.

    Raises:
        UnreadableError: the copy is missing or no notebook.
    """
    sources = learner_sources(path)
    replay = replay_notebook(sources, key, folder=path.resolve().parent)
    results = _run(replay)
    verdicts = []
    for index, cell in enumerate(replay.cells):
        name = checked_exercise(cell)
        if name and cell.execution_count is not None:
            verdict = _verdict(name, results.get(index), cell)
            broken = broken_definition(sources, name)
            if broken and verdict.state is State.NOT_ATTEMPTED:
                verdict = Verdict(exercise=name, state=State.ERROR, reason=broken)
            verdicts.append(verdict)
    return verdicts


def replay_notebook(sources: list[str], key: NotebookNode, *, folder: Path) -> NotebookNode:
    """The notebook that is replayed: the learner's cells without counts, then the key's checks with theirs."""
    setup = (
        "import os as _os\n"
        f"_os.chdir({str(folder)!r})\n"
        "from course.teaching.cell_limit import limit_cells as _limit_cells\n"
        "_limit_cells()"
    )
    uncompared = [setup, *sources, *(c.source for c in key.cells if "setup" in tags(c))]
    cells = [new_code_cell(source) for source in uncompared]
    cells += [cell for cell in key.cells if "check" in tags(cell)]
    return new_notebook(cells=cells, metadata=key.metadata)


def checked_exercise(cell: NotebookNode) -> str:
    """The exercise that a cell checks, "" if it checks none."""
    found = CHECKED.search(cell.source) if "check" in tags(cell) else None
    return found[1] if found else ""


def learner_sources(path: Path) -> list[str]:
    """The code of a notebook, cell by cell, whatever became of its ids, tags, counts and outputs.

    Raises:
        UnreadableError: the file is missing, not JSON, or not a notebook of format 4.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"{path.name}: {error.strerror}") from None
    except ValueError:
        raise UnreadableError(f"{path.name} is not JSON, so it is no notebook") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list) or data.get("nbformat") != 4:
        raise UnreadableError(
            f"{path.name} is JSON, but no notebook of format 4 (it has no list of cells)"
        )
    return [source for cell in cells if (source := _source(cell)) is not None]


def _source(cell: Any) -> str | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    return "".join(source) if isinstance(source, list) else str(source)


def _run(replay: NotebookNode) -> dict[int, dict[str, str]]:
    """Run a notebook through nbval in a process of its own: code cell index -> outcome and printed text."""
    with tempfile.TemporaryDirectory(prefix="course-replay-") as folder:
        notebook = Path(folder) / "replay.ipynb"
        results = Path(folder) / "results.jsonl"
        nbformat.write(replay, notebook)
        command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", str(notebook)]
        command += ["-p", "nbval.plugin", "-p", "course.teaching.replay_plugin"]
        command += [f"--replay-results={results}"]
        command += ["--nbval-cell-timeout", str(CELL_SECONDS + 2)]  # a net below `limit_cells`
        command += ["-q", "--color=no", "-W", "ignore", "-p", "no:cacheprovider"]
        command += ["--rootdir", folder, "-c", str(notebook.with_name("pytest.ini"))]
        notebook.with_name("pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        # Other plugins that happen to be installed would cost a second each and change nothing.
        environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return dict(_read(results))


def _read(results: Path) -> Iterator[tuple[int, dict[str, str]]]:
    if results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            yield result["cell"], result


def _verdict(name: str, result: dict[str, str] | None, cell: NotebookNode) -> Verdict:
    reference = "".join(output.get("text", "") for output in cell.outputs)
    printed = (
        reference if result and result["outcome"] == "passed" else (result or {}).get("text", "")
    )
    verdict = Verdict.parse(printed)
    if verdict is not None and verdict.exercise == name:
        return verdict
    error = (result or {}).get("error", "Kernel dead")
    if error.startswith("Kernel dead"):
        reason = "the kernel ended before this check could run (exit(), or a crash?)"
    else:
        reason = f"the check could not run: {error} (does `course doctor` find a problem?)"
    return Verdict(exercise=name, state=State.ERROR, reason=reason)
