import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from sphinxcontrib.katex import katex_version

from course.commands.book import BookError, build_book, index_page, labs_of
from course.outline import Outline, find_root, read_outline
from labs.off_axis_depth import LAB


@pytest.fixture
def outline() -> Outline:
    return read_outline(find_root(Path(__file__)))


def with_chapter(outline: Outline, **changes: object) -> Outline:
    chapter = replace(outline.chapter("10"), **changes)
    return replace(outline, parts=(replace(outline.parts[0], chapters=(chapter,)),))


def test_first_page_lists_every_chapter_with_its_time(outline):
    page = index_page(outline)
    assert page.startswith(f"# {outline.title}\n")
    for part in outline.parts:
        assert f"\n## {part.title}\n" in page
    for chapter in outline.chapters:
        assert f"- {{doc}}`{chapter.notebook.stem}` ({chapter.minutes} min)\n" in page
        assert f"\n{chapter.notebook.stem}\n" in page  # in the table of contents


def test_labs_are_found_by_the_name_of_their_module(outline):
    chapter = with_chapter(outline, labs=("off_axis_depth",)).chapters[0]
    assert labs_of(chapter) == (LAB,)


def test_a_lab_that_does_not_exist_is_named(outline):
    chapter = with_chapter(outline, labs=("no_such_lab",)).chapters[0]
    with pytest.raises(BookError, match=r"the lab 'no_such_lab', but there is no labs/no_such_lab"):
        labs_of(chapter)


def test_a_module_without_a_lab_is_named(outline, monkeypatch):
    monkeypatch.setitem(sys.modules, "labs.empty", ModuleType("labs.empty"))
    chapter = with_chapter(outline, labs=("empty",)).chapters[0]
    with pytest.raises(BookError, match=r"labs/empty\.py defines no `LAB"):
        labs_of(chapter)


def test_missing_node_is_said_in_one_line_with_the_cure(outline, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BookError) as raised:
        build_book(outline, tmp_path / "book")
    assert "conda install nodejs" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "book").exists()


def test_a_missing_notebook_is_named(outline, monkeypatch, tmp_path):
    node = tmp_path / "node"
    node.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = with_chapter(outline, notebook=tmp_path / "10-nowhere.ipynb")
    with pytest.raises(
        BookError, match=r"chapter 10 is notebooks/10-nowhere\.ipynb, which does not"
    ):
        build_book(missing, tmp_path / "book")
    assert not (tmp_path / "book").exists()


def test_katex_style_and_script_are_of_one_version(outline):
    css = (outline.root / "book/static/katex/katex.min.css").read_text(encoding="utf-8")
    assert f'content:"{katex_version}"' in css
