"""A pytest plugin for the replay: writes the outcome and the printed text of every nbval cell as a line of JSON."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where to write the results."""
    parser.addoption("--replay-results", type=Path, required=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: Any, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Append one line for each cell that was run."""
    report = yield
    if call.when == "call":
        printed = "".join(
            output.get("text", "")
            for output in item.test_outputs or ()
            if output.get("name") == "stdout"
        )
        error = str(call.excinfo.value).partition("\n")[0] if call.excinfo else ""
        result = {"cell": item.cell_num, "outcome": report.outcome, "text": printed, "error": error}
        with item.config.option.replay_results.open("a", encoding="utf-8") as results:
            results.write(json.dumps(result) + "\n")
    return report
