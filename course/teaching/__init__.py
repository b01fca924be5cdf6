"""Exercises, checks, predictions, quizzes and labs; a notebook imports its calls from here."""

from course.teaching.panel import explore
from course.teaching.session import (
    check,
    hint,
    predict,
    quiz,
    reconcile,
    report,
    show_answer,
    start,
)

__all__ = [
    "check",
    "explore",
    "hint",
    "predict",
    "quiz",
    "reconcile",
    "report",
    "show_answer",
    "start",
]
