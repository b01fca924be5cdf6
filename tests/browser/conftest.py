"""A browser, the book that it reads, and a guard: no request may leave this machine."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from playwright.sync_api import Browser, Page, Request, Route, sync_playwright
from scipy.spatial.transform import RigidTransform

from course.commands.book import build_book
from course.display.scene3d import Box, Scene, show_scene
from course.outline import find_root, read_outline

HERE = Path(__file__).parent
GuardedPage = Callable[[], AbstractContextManager[Page]]
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    script = HERE / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        pytest.fail(
            "axe-core is missing: run `make test-browser`, or `npm install` in tests/browser"
        )
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("Chromium is missing: install it, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the book's pages, built from this repository, with one page of our own."""
    outline = read_outline(find_root())
    folder = tmp_path_factory.mktemp("book")
    notebook = folder / "scene-of-the-tests.ipynb"
    nbformat.write(scene_notebook(), notebook)
    chapter = replace(outline.chapters[0], id="99", notebook=notebook, labs=())
    part = replace(outline.parts[0], title="Tests", chapters=(chapter,))
    return build_book(replace(outline, parts=(*outline.parts, part)), folder)


def scene_notebook() -> nbformat.NotebookNode:
    """A page with a 3D scene whose colour is known, whatever the chapters show."""
    X_WB = RigidTransform.from_translation([3, 1, 2])  # off the origin, for the camera to find it
    wall = Box(name="wall", size=[2, 1, 1], color="#d1242f", X_WB=X_WB)
    view = show_scene(Scene(shapes=(wall,)), title="A red box", alt="A red box, 2 m wide.")
    output = new_output(
        "execute_result",
        {"text/html": view.html, "text/plain": view.text},
        execution_count=1,
    )
    cells = [
        new_markdown_cell("# A scene of the tests", id="title"),
        new_code_cell("show()", outputs=[output], execution_count=1, id="scene"),
    ]
    return new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})


@pytest.fixture(scope="session")
def site(book: Path) -> Iterator[str]:
    """Address of the book's pages, served on loopback."""
    handler = partial(QuietHandler, directory=str(book))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: pytest's output is the report."""


@pytest.fixture
def page(guarded: GuardedPage) -> Iterator[Page]:
    """A fresh page, on which an error of a script, or a file that is not found, fails the test."""
    errors: list[str] = []
    with guarded() as page:
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("requestfailed", lambda request: errors.append(f"not loaded: {request.url}"))
        page.on(
            "response",
            lambda reply: (
                errors.append(f"{reply.status} {reply.url}") if reply.status >= 400 else None
            ),
        )
        yield page
    assert errors == []


@pytest.fixture(scope="session")
def guarded(browser: Browser) -> GuardedPage:
    """Opens a fresh page; a request to another host is refused, and fails the test at its end."""

    @contextmanager
    def open_page() -> Iterator[Page]:
        outside: list[str] = []

        def guard(route: Route, request: Request) -> None:
            if is_local(request.url):
                route.continue_()
            else:
                outside.append(request.url)
                route.abort()

        with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
            context.route("**/*", guard)
            yield context.new_page()
        assert outside == []

    return open_page


def is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"data", "blob", "about", "file"} or parts.hostname == "127.0.0.1"
