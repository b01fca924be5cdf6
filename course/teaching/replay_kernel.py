"""What the replay does inside its kernel, around the learner's cells.

Before them: a time limit for every cell, so that one that never ends does not take the others with it; and nothing is
recorded as the learner's progress. After them: what the checks need to be heard is put back, whatever became of it.
"""

import builtins
import contextlib
import os
import sys
from contextlib import ExitStack

from IPython import get_ipython

from course.teaching import events
from course.teaching.limit import time_limit

CELL_SECONDS = 10.0

_kept = (sys.stdout, sys.stderr, builtins.print)


def prepare(folder: str) -> None:
    """Work in the folder of the copy, limit every cell, and record no events."""
    os.chdir(folder)
    events.switch_off()
    limit_cells()


def restore(folder: str) -> None:
    """Put the streams, `print` and the folder back to what they were before the learner's cells."""
    sys.stdout, sys.stderr, builtins.print = _kept
    with contextlib.suppress(OSError):  # the folder may be gone
        os.chdir(folder)


def limit_cells(seconds: float = CELL_SECONDS) -> None:
    """End every cell that follows after so many seconds, and let the kernel live."""
    running = ExitStack()

    def arm(_info: object) -> None:
        running.enter_context(time_limit(seconds))

    def disarm(_result: object) -> None:
        running.close()

    shell = get_ipython()
    shell.events.register("pre_run_cell", arm)
    shell.events.register("post_run_cell", disarm)
