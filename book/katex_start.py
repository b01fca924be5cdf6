"""Starts the KaTeX server of sphinxcontrib-katex without its race.

The extension connects as soon as the socket's file exists, which is a moment before anybody listens:
on a busy machine the connection is refused, the build fails, and the Node process is left behind.
"""

import socket
import time
from pathlib import Path
from subprocess import PIPE, Popen

from sphinxcontrib.katex import KaTeXServer


def start_server_process(
    cls: type[KaTeXServer], rundir: Path, timeout: float
) -> tuple[Popen[bytes], socket.socket]:
    """Start Node and connect as soon as it listens; end it if that takes longer than `timeout` s."""
    path = rundir / "katex.sock"
    process = Popen(cls.build_command(socket=path), stdin=PIPE, stdout=PIPE, cwd=rundir)
    end = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(path))
        except OSError:
            connection.close()
            time.sleep(0.01)
        else:
            return process, connection
    process.kill()
    process.wait()
    raise cls.timeout_error(timeout)
