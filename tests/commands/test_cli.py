"""The command line: what it prints, and its exit codes."""

import json
import subprocess
import sys

import nbformat
import pytest

from course import __version__
from course.cli import RELOAD, main
from course.outline import Outline


def test_lab_fills_the_workspace_and_says_so(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "--no-browser-app"]) == 0
    assert capsys.readouterr().out == "workspace/10-small.ipynb: new\n"
    assert (outline.workspace / "10-small.ipynb").exists()


def test_reset_and_update_say_where_the_old_file_is(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lab", "--no-browser-app"])
    path = outline.workspace / "10-small.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].source = "def double(x):\n    return x + x"
    nbformat.write(notebook, path)
    capsys.readouterr()
    assert main(["update", "10"]) == 0
    assert capsys.readouterr().out == "Your copy is of the present edition; nothing was changed.\n"
    key = nbformat.read(outline.chapters[0].notebook, as_version=4)
    key.cells[0].source = "# A new title"
    nbformat.write(key, outline.chapters[0].notebook)
    assert main(["update", "10"]) == 0
    assert capsys.readouterr().out == (
        "Carried over: double.\nYour old file: 10-small.old-1.ipynb\n"
        f"Cells in it, changed or added, that were not carried over: 1.\n{RELOAD}\n"
    )
    assert main(["reset", "10", "double"]) == 0
    assert capsys.readouterr().out == (
        f"Fresh: double.\nYour old file: 10-small.old-2.ipynb\n{RELOAD}\n"
    )


def test_an_expected_error_is_one_line(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reset", "99"]) == 1
    assert (
        capsys.readouterr().err == "course reset: there is no chapter '99'; the chapters are 10\n"
    )


def test_a_check_without_a_copy_is_unreadable(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "10"]) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "course check: 10-small.ipynb: No such file or directory"


def test_claims_can_be_read_as_json(outline: Outline, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--chapter", "10", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {"id": "depth-off-axis", "cells": [], "finding": "confirmed"} in records


def test_notebooks_are_executed_by_number(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["notebooks", "--chapter", "10"]) == 0
    assert main(["notebooks", "--chapter", "10"]) == 0
    assert capsys.readouterr().out == "10-small.ipynb: changed\n10-small.ipynb: unchanged\n"


def test_doctor_says_what_can_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert "[ok] every required package" in capsys.readouterr().out


def test_it_runs_as_a_module() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "course", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == __version__


@pytest.mark.parametrize(
    ("book", "message"),
    [
        ("", "book.yml: 'NoneType' object is not subscriptable"),
        ("title: x\nlanguages: [en]", "book.yml: the field 'parts' is missing"),
        ("title: [", "book.yml: while parsing a flow node"),
    ],
)
def test_a_damaged_book_yml_is_one_line(
    outline: Outline, capsys: pytest.CaptureFixture[str], book: str, message: str
) -> None:
    (outline.root / "book.yml").write_text(book)
    assert main(["claims"]) == 1
    assert capsys.readouterr().err.startswith(f"course claims: {message}")


def test_a_missing_chapter_file_is_one_line(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    outline.chapters[0].notebook.unlink()
    assert main(["lab", "--no-browser-app"]) == 1
    said = "course lab: 10-small.ipynb: No such file or directory\n"
    assert capsys.readouterr().err == said


def test_a_workspace_that_is_a_file_is_one_line(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    outline.workspace.write_text("")
    assert main(["lab", "--no-browser-app"]) == 1
    assert capsys.readouterr().err.endswith("workspace: File exists\n")


def test_claims_of_no_chapter_are_refused(
    outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["claims", "--chapter", "99"]) == 1
    assert capsys.readouterr().err == "course claims: claims.yml has no claim of chapter 99\n"
