"""Cells tagged `bullet`: always run; what they show is compared where there is pybullet, and only there."""

import io
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imsave
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course.outline import Outline
from course.world.bullet import available

HIDDEN = "raise ImportError('hidden by a test')\n"


def png(level: float) -> str:
    """A grey picture, as text."""
    stream = io.BytesIO()
    imsave(stream, np.full((8, 8), level), vmin=0, vmax=1, cmap="gray", format="png")
    return b64encode(stream.getvalue()).decode()


def cell(source: str, outputs: list[nbformat.NotebookNode], *tags: str) -> nbformat.NotebookNode:
    """A cell that seems to have been run."""
    return new_code_cell(
        source, outputs=outputs, execution_count=1, metadata={"tags": list(tags)} if tags else {}
    )


def stored(text: str) -> list[nbformat.NotebookNode]:
    return [new_output("stream", name="stdout", text=text + "\n")]


def shown(picture: str) -> list[nbformat.NotebookNode]:
    data = {"image/png": picture, "text/plain": "<IPython.core.display.Image object>"}
    return [new_output("execute_result", data=data, execution_count=1)]


ASK = "from course.world.bullet import available\nprint(available())"
SHOW = (
    f"from base64 import b64decode\nfrom IPython.display import Image\nImage(b64decode({png(1)!r}))"
)
CELLS = {
    "no name is left by asking": cell("print('available' in dir())", stored("False"), "bullet"),
    "right with pybullet": cell(ASK, stored("True"), "bullet"),
    "right picture": cell(SHOW, shown(png(1)), "bullet"),
    "wrong text": cell("print(1)", stored("2"), "bullet"),
    "wrong picture": cell(SHOW, shown(png(0)), "bullet"),
    "no picture": cell("print(1)", stored("1") + shown(png(0)), "bullet"),
    "it raises": cell("raise RuntimeError", [], "bullet"),
    "wrong text, no tag": cell("print(1)", stored("2")),
    "wrong picture, no tag": cell(SHOW, shown(png(0))),
}
ALWAYS = {"it raises", "wrong text, no tag", "wrong picture, no tag"}
WITH_BULLET = {"wrong text", "wrong picture", "no picture"}


@pytest.fixture
def folder(tmp_path: Path, outline: Outline) -> Path:
    """What the replay of one small notebook needs."""
    for name in ("notebooks/conftest.py", "tests/nbval-sanitize.cfg", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(outline.root / name, tmp_path / name)
    nbformat.write(new_notebook(cells=list(CELLS.values())), tmp_path / "notebooks" / "cells.ipynb")
    return tmp_path


@pytest.mark.skipif(not available(), reason="pybullet has no wheel here")
def test_with_pybullet_they_are_compared_like_any_other(folder: Path) -> None:
    assert failed_cells(folder) == ALWAYS | WITH_BULLET


def test_without_pybullet_they_are_run_and_not_compared(folder: Path) -> None:
    (folder / "pybullet.py").write_text(HIDDEN)
    assert failed_cells(folder) == ALWAYS


TALK = """
from course.sensors import Intrinsics, PixelCentre
from course.sensors.bullet_camera import bullet_image
from course.sensors.ranges import ClippingRange
from course.world import Body, Plane, Scene, pose
from course.world.bullet import BulletWorld

camera = Intrinsics(width=8, height=6, fx=5, fy=5, cx=4, cy=3, pixel_centre=PixelCentre.HALF)
with BulletWorld(Scene([Body(name="floor", shape=Plane(), X_WB=pose())])) as world:
    bullet_image(world, camera, pose(), ClippingRange(near=0.1, far=10))
    world.call("stepSimulation")
"""


@pytest.mark.skipif(not available(), reason="pybullet has no wheel here")
def test_a_notebook_stores_nothing_of_what_pybullet_prints() -> None:
    """A kernel captures file descriptors too; `silenced` is what keeps its pipe empty."""
    notebook = new_notebook(
        cells=[new_code_cell(source) for source in (TALK, "import pybullet", "1")]
    )
    NotebookClient(notebook, kernel_name="python3").execute()
    talk, again, last = (cell.outputs for cell in notebook.cells)
    assert (talk, again) == ([], [])
    assert [output.output_type for output in last] == ["execute_result"]


def failed_cells(folder: Path) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", "notebooks"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    failed = re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, re.MULTILINE)
    return {list(CELLS)[int(number)] for number in failed}
