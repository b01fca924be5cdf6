"""The import directions of the house, read from the source without running it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOF = {"course.cli", "course.__main__", "course.commands"}  # may import anything
FLOORS = (  # each package may import from its own and from lower floors
    {"world"},
    {"query", "sensors", "meshes"},
    {"teaching"},
    {"display"},
)
FLOOR_OF = {package: level for level, floor in enumerate(FLOORS) for package in floor}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(source: str, package: str) -> set[str]:
    """Full names of all that a source text imports, wherever in the text it does."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join([*above, node.module or ""]).strip(".") if node.level else node.module
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def in_roof(name: str) -> bool:
    return any(name == roof or name.startswith(f"{roof}.") for roof in ROOF)


def complaint(importer: str, imported: str) -> str | None:
    """What is wrong with one import; None if nothing."""
    top, *rest = imported.split(".")
    if importer.startswith("labs"):
        stray = top in {"engines", "notebooks", "tests"} or in_roof(imported)
        return f"{importer} imports {imported}: labs import course only" if stray else None
    if in_roof(importer):
        return None
    if top in {"labs", "engines", "notebooks", "tests"} or in_roof(imported):
        return f"{importer} imports {imported}, which stands above it"
    level = FLOOR_OF.get(importer.split(".")[1]) if "." in importer else None
    other = FLOOR_OF.get(rest[0]) if top == "course" and rest else None
    if level is not None and other is not None and other > level:
        return (
            f"{importer} imports {imported}: world <- query, sensors, meshes <- teaching <- display"
        )
    return None


def sources() -> list[Path]:
    return sorted([*(ROOT / "course").rglob("*.py"), *(ROOT / "labs").rglob("*.py")])


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_a_module_imports_from_its_own_floor_and_below(path):
    module = module_name(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = {complaint(module, name) for name in imported_by(path.read_text("utf-8"), package)}
    assert found - {None} == set()


@pytest.mark.parametrize(
    ("package", "source", "names"),
    [
        ("course.world", "import course.display.figures", {"course.display.figures"}),
        ("course.world", "from course import display", {"course.display"}),
        ("course.world", "from ..display import figures", {"course.display.figures"}),
        ("course.world", "from . import rays", {"course.world.rays"}),
        ("course.world", "def f():\n    from course import cli", {"course.cli"}),
    ],
)
def test_every_way_to_import_is_seen(package, source, names):
    assert imported_by(source, package) == names


@pytest.mark.parametrize(
    ("importer", "imported", "wrong"),
    [
        ("course.world.rays", "course.sensors.depth", True),
        ("course.sensors.depth", "course.world.rays", False),
        ("course.sensors.depth", "course.query.hits", False),
        ("course.query.hits", "course.teaching.checks", True),
        ("course.display.figures", "course.teaching.lab", False),
        ("course.teaching.lab", "course.display.figures", True),
        ("course.teaching.lab", "labs.depth", True),
        ("course.outline", "course.cli", True),
        ("course.cli", "labs.depth", False),
        ("labs.depth", "course.display.figures", False),
        ("labs.depth", "course.cli", True),
    ],
)
def test_directions(importer, imported, wrong):
    assert (complaint(importer, imported) is not None) is wrong
