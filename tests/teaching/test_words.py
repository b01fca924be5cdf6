import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.teaching.words import one_line, with_unit

ANY_TEXT = st.text(st.characters())  # with surrogates and control characters


@given(ANY_TEXT)
def test_any_text_becomes_one_line_that_can_be_printed_and_stored(text):
    line = one_line(text)
    assert line.isprintable()
    assert len(line.splitlines()) <= 1
    line.encode("utf-8")


@given(ANY_TEXT)
def test_a_line_is_left_as_it_is(text):
    assert one_line(one_line(text)) == one_line(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("深度 – 1.7 m", "深度 – 1.7 m"),
        ("a\nb\tc\u2028d\x85e", "a b c d e"),
        ("\x1b[31mred\x00", "\\x1b[31mred\\x00"),
        ("\ud800", "\\ud800"),
        ("  kept   ", "  kept"),
    ],
)
def test_white_space_becomes_spaces_and_the_unprintable_its_escape(text, line):
    assert one_line(text) == line


def test_what_is_cut_ends_in_an_ellipsis():
    assert one_line("x" * 10, limit=4) == "xxxx …"
    assert one_line("x" * 4, limit=4) == "xxxx"


def test_a_count_has_no_unit_and_no_space_for_it():
    assert with_unit("3", "") == "3"
    assert with_unit("1.5", "m") == "1.5 m"
