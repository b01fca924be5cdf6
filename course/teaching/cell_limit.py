"""A time limit for every cell of a kernel, for the replay: a cell that never ends must not take the others with it."""

from contextlib import ExitStack

from IPython import get_ipython

from course.teaching.limit import time_limit

CELL_SECONDS = 10.0


def limit_cells(seconds: float = CELL_SECONDS) -> None:
    """In a kernel: end every cell that follows after so many seconds, and let the kernel live."""
    running = ExitStack()

    def arm(_info: object) -> None:
        running.enter_context(time_limit(seconds))

    def disarm(_result: object) -> None:
        running.close()

    shell = get_ipython()
    shell.events.register("pre_run_cell", arm)
    shell.events.register("post_run_cell", disarm)
