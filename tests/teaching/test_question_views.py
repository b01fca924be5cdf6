from html.parser import HTMLParser

import pytest

from course.teaching.question import Choice, Guess, Prediction, Question
from course.teaching.question_views import (
    guess_text,
    prediction_html,
    question_html,
    reconciliation_html,
    value_text,
)

HOSTILE = '</p><script>alert(\'"&")</script>'

QUESTION = Question(
    name="flat-wall",
    prompt="Which image grows?",
    choices=(
        Choice(text="range", feedback="Rays to corners are longer.", right=True),
        Choice(text="depth", feedback="A facing wall is constant."),
    ),
)
PREDICTION = Prediction(
    name="post",
    prompt="How far?",
    unit="m",
    tolerance=0.01,
    choices=(
        Guess(value=2.0, feedback="That is the range."),
        Guess(value=1.732, feedback="Along the axis."),
        Guess(value=1.0, feedback="That is sideways."),
    ),
)
HOSTILE_QUESTION = Question(
    name=HOSTILE,
    prompt=HOSTILE,
    choices=(Choice(text=HOSTILE, feedback=HOSTILE, right=True), Choice(text="b", feedback="c")),
)
HOSTILE_PREDICTION = Prediction(
    name=HOSTILE,
    prompt=HOSTILE,
    unit=HOSTILE,
    tolerance=0.1,
    choices=(Guess(value=1, feedback=HOSTILE), Guess(value=2, feedback=HOSTILE)),
)


class Page(HTMLParser):
    """What a browser would make of a piece of HTML: its tags, attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize(
    "html",
    [
        question_html(HOSTILE_QUESTION),
        prediction_html(HOSTILE_PREDICTION),
        reconciliation_html(HOSTILE_PREDICTION, 1.0),
        reconciliation_html(HOSTILE_PREDICTION, 1.0, committed=1),
    ],
)
def test_hostile_text_stays_text(html):
    page = Page(html)
    assert "script" not in page.tags
    assert ("data-name", HOSTILE) in page.attributes
    assert any(HOSTILE in text for text in page.texts)


def test_a_question_says_of_every_choice_whether_it_is_right():
    page = Page(question_html(QUESTION))
    assert "".join(page.texts) == (
        "Which image grows?"
        "rangeIf you chose thisRight. Rays to corners are longer."
        "depthIf you chose thisNot quite. A facing wall is constant."
    )
    assert [value for name, value in page.attributes if name == "data-choice"] == ["0", "1"]


def test_a_prediction_does_not_give_its_feedback_away():
    page = Page(prediction_html(PREDICTION))
    assert "".join(page.texts) == "How far?2.000 m1.732 m1.000 m"
    assert "details" not in page.tags


def test_without_a_commitment_every_choice_is_reconciled_and_one_is_confirmed():
    text = "".join(Page(reconciliation_html(PREDICTION, 1.7321)).texts)
    assert text == (
        "Measured: 1.732 m. What each prediction meant:"
        "a) 2.000 m: That is the range."
        "b) 1.732 m — confirmed: Along the axis."
        "c) 1.000 m: That is sideways."
    )


@pytest.mark.parametrize(("committed", "shown"), [(0, ["0", "1"]), (1, ["1"]), (2, ["1", "2"])])
def test_a_commitment_is_set_beside_what_was_measured(committed, shown):
    page = Page(reconciliation_html(PREDICTION, 1.732, committed=committed))
    assert [value for name, value in page.attributes if name == "data-choice"] == shown
    assert "".join(page.texts).count("confirmed") == 1


def test_a_value_has_its_unit_and_a_count_has_none():
    assert guess_text(PREDICTION, PREDICTION.choices[1]) == "1.732 m"
    counted = Prediction(
        name="n", prompt="?", unit="", tolerance=0, choices=(Guess(value=1, feedback=""), Guess(value=2, feedback=""))
    )  # fmt: skip
    assert value_text(counted, 2) == "2.000"
    assert "<strong>2.000</strong>. What" in reconciliation_html(counted, 2)
