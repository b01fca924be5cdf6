"""JupyterLab is started so that `course` is found in its terminals and nothing is asked on the first page."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from course.commands import jupyter


def test_the_folder_of_course_comes_first_in_the_path() -> None:
    assert shutil.which("course", path=jupyter.environment()["PATH"]) == str(
        Path(sys.executable).parent / "course"
    )


def test_terminals_are_plain_shells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/zsh")
    (option,) = jupyter.terminal_options()
    assert option == "--ServerApp.terminado_settings={'shell_command': ['/bin/zsh']}"


def test_defaults_are_written_once_and_never_over_others(tmp_path: Path) -> None:
    jupyter.write_overrides(tmp_path)
    path = tmp_path / "share/jupyter/lab/settings/overrides.json"
    assert json.loads(path.read_text()) == jupyter.OVERRIDES
    path.write_text("{}")
    jupyter.write_overrides(tmp_path)
    assert path.read_text() == "{}"
