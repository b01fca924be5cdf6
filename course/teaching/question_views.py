"""Questions and predictions as HTML for a page, and as widgets for JupyterLab.

The HTML is complete without any script: every choice carries its feedback in a `<details>`. On the book's pages
`workbook.js` turns it into a form that answers one choice at a time.
"""

from html import escape

from course.teaching.question import GUESS_FORMAT, Guess, Prediction, Question, letter
from course.teaching.words import with_unit


def question_html(question: Question) -> str:
    """A quiz question for a page."""
    rows = [
        _choice(
            index, choice.text, choice.feedback, verdict="Right." if choice.right else "Not quite."
        )
        for index, choice in enumerate(question.choices)
    ]
    return _form("quiz", question, rows)


def prediction_html(prediction: Prediction) -> str:
    """A prediction for a page: choices without feedback, which the measurement gives later."""
    rows = [
        _choice(index, guess_text(prediction, choice))
        for index, choice in enumerate(prediction.choices)
    ]
    return _form("predict", prediction, rows)


def reconciliation_html(
    prediction: Prediction, measured: float, *, committed: int | None = None
) -> str:
    """The measurement beside the committed choice; beside every choice if none was committed in this kernel.

    On a page, the script marks the choice that was committed there.
    """
    settled = prediction.settled_by(measured)
    rows = [
        f'<li data-choice="{index}">{"<em>Your prediction.</em> " if index == committed else ""}'
        f"<strong>{letter(index)}) {escape(guess_text(prediction, choice))}</strong>"
        f"{' — confirmed' if index == settled else ''}: {escape(choice.feedback)}</li>"
        for index, choice in enumerate(prediction.choices)
        if committed in (None, index) or index == settled
    ]
    rest = "" if committed is not None else " What each prediction meant:"
    return (
        f'<div class="reconcile" data-name="{escape(prediction.name)}">'
        f"<p>Measured: <strong>{escape(value_text(prediction, measured))}</strong>.{rest}</p>"
        f"<ul>{''.join(rows)}</ul></div>"
    )


def guess_text(prediction: Prediction, choice: Guess) -> str:
    """A choice of a prediction as a reader reads it: `1.732 m`."""
    return value_text(prediction, choice.value)


def value_text(prediction: Prediction, value: float) -> str:
    """A value, predicted or measured, as a reader reads it."""
    return with_unit(f"{value:{GUESS_FORMAT}}", prediction.unit)


def _form(kind: str, question: Question | Prediction, rows: list[str]) -> str:
    return (
        f'<div class="{kind}" data-name="{escape(question.name)}">'
        f"<p>{escape(question.prompt)}</p>"
        f'<ol type="a">{"".join(rows)}</ol></div>'
    )


def _choice(index: int, text: str, feedback: str = "", verdict: str = "") -> str:
    details = (
        f"<details><summary>If you chose this</summary><p><strong>{verdict}</strong> {escape(feedback)}</p></details>"
        if feedback
        else ""
    )
    return f'<li data-choice="{index}"><span>{escape(text)}</span>{details}</li>'
