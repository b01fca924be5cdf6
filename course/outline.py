"""The outline of the workbook, read from the `book.yml` that marks its root folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


class OutlineError(ValueError):
    """`book.yml` cannot be read; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """One chapter: its number, its notebook, its time and the modules in `labs/` that it uses."""

    id: str
    notebook: Path
    minutes: int
    labs: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Chapters under one heading."""

    title: str
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, kw_only=True)
class Outline:
    """The whole book, in reading order; `root` is the folder that holds `book.yml`."""

    root: Path
    title: str
    languages: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def workspace(self) -> Path:
        """Where the learner's copies lie."""
        return self.root / "workspace"

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters, in reading order."""
        return tuple(chapter for part in self.parts for chapter in part.chapters)

    def chapter(self, number: str) -> Chapter:
        """The chapter with this number; `"7"` and `"07"` are the same.

        Raises:
            LookupError: there is no such chapter; the message lists those there are.
        """
        for chapter in self.chapters:
            if chapter.id == number.zfill(2):
                return chapter
        known = ", ".join(chapter.id for chapter in self.chapters)
        raise LookupError(f"there is no chapter {number!r}; the chapters are {known}")


def find_root(start: Path | None = None) -> Path:
    """The nearest folder at or above `start` (default: here), or above this package, that holds `book.yml`.

    Raises:
        LookupError: neither has one; `course` then runs outside a copy of the workbook.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents):
        if (folder / "book.yml").is_file():
            return folder
    raise LookupError(f"no book.yml at or above {here}: run `course` inside a copy of the workbook")


def read_outline(root: Path) -> Outline:
    """Read `book.yml` in `root`.

    Raises:
        OutlineError: it is not YAML, or a field is missing or of another kind.
    """
    try:
        return _outline(root, yaml.safe_load((root / "book.yml").read_text(encoding="utf-8")))
    except KeyError as error:
        raise OutlineError(f"book.yml: the field {error} is missing") from None
    except (yaml.YAMLError, UnicodeDecodeError, TypeError) as error:
        raise OutlineError(f"book.yml: {' '.join(str(error).split())}") from None


def _outline(root: Path, data: dict[str, Any]) -> Outline:
    return Outline(
        root=root,
        title=data["title"],
        languages=tuple(data["languages"]),
        parts=tuple(
            Part(
                title=part["title"],
                chapters=tuple(
                    Chapter(
                        id=str(entry["id"]).zfill(2),
                        notebook=root / "notebooks" / f"{entry['file']}.ipynb",
                        minutes=entry["minutes"],
                        labs=tuple(entry["labs"]),
                    )
                    for entry in part["chapters"]
                ),
            )
            for part in data["parts"]
        ),
    )
