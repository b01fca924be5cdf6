"""The pictures of a lab for a page: the default setting, then one parameter moved at a time.

One kept picture draws them all. Each is stored in 256 colours, which makes it a third as large.

They are cached by content: a record is named after everything it was drawn from, namely the
setting, the source of the lab and of each module of ours that it imports, and the version of
matplotlib. A record that is damaged is drawn again.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib

from course.teaching.bundle import small_png
from course.teaching.lab import Lab, Picture, Readout, Value

MAX_FRAMES = 60
MAX_BYTES = 1_500_000
_FORMAT = "2"  # part of each record's name: raise it when records change their meaning


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One setting of a lab, drawn.

    Attributes:
        setting: parameter name -> value.
        file: the PNG.
        size: its width and height in pixels.
        alt: the picture in words.
        readout: name -> (number, unit).
    """

    setting: dict[str, Value]
    file: Path
    size: tuple[int, int]
    alt: str
    readout: Readout


def frames(lab: Lab, folder: Path) -> tuple[Frame, ...]:
    """The frames of `lab.star()`, in that order, drawn into `folder` unless they are there.

    Raises:
        ValueError: more than `MAX_FRAMES` frames or `MAX_BYTES` bytes; the message says what to do.
    """
    settings = lab.star()
    if len(settings) > MAX_FRAMES:
        counts = ", ".join(f"{p.name} {len(p.page_values)}" for p in lab.parameters)
        raise ValueError(
            f"lab {lab.name!r} has {len(settings)} frames ({counts}), "
            f"expected at most {MAX_FRAMES}: give its longest parameter a larger `every`"
        )
    folder.mkdir(parents=True, exist_ok=True)
    origin = _origin(lab)
    pictures: list[Picture] = []  # built when the first frame is missing, then kept
    drawn = tuple(_frame(lab, setting, folder, origin, pictures) for setting in settings)
    size = sum(file.stat().st_size for file in {frame.file for frame in drawn})
    if size > MAX_BYTES:
        raise ValueError(
            f"lab {lab.name!r} has {size} bytes in {len(drawn)} frames, "
            f"expected at most {MAX_BYTES}: draw a smaller or plainer figure, "
            "or give a parameter a larger `every`"
        )
    return drawn


def _frame(
    lab: Lab, setting: dict[str, Value], folder: Path, origin: str, pictures: list[Picture]
) -> Frame:
    key = _digest(origin, json.dumps(setting, sort_keys=True))[:20]
    file, record_file = folder / f"{key}.png", folder / f"{key}.json"
    record = _intact(record_file, file)
    if record is None:
        data = lab.model(**setting)
        if not pictures:
            pictures.append(lab.picture())
        pictures[0].show(data)
        content = small_png(pictures[0].figure)
        record = {
            "sha256": hashlib.sha256(content).hexdigest(),
            "alt": lab.alt(data),
            "readout": [[name, float(n), unit] for name, (n, unit) in lab.readout(data).items()],
        }
        _write(file, content)
        _write(record_file, json.dumps(record).encode())
    header = file.read_bytes()[16:24]
    return Frame(
        setting=setting,
        file=file,
        size=(int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")),
        alt=record["alt"],
        readout={name: (number, unit) for name, number, unit in record["readout"]},
    )


def _intact(record_file: Path, file: Path) -> dict[str, Any] | None:
    try:
        record: dict[str, Any] = json.loads(record_file.read_text(encoding="utf-8"))
        content = file.read_bytes()
    except (OSError, ValueError):
        return None
    complete = isinstance(record, dict) and {"sha256", "alt", "readout"} <= set(record)
    return record if complete and hashlib.sha256(content).hexdigest() == record["sha256"] else None


def _write(file: Path, content: bytes) -> None:
    # Renamed when complete, so that an interrupted build leaves no half file under a final name.
    unfinished = file.with_suffix(f"{file.suffix}.new")
    unfinished.write_bytes(content)
    unfinished.replace(file)


def _origin(lab: Lab) -> str:
    """What the pictures follow from, apart from the setting."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(_source_files(lab))]
    return _digest(_FORMAT, matplotlib.__version__, lab.name, *sources)


def _source_files(lab: Lab) -> set[Path]:
    """The modules that hold the parts of the lab, and every module of ours that they import."""
    waiting = [sys.modules[_home(part)] for part in (lab.model, lab.picture, lab.readout, lab.alt)]
    ours = {module.__name__.partition(".")[0] for module in waiting} | {"course", "labs"}
    found: set[Path] = set()
    while waiting:
        module = waiting.pop()
        file = getattr(module, "__file__", None)
        if module.__name__.partition(".")[0] not in ours or not file or Path(file) in found:
            continue
        found.add(Path(file))
        waiting += _imports(module, Path(file).read_text(encoding="utf-8"))
    return found


def _home(part: Any) -> str:
    while isinstance(part, partial):
        part = part.func
    return str(part.__module__)


def _imports(module: ModuleType, source: str) -> Iterator[ModuleType]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = (module.__package__ or "") if node.level else ""
            for _ in range(node.level - 1):
                start = start.rpartition(".")[0]
            base = ".".join(filter(None, (start, node.module)))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (sys.modules[name] for name in names if name in sys.modules)


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
