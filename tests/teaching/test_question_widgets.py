from html import escape

import ipywidgets as widgets
import pytest

from course.teaching.question import Choice, Guess, Prediction, Question
from course.teaching.question_widgets import prediction_widget, quiz_widget

HOSTILE = '</p><script>alert(\'"&")</script>'

QUESTIONS = tuple(
    Question(
        name=name,
        prompt=f"{name}? {HOSTILE}",
        choices=(
            Choice(text="yes", feedback=f"indeed {HOSTILE}", right=True),
            Choice(text="no", feedback="look again"),
        ),
    )
    for name in ("one", "two")
)
PREDICTION = Prediction(
    name="post",
    prompt=HOSTILE,
    unit="<m>",
    tolerance=0.1,
    choices=(Guess(value=1, feedback="a"), Guess(value=2, feedback="b")),
)


class Form:
    """A question as a learner's hand meets it."""

    def __init__(self, widget: widgets.VBox) -> None:
        self.prompt, self.choices, self.button, self.said = widget.children

    def answer(self, index: int) -> str:
        self.choices.value = index
        self.button.click()
        return self.said.value


@pytest.fixture
def committed() -> list[int]:
    return []


@pytest.fixture
def prediction(committed) -> Form:
    return Form(prediction_widget(PREDICTION, committed.append))


def test_a_choice_is_committed_once_and_then_stands(prediction, committed):
    assert prediction.answer(1) == (
        "Committed: 2.000 &lt;m&gt;. Now run the next cell, which measures it."
    )
    assert (prediction.choices.disabled, prediction.button.disabled) == (True, True)
    prediction.answer(0)
    assert committed == [1]


def test_nothing_is_committed_before_a_choice_is_made(prediction, committed):
    prediction.button.click()
    assert prediction.said.value == "Choose one first."
    assert committed == []
    prediction.answer(0)
    assert committed == [0]


def test_choices_are_lettered_values(prediction):
    assert [label for label, _ in prediction.choices.options] == ["a) 1.000 <m>", "b) 2.000 <m>"]


def test_every_try_at_a_quiz_is_answered_and_noted():
    tries = []
    one, two = map(Form, quiz_widget(QUESTIONS, lambda *what: tries.append(what)).children)
    assert one.answer(1) == "<strong>Not quite.</strong> look again"
    assert one.answer(0) == f"<strong>Right.</strong> indeed {escape(HOSTILE)}"
    assert two.said.value == ""
    assert tries == [("one", "no"), ("one", "yes")]


def test_hostile_text_stays_text(prediction):
    one = Form(quiz_widget(QUESTIONS, lambda *_: None).children[0])
    for shown in (prediction.prompt.value, prediction.answer(0), one.prompt.value, one.answer(0)):
        assert "<script" not in shown
        assert "<m>" not in shown


def test_a_quiz_without_questions_is_empty():
    assert quiz_widget((), lambda *_: None).children == ()
