"""A learner's copy in JupyterLab: it runs to its end, and its lab moves."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page

from course.commands.book import labs_of
from course.outline import find_root, read_outline
from course.teaching.editions import learner_edition, tags

pytestmark = pytest.mark.browser

CHAPTER = read_outline(find_root()).chapter("10")
SECONDS_TO_START = 60


@pytest.fixture(scope="module")
def lab_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a learner's copy in a JupyterLab of our own; it and its kernels end with the test."""
    home = tmp_path_factory.mktemp("jupyter")
    work = home / "work"
    work.mkdir()
    nbformat.write(
        learner_edition(nbformat.read(CHAPTER.notebook, as_version=4)), work / CHAPTER.notebook.name
    )
    token = secrets.token_hex(16)
    server = start_jupyterlab(home, work, token)
    try:
        port = wait_for_port(server, home)
        yield f"http://127.0.0.1:{port}/lab/tree/{CHAPTER.notebook.name}?token={token}"
    finally:
        # Asked once, the server ends its kernels and then itself; the group takes what is left.
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(15)
        finally:
            end_group(server.pid)


def start_jupyterlab(home: Path, work: Path, token: str) -> subprocess.Popen[bytes]:
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        **{
            f"JUPYTER_{kind}_DIR": str(home / kind.lower())
            for kind in ("CONFIG", "DATA", "RUNTIME")
        },
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--expose-app-in-browser"),
        *("--allow-root", f"--ServerApp.root_dir={work}", "--ServerApp.ip=127.0.0.1"),
        *("--ServerApp.port=0", f"--IdentityProvider.token={token}"),
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    with (home / "log").open("w") as log:
        return subprocess.Popen(
            command, cwd=work, env=environment, stdout=log, stderr=log, start_new_session=True
        )


def wait_for_port(server: subprocess.Popen[bytes], home: Path) -> int:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        for file in (home / "runtime").glob("jpserver-*.json"):
            text = file.read_text()
            if text.endswith("}"):
                return json.loads(text)["port"]
        time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start:\n{(home / 'log').read_text()}")


def end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(scope="module")
def ran(guarded, lab_address) -> Iterator[tuple[Page, list[dict]]]:
    """The page after "run all cells", and the cells of its notebook as the model holds them."""
    with guarded() as page:
        page.goto(lab_address)
        page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
        )
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(
            """() => {
              const panel = window.jupyterapp.shell.currentWidget;
              const cells = [...panel.content.model.cells].filter((cell) => cell.type === 'code');
              return panel.sessionContext.session.kernel.status === 'idle'
                && cells.every((cell) => cell.executionCount !== null);
            }""",
            timeout=120_000,
        )
        notebook = page.evaluate("window.jupyterapp.shell.currentWidget.content.model.toJSON()")
        yield page, notebook["cells"]


def text_of(output: dict) -> str:
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return text if isinstance(text, str) else "".join(text)


def cells_tagged(cells: list[dict], tag: str) -> list[dict]:
    return [cell for cell in cells if tag in tags(nbformat.from_dict(cell))]


def test_no_cell_of_an_untouched_copy_fails(ran):
    _, cells = ran
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert outputs
    assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []


def test_every_check_says_that_nothing_was_attempted(ran):
    _, cells = ran
    checks = cells_tagged(cells, "check")
    assert len(checks) == sum(len(lab.exercises) for lab in labs_of(CHAPTER)) > 0
    for cell in checks:
        assert "not attempted" in "".join(text_of(output) for output in cell["outputs"])


def test_the_lab_moves_with_the_keyboard(ran):
    page, _ = ran
    (lab,) = labs_of(CHAPTER)
    parameter = lab.parameters[0]
    panel = bring_to_view(page, "lab")
    picture = panel.locator("img").first
    picture.wait_for()
    before = bytes_of(picture)
    handle = panel.locator(".noUi-handle").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    index = parameter.values.index(parameter.default) + 1
    moved = lab.defaults | {parameter.name: parameter.values[index]}
    name, (number, unit) = list(lab.readout(lab.model(**moved)).items())[1]
    row = panel.locator("tr", has=page.get_by_role("rowheader", name=name, exact=True))
    row.get_by_text(f"{number:.3f} {unit}").wait_for()
    assert bytes_of(picture) != before


def bytes_of(picture) -> bytes:
    return bytes(
        picture.evaluate(
            "async (image) => Array.from(new Uint8Array(await (await fetch(image.src)).arrayBuffer()))"
        )
    )


def bring_to_view(page: Page, tag: str):
    """The output of the first cell with this tag; JupyterLab attaches only what is near the view."""
    index = page.evaluate(
        """async (tag) => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          const index = notebook.widgets.findIndex((cell) => cell.model.getMetadata('tags')?.includes(tag));
          notebook.activeCellIndex = index;
          await notebook.scrollToItem(index, 'start');
          return index;
        }""",
        tag,
    )
    panel = page.locator(f'.jp-Notebook [data-windowed-list-index="{index}"] .jp-Cell-outputArea')
    panel.wait_for()
    return panel


def test_the_scene_is_drawn_in_its_widget(ran):
    page, _ = ran
    panel = bring_to_view(page, "scene")
    frame = panel.frame_locator("iframe")
    frame.locator("canvas").wait_for()
    children = frame.locator("canvas").evaluate(
        "() => Object.keys(viewer.scene_tree.find(['workbook']).children).length"
    )
    assert children > 0
