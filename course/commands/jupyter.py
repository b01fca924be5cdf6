"""JupyterLab as a learner needs it: `course` found in its terminals, and no question about news on the first page."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# Announcements are fetched from another host, and asking for leave covers the first page.
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}
}


def open_lab(folder: Path, options: Sequence[str]) -> int:
    """Run JupyterLab in a folder until it ends; returns its exit code.

    Args:
        folder: what its file browser shows.
        options: passed on to JupyterLab.
    """
    if sys.prefix != sys.base_prefix:  # only an environment of our own may be changed
        write_overrides(Path(sys.prefix))
    command = [sys.executable, "-m", "jupyterlab", *terminal_options(), *options]
    return subprocess.call(command, cwd=folder, env=environment())


def environment() -> dict[str, str]:
    """The environment of this process with the folder of `course` first in PATH."""
    path = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    return os.environ | {"PATH": os.pathsep.join(path)}


def terminal_options() -> list[str]:
    """Makes terminals plain shells: a login shell, which is the default without a console, sets PATH anew."""
    shell = os.environ.get("SHELL") or shutil.which("bash")
    if not shell:
        return []
    return [f"--ServerApp.terminado_settings={{'shell_command': [{shell!r}]}}"]


def write_overrides(prefix: Path) -> None:
    """Write our defaults for JupyterLab's settings into an environment that has none; a user's own settings win."""
    path = prefix / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(OVERRIDES, indent=1) + "\n", encoding="utf-8")
