"""`course book`: the static book, built from the stored notebooks.

Sources are written anew (`source/`), Sphinx turns them into pages (`html/`), and the pictures of
the labs and the viewer of 3D scenes are laid beside them. Only these two folders are ever removed.
"""

import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import nbformat

from course.display.frames import frames
from course.display.player import player_html
from course.display.scene3d import viewer_files
from course.outline import Chapter, Outline
from course.teaching.editions import book_edition
from course.teaching.lab import Lab

_WELCOME = """\
A robot in simulation sees what its simulator returns, and that is rarely what its name suggests.
In this workbook you predict what a sensor or a query returns, run it, are contradicted, and find out
why. Every statement is computed by code that you can change and is checked against an exact answer.

These pages show each chapter as it was run. Labs move, questions answer; to run the code and to have
your exercises checked, open a copy of the workbook and type `make lab`.
"""


class BookError(RuntimeError):
    """The book cannot be built; the message says why and what to do."""


def build_book(outline: Outline, output: Path) -> Path:
    """Build the book in `output` and return the folder of its pages.

    Raises:
        BookError: Node or a notebook is missing, or Sphinx warned.
    """
    _check_tools()
    _check_notebooks(outline)
    source, html = output / "source", output / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    (source / "index.md").write_text(index_page(outline), encoding="utf-8")
    static = html / "_static"
    players = {
        lab.name: _place_lab(lab, output / "frames" / lab.name, static)
        for chapter in outline.chapters
        for lab in labs_of(chapter)
    }
    for chapter in outline.chapters:
        _write_chapter(chapter, source, players)
    _run_sphinx(outline.root / "book", source, html)
    _place(viewer_files(), static / "meshcat")
    return html


def index_page(outline: Outline) -> str:
    """The first page: what the book is, and its parts with the time that each chapter takes."""
    blocks = [f"# {outline.title}", _WELCOME]
    for part in outline.parts:
        rows = [
            f"- {{doc}}`{chapter.notebook.stem}` ({chapter.minutes} min)"
            for chapter in part.chapters
        ]
        entries = [chapter.notebook.stem for chapter in part.chapters]
        blocks += [
            f"## {part.title}",
            "\n".join(rows),
            "\n".join(["```{toctree}", ":hidden:", f":caption: {part.title}", "", *entries, "```"]),
        ]
    return "\n\n".join(block.strip() for block in blocks) + "\n"


def labs_of(chapter: Chapter) -> tuple[Lab, ...]:
    """The `LAB` of each module in `labs/` that the chapter names.

    Raises:
        BookError: there is no such module, or it defines no `LAB`.
    """
    found = []
    for name in chapter.labs:
        try:
            module = importlib.import_module(f"labs.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"labs.{name}":
                raise
            raise BookError(
                f"book.yml: chapter {chapter.id} names the lab {name!r}, "
                f"but there is no labs/{name}.py"
            ) from error
        lab = getattr(module, "LAB", None)
        if not isinstance(lab, Lab):
            raise BookError(f"labs/{name}.py defines no `LAB = Lab(...)`")
        found.append(lab)
    return tuple(found)


def _check_tools() -> None:
    if shutil.which("node") is None:
        raise BookError(
            "the book needs Node.js to draw its formulas, and there is no `node` on PATH: "
            "install it (conda install nodejs, or https://nodejs.org)"
        )


def _check_notebooks(outline: Outline) -> None:
    for chapter in outline.chapters:
        if not chapter.notebook.is_file():
            raise BookError(
                f"book.yml: chapter {chapter.id} is notebooks/{chapter.notebook.name}, "
                "which does not exist"
            )


def _place_lab(lab: Lab, cache: Path, static: Path) -> str:
    """Draw the frames of a lab, lay them where the pages find them, and return its player."""
    drawn = frames(lab, cache)
    _place({frame.file for frame in drawn}, static / "labs" / lab.name)
    return player_html(lab, drawn, f"_static/labs/{lab.name}/")


def _write_chapter(chapter: Chapter, source: Path, players: Mapping[str, str]) -> None:
    notebook = nbformat.read(chapter.notebook, as_version=4)
    edition = book_edition(notebook, lab_html=players)
    nbformat.write(edition, source / chapter.notebook.name)


def _run_sphinx(configuration: Path, source: Path, html: Path) -> None:
    # A process of its own: Sphinx and its extensions keep state that a second build would meet.
    folders = ["-c", configuration, "-d", html.parent / "doctrees", source, html]
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html"]
    command += [str(part) for part in folders]
    # Its words go to a file: a pipe would be waited for as long as any grandchild holds it.
    words = html.parent / "sphinx.log"
    with words.open("w", encoding="utf-8") as log:
        done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        text = words.read_text(encoding="utf-8").strip()
        raise BookError(f"Sphinx does not accept the book:\n{text}")


def _place(files: Iterable[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
