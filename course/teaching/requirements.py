"""Whether this environment is the one that the workbook was written for: asked by `start()` and `course doctor`."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

DISTRIBUTION = "sensing-workbook"
CURE = "Close JupyterLab and run `make lab`, which sets up the environment and opens it again."


def problems() -> tuple[str, ...]:
    """What is missing or too old, one line each; empty when all is well."""
    return tuple(_problems())


def _problems() -> Iterator[str]:
    try:
        required = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        yield f"the package {DISTRIBUTION} is not installed in this kernel's environment"
        return
    for requirement in map(Requirement, required):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            if requirement.name != "pybullet":  # optional: cells that ask Bullet say so themselves
                yield f"{requirement.name} is not installed"
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            yield f"{requirement.name}{requirement.specifier} is needed, and {found} is installed"
