"""Without pybullet modules and casters work, and Bullet says what is missing.

That the chapters do as well, compared cell by cell, is in `tests/notebooks/test_replay_is_strict.py`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course.outline import find_root, read_outline

OUTLINE = read_outline(find_root(Path(__file__)))
PACKAGES = ("course", "labs")

HIDE = '''
"""Python imports this first of all: here there is no pybullet."""

import sys


class Hidden:
    """Refuses pybullet, wherever it is installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "pybullet":
            raise ModuleNotFoundError("hidden by a test", name=name)


sys.meta_path.insert(0, Hidden)
'''


@pytest.fixture(scope="module")
def no_bullet(tmp_path_factory):
    """An environment for child processes in which pybullet cannot be imported."""
    folder = tmp_path_factory.mktemp("no_bullet")
    (folder / "sitecustomize.py").write_text(HIDE)
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(folder), inherited] if inherited else [str(folder)])
    return {**os.environ, "PYTHONPATH": path}


def run(source, environment):
    return subprocess.run(
        [sys.executable, "-c", source],
        env=environment,
        cwd=OUTLINE.root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_hidden(no_bullet):
    said = run("import pybullet", no_bullet).stderr
    assert said.rstrip().endswith("ModuleNotFoundError: hidden by a test")


def test_every_module_can_be_imported(no_bullet):
    names = sorted(
        ".".join(path.relative_to(OUTLINE.root).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in (OUTLINE.root / package).rglob("*.py")
        if path.stem != "__main__"  # it would run the command
    )
    assert {"course.world.bullet", "course.sensors.bullet_camera"} <= set(names)
    done = run(
        f"import importlib\nfor name in {names!r}: importlib.import_module(name)\nprint('done')",
        no_bullet,
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


CAST = """
from course.sensors import Intrinsics, PixelCentre, cast_image
from course.world import AnalyticCaster, Body, Scene, Sphere, pose
from course.world.bullet import BulletWorld, available
from course.world.embree import EmbreeCaster

scene = Scene([Body(name="ball", shape=Sphere(0.5), X_WB=pose(translation=(0, 0, 2)))])
camera = Intrinsics(width=1, height=1, fx=1, fy=1, cx=0.5, cy=0.5, pixel_centre=PixelCentre.HALF)
for make in (AnalyticCaster, EmbreeCaster):
    assert abs(cast_image(make(scene), camera, pose()).range_m[0, 0] - 1.5) < 1e-3
print(available())
BulletWorld(scene)
"""


def test_casters_work_and_bullet_says_what_is_missing(no_bullet):
    done = run(CAST, no_bullet)
    assert done.stdout == "False\n"
    *_, last = done.stderr.rstrip().splitlines()
    assert last.startswith("ImportError: Bullet needs the package pybullet: pip install pybullet (")
