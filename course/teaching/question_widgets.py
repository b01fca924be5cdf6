"""Questions and predictions as widgets, live in JupyterLab."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from course.teaching.question import Prediction, Question, letter
from course.teaching.question_views import guess_text


def prediction_widget(prediction: Prediction, commit: Callable[[int], None]) -> Any:
    """Choices and a button; `commit(index)` is called once, then the choice stands."""

    def answer(index: int) -> str:
        commit(index)
        chosen = guess_text(prediction, prediction.choices[index])
        return f"Committed: {escape(chosen)}. Now run the next cell, which measures it."

    texts = [guess_text(prediction, choice) for choice in prediction.choices]
    return _form(prediction.prompt, texts, "Commit", answer, once=True)


def quiz_widget(questions: Sequence[Question], answered: Callable[[str, str], None]) -> Any:
    """All questions of a quiz, one below the other; `answered(name, text)` is called at each try."""
    return widgets.VBox([_question(question, answered) for question in questions])


def _question(question: Question, answered: Callable[[str, str], None]) -> Any:
    def answer(index: int) -> str:
        choice = question.choices[index]
        answered(question.name, choice.text)
        return f"<strong>{'Right.' if choice.right else 'Not quite.'}</strong> {escape(choice.feedback)}"

    return _form(question.prompt, [choice.text for choice in question.choices], "Check", answer)


def _form(
    prompt: str, texts: list[str], button: str, answer: Callable[[int], str], *, once: bool = False
) -> Any:
    choices = widgets.RadioButtons(
        options=[(f"{letter(index)}) {text}", index) for index, text in enumerate(texts)],
        index=None,
        layout=widgets.Layout(width="auto"),
    )
    press = widgets.Button(description=button)
    said = widgets.HTML()

    def pressed(_button: object) -> None:
        if press.disabled:  # a double click may arrive before the page knows
            return
        if choices.value is None:
            said.value = "Choose one first."
            return
        said.value = answer(choices.value)
        choices.disabled = press.disabled = once

    press.on_click(pressed)
    return widgets.VBox([widgets.HTML(f"<p>{escape(prompt)}</p>"), choices, press, said])
