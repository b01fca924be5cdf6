"""What several tests of the teaching package share: the state of the process, before and after."""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


def process_state() -> dict[str, Any]:
    return {
        "handlers": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "itimer": signal.getitimer(signal.ITIMER_REAL),
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "hooks": (sys.unraisablehook, sys.excepthook, sys.displayhook),
        "warnings": list(warnings.filters),
        "numpy": (np.geterr(), np.get_printoptions()),
        "recursion limit": sys.getrecursionlimit(),
        "folder": os.getcwd(),  # noqa: PTH109 - the process's own
    }


@pytest.fixture
def leaves_no_trace():
    """The test leaves the process as it found it."""
    before = process_state()
    yield
    assert process_state() == before


@pytest.fixture(params=["main thread", "another thread"])
def on_a_thread(request) -> Callable[[Callable[[], Any]], Any]:
    """Runs a function, on the main thread or on another, and returns what it returned."""

    def elsewhere(function: Callable[[], Any]) -> Any:
        results = []
        thread = threading.Thread(target=lambda: results.append(function()))
        thread.start()
        thread.join(30)
        assert not thread.is_alive()
        return results[0]

    return elsewhere if request.param == "another thread" else lambda function: function()
