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

from course.teaching.editions import tags
from course.teaching.replay_kernel import CELL_SECONDS
from course.teaching.sources import broken_definition
from course.teaching.verdict import State, Verdict

CHECKED = re.compile(r"""\bcheck\(["'](\w+)["']\)""")


class UnreadableError(ValueError):
    """The file is no notebook; the message says what it is."""


class ReplayError(RuntimeError):
    """The replay could not be started: the fault is not the learner's."""


def judge_copy(path: Path, key: NotebookNode) -> list[Verdict]:
    """Replay a learner's copy and judge every exercise of its chapter.

    Args:
        path: the copy.
        key: the solved, executed notebook of the same chapter.

    Raises:
        UnreadableError: the copy is missing or no notebook.
        ReplayError: the replay could not be started.
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
    around = f"from course.teaching import replay_kernel as _replay\n_replay.{{}}({str(folder)!r})"
    setup = [cell.source for cell in key.cells if "setup" in tags(cell)]
    uncompared = [around.format("prepare"), *sources, around.format("restore"), *setup]
    cells = [new_code_cell(source) for source in uncompared]
    cells += [cell for cell in key.cells if "check" in tags(cell)]
    return new_notebook(cells=cells, metadata=key.metadata)


def checked_exercise(cell: NotebookNode) -> str:
    """The exercise that a cell checks, "" if it checks none."""
    found = CHECKED.search(cell.source) if "check" in tags(cell) else None
    return found[1] if found else ""


def learner_sources(path: Path, kind: str = "code") -> list[str]:
    """The text of a notebook's cells of one kind, whatever became of their ids, tags, counts and outputs.

    Raises:
        UnreadableError: the file is missing, not JSON, or not a notebook of format 4.
    """
    name = path.name or str(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"{name}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UnreadableError(f"{name} is not JSON, so it is no notebook") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list) or data.get("nbformat") != 4:
        raise UnreadableError(
            f"{name} is JSON, but no notebook of format 4 (it has no list of cells)"
        )
    return [source for cell in cells if (source := _source(cell, kind)) is not None]


def _source(cell: Any, kind: str) -> str | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != kind:
        return None
    source = cell.get("source", "")
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return text.encode("utf-8", "replace").decode()  # JSON may hold what no file can


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
        run = subprocess.run(
            command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False
        )
        if not results.exists():
            said = (run.stderr or run.stdout).strip().splitlines()
            raise ReplayError(
                f"the replay could not be started: {said[-1] if said else 'no reason given'}"
            )
        return dict(_read(results))


def _environment() -> dict[str, str]:
    """Ours, without what would change pytest; other plugins would cost a second each and change nothing."""
    ours = {
        name: v
        for name, v in os.environ.items()
        if name not in {"PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    }
    return ours | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


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
    # A thread of the learner's may print between; the verdict begins a line.
    verdict = Verdict.parse(printed[max(printed.find(f"{name}: "), 0) :])
    if verdict is not None and verdict.exercise == name:
        return verdict
    error = (result or {}).get("error", "Kernel dead")
    if error.startswith("Kernel dead"):
        reason = "the kernel ended before this check could run (exit(), or a crash?)"
    else:
        reason = f"the check could not run: {error} (does `course doctor` find a problem?)"
    return Verdict(exercise=name, state=State.ERROR, reason=reason)
