"""Native libraries that talk: their output is silenced at file descriptors 1 and 2, where Python cannot see it.

pybullet prints its build time when it is imported, coacd logs with time stamps. nbconvert would store such lines in a
notebook; nbval, which switches the kernel's capture off, would not see them: the replay could never agree.
"""

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Send what native code writes to standard output and standard error to nowhere."""
    sys.stdout.flush()
    sys.stderr.flush()
    with contextlib.ExitStack() as stack:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        stack.callback(os.close, nowhere)
        for descriptor in (1, 2):
            kept = os.dup(descriptor)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, descriptor)
            os.dup2(nowhere, descriptor)
        yield
