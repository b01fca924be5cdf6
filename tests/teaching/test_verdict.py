import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.teaching.verdict import State, Verdict, table

ANY_TEXT = st.text(st.characters())
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,20}", fullmatch=True)
VERDICTS = st.builds(
    Verdict,
    exercise=NAMES,
    state=st.sampled_from(State),
    reason=ANY_TEXT,
    details=st.lists(ANY_TEXT, max_size=4).map(tuple),
)


@given(VERDICTS)
def test_the_text_of_any_verdict_is_read_back(verdict):
    assert Verdict.parse(str(verdict)) == verdict
    assert Verdict.parse(f"{verdict}\n") == verdict  # as print writes it


@given(VERDICTS)
def test_a_verdict_has_one_headline_and_one_line_a_detail(verdict):
    lines = str(verdict).splitlines()
    assert lines[0] == verdict.headline
    assert len(lines) == 1 + len(verdict.details)


@pytest.mark.parametrize(
    "reason",
    [
        "line 2: ValueError: right - not attempted",
        "line 2: KeyError: 'axial_depth: right'",
        "ValueError: a\nb: right\r\nc: wrong - d",
        "an error - with - dashes: and: colons",
        "\u2028\x0b\x0c\x1c\x85",
    ],
)
def test_a_hostile_message_does_not_pass_for_another_verdict(reason):
    verdict = Verdict(
        exercise="depth", state=State.ERROR, reason=reason, details=(reason, "", "x ")
    )
    read = Verdict.parse(str(verdict))
    assert read == verdict
    assert (read.exercise, read.state) == ("depth", State.ERROR)
    assert len(read.details) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "hello",
        "depth",
        "depth: ",
        "depth: perfect",
        "depth: right!",
        "my depth: right",
        ": right",
        "depth : right",
        "Depth: wrongly - so",
    ],
)
def test_text_that_begins_with_no_verdict_is_none(text):
    assert Verdict.parse(text) is None


def test_the_text_of_a_verdict():
    verdict = Verdict(
        exercise="depth", state=State.WRONG, reason="range returned", details=("case 1", "value")
    )
    assert str(verdict) == "depth: wrong - range returned\n  case 1\n  value"


def test_a_table_lines_up_names_and_counts_every_state():
    verdicts = [
        Verdict(exercise="a", state=State.RIGHT),
        Verdict(exercise="long_name", state=State.WRONG, reason="why"),
        Verdict(exercise="b", state=State.RIGHT),
    ]
    assert table("Chapter 10", verdicts).splitlines() == [
        "Chapter 10",
        "  a          right",
        "  long_name  wrong - why",
        "  b          right",
        "  2 right, 1 wrong, 0 error in your code, 0 not attempted",
    ]


def test_a_table_without_exercises_is_a_table():
    assert table("Chapter 0", []) == (
        "Chapter 0\n  0 right, 0 wrong, 0 error in your code, 0 not attempted"
    )
