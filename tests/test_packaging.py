"""The files that describe the project say the same thing, and nothing of the machine that wrote them."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINS = [
    line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and line[0] != "#"
]


def test_constraints_hold_names_and_exact_versions_only() -> None:
    for line in PINS:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.+]+", line), line


def test_every_requirement_is_pinned() -> None:
    pinned = {canonicalize_name(line.partition("==")[0]) for line in PINS}
    extras = PROJECT["optional-dependencies"].values()
    wanted = {
        canonicalize_name(Requirement(text).name)
        for text in [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]
    }
    assert wanted <= pinned


def test_pybullet_is_asked_for_only_where_it_has_wheels() -> None:
    (requirement,) = (
        found for text in PROJECT["dependencies"] if (found := Requirement(text)).name == "pybullet"
    )
    here = {"sys_platform": "linux", "platform_machine": "x86_64", "python_version": "3.11"}
    assert requirement.marker is not None
    assert requirement.marker.evaluate(here)
    for other in (
        {"sys_platform": "darwin"},
        {"platform_machine": "aarch64"},
        {"python_version": "3.12"},
    ):
        assert not requirement.marker.evaluate(here | other)


def test_the_conda_environment_installs_the_package_with_its_constraints() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    assert conda == ["python=3.11", "nodejs=20", "pip"]
    assert pip == {"pip": ["--constraint constraints.txt", "--editable ."]}


def test_the_version_is_one() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PROJECT["version"] == citation["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("command", ["lab", "test", "test-browser", "notebooks", "book", "bench"])
def test_the_readme_names_every_make_target(command: str) -> None:
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert f"make {command}" in (ROOT / "README.md").read_text()
