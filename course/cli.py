"""The command `course`: each subcommand parses, calls one function and turns its result into text and an exit code."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from course import __version__
from course.commands import book, check, claims, doctor, jupyter, notebooks, workspace
from course.outline import OutlineError, find_root, read_outline
from course.teaching.editions import EditionError
from course.teaching.replay import ReplayError, UnreadableError
from course.teaching.verdict import table

FAILED = 1
INTERRUPTED = 130
EXPECTED = (
    LookupError,
    OutlineError,
    EditionError,
    ReplayError,
    book.BookError,
    notebooks.NotebookError,
)
RELOAD = "If the chapter is open in JupyterLab, do not save it: File > Reload Notebook from Disk."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; an expected error is one line on stderr and an exit code, never a traceback."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except UnreadableError as error:
        print(f"course {options.command}: {error}", file=sys.stderr)
        return check.ExitCode.UNREADABLE
    except EXPECTED as error:
        print(f"course {options.command}: {error.args[0]}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # whoever read our output has gone; say nothing more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        print(f"course {options.command}: {error.filename}: {error.strerror}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _lab(options: argparse.Namespace) -> int:
    """Write learner copies into workspace/ and open JupyterLab there."""
    outline = read_outline(find_root())
    for name, state in workspace.fill(outline).items():
        print(f"workspace/{name}: {state}")
    if options.no_browser_app:
        return 0
    return jupyter.open_lab(outline.workspace, options.jupyter)


def _check(options: argparse.Namespace) -> int:
    """Judge a copy of a chapter: 0 all right, 1 some wrong, 2 some not attempted, 3 unreadable."""
    outline = read_outline(find_root())
    outline.chapter(options.chapter)  # a wrong number is told at once
    print("Running your saved copy from its first cell …", file=sys.stderr)
    verdicts = check.check_chapter(outline, options.chapter, options.file)
    if options.json:
        print(json.dumps(check.as_json(options.chapter, verdicts), indent=1))
    else:
        print(table(f"Chapter {options.chapter}", verdicts))
    return check.exit_code(verdicts)


def _reset(options: argparse.Namespace) -> int:
    """Give back the stub of an exercise, or an untouched chapter; the old file is kept."""
    kept = workspace.reset(read_outline(find_root()), options.chapter, options.exercise)
    print(f"Fresh: {options.exercise or 'the whole chapter'}.")
    if kept:
        print(f"Your old file: {kept.name}\n{RELOAD}")
    return 0


def _update(options: argparse.Namespace) -> int:
    """Carry answers over into the present edition of a chapter; the old file is kept."""
    done = workspace.update(read_outline(find_root()), options.chapter)
    if done.current:
        print("Your copy is of the present edition; nothing was changed.")
        return 0
    print(f"Carried over: {', '.join(done.carried) or 'nothing'}.")
    if done.kept:
        print(f"Your old file: {done.kept.name}")
        if done.left:
            print(f"Cells in it, changed or added, that were not carried over: {done.left}.")
        print(RELOAD)
    return 0


def _book(_options: argparse.Namespace) -> int:
    """Build the static book."""
    outline = read_outline(find_root())
    print(book.build_book(outline, outline.root / "build" / "book") / "index.html")
    return 0


def _notebooks(options: argparse.Namespace) -> int:
    """Execute and normalise chapters."""
    outline = read_outline(find_root())
    chosen = [outline.chapter(options.chapter)] if options.chapter is not None else outline.chapters
    for chapter in chosen:
        changed = notebooks.write_notebook(chapter.notebook)
        print(f"{chapter.notebook.name}: {'changed' if changed else 'unchanged'}")
    return 0


def _claims(options: argparse.Namespace) -> int:
    """List claims with the cells that show them."""
    shown = claims.showings(read_outline(find_root()), options.chapter)
    if options.json:
        print(
            json.dumps(
                [{"id": s.claim.id, "cells": s.cells, "finding": s.claim.finding} for s in shown]
            )
        )
    else:
        print(claims.claims_table(shown))
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    """Say whether this environment is complete."""
    lines, complete = doctor.diagnosis()
    print("\n".join(lines))
    return 0 if complete else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="course", description="The executable workbook on sensing."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        command.set_defaults(run=run)
        return command

    lab = add("lab", _lab)
    lab.add_argument("--no-browser-app", action="store_true", help="only write the copies")
    lab.add_argument("jupyter", nargs="*", help="passed on to JupyterLab, after --")
    one = add("check", _check)
    one.add_argument("chapter")
    one.add_argument("file", nargs="?", type=Path, help="a copy elsewhere than in workspace/")
    one.add_argument("--json", action="store_true")
    again = add("reset", _reset)
    again.add_argument("chapter")
    again.add_argument("exercise", nargs="?")
    add("update", _update).add_argument("chapter")
    add("book", _book)
    add("notebooks", _notebooks).add_argument("--chapter")
    listed = add("claims", _claims)
    listed.add_argument("--chapter", type=int)
    listed.add_argument("--json", action="store_true")
    add("doctor", _doctor)
    return parser
