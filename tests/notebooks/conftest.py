"""Notebooks of the repository, for tests about all of them."""

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from course.outline import Chapter, Outline, find_root, read_outline

OUTLINE = read_outline(find_root(Path(__file__)))


@pytest.fixture(scope="session")
def outline() -> Outline:
    return OUTLINE


@pytest.fixture(params=OUTLINE.chapters, ids=lambda chapter: chapter.notebook.stem)
def chapter(request: pytest.FixtureRequest) -> Chapter:
    return request.param


@pytest.fixture
def notebook(chapter: Chapter) -> NotebookNode:
    return nbformat.read(chapter.notebook, as_version=4)
