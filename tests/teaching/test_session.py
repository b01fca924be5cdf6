import functools
import json
import os
import time

import numpy as np
import pytest
from matplotlib.figure import Figure

import course.teaching
from course.teaching import check, hint, predict, quiz, reconcile, report, show_answer, start
from course.teaching import session as module
from course.teaching.events import FILE, MARK, read_events
from course.teaching.exercise import Exercise, Misconception
from course.teaching.lab import Lab
from course.teaching.question import Choice, Guess, Prediction, Question


def _half(length):
    return length / 2


def exercise(name: str, reference) -> Exercise:
    return Exercise(
        name=name,
        title=name,
        reference=reference,
        unit="m",
        tolerance=1e-5,
        fixed=({"length": 3.0},),
        random_case=lambda rng: {"length": rng.uniform(1, 9)},
        n_random=2,
        misconceptions=(
            Misconception(name="left alone", answer=lambda length: length, question="Halved?"),
        ),
        hints=("Think.", "Divide.", "By two."),
        seconds=0.2,
    )


LAB = Lab(
    name="a-lab",
    title="A lab",
    parameters=(),
    model=dict,
    picture=Figure,
    readout=dict,
    alt=str,
    exercises=(exercise("half", _half), exercise("whole", lambda length: length * 1)),
    predictions=(
        Prediction(
            name="post",
            prompt="How far?",
            unit="m",
            tolerance=0.01,
            choices=(
                Guess(value=2.0, feedback="That is the range."),
                Guess(value=1.732, feedback="Along the axis."),
            ),
        ),
    ),
    quiz=(
        Question(
            name="wall",
            prompt="Which grows?",
            choices=(
                Choice(text="range", feedback="Yes.", right=True),
                Choice(text="depth", feedback="No."),
            ),
        ),
        Question(
            name="sky",
            prompt="What marks a miss?",
            choices=(
                Choice(text="inf", feedback="Yes.", right=True),
                Choice(text="0", feedback="No."),
            ),
        ),
    ),
)
RIGHT = "half: right\n  3 cases within 1e-05 m, such as\n  half(length=3) = 1.5 m\n"


@pytest.fixture(autouse=True)
def _no_chapter_is_open(monkeypatch):
    monkeypatch.setattr(module, "_session", None)


@pytest.fixture
def chapter(capsys):
    """An open chapter; returns what a call prints."""
    start("10", LAB)
    capsys.readouterr()

    def said(function, *arguments) -> str:
        function(*arguments)
        return capsys.readouterr().out

    return said


@pytest.fixture
def cell(chapter):
    """Runs a cell in a notebook's namespace of its own; returns what it printed."""
    namespace = dict(vars(course.teaching), np=np, time=time)
    return lambda source: chapter(exec, source, namespace)


# --- start --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (check, ("half",)),
        (hint, ("half",)),
        (show_answer, ("half",)),
        (predict, ("post",)),
        (reconcile, ("post", 1.0)),
        (quiz, ()),
        (report, ()),
    ],
)
def test_every_call_before_start_says_what_to_do(function, arguments):
    with pytest.raises(
        RuntimeError,
        match=r"^no chapter is open in this kernel: run the first cell, which calls start\(\.\.\.\)$",
    ):
        function(*arguments)


def test_start_says_that_all_is_well(capsys):
    start("10", LAB)
    assert capsys.readouterr().out == "Chapter 10 is ready: A lab.\n"


def test_start_says_what_is_missing_and_what_to_do_and_opens_the_chapter_all_the_same(
    capsys, monkeypatch
):
    monkeypatch.setattr(module, "problems", lambda: ("scipy is not installed",))
    start("10", LAB)
    hint("half")
    assert capsys.readouterr().out == (
        "! scipy is not installed\n"
        "Close JupyterLab and run `make lab`, which sets up the environment and opens it again.\n"
        "Hint 1 of 3: Think.\n"
    )


@pytest.mark.parametrize("call", [check, hint, show_answer])
def test_an_unknown_exercise_is_refused_with_those_there_are(chapter, call):
    with pytest.raises(
        LookupError, match=r"^\"?this chapter has no exercise 'hlaf'; it has half, whole\"?$"
    ):
        call("hlaf")


def test_an_unknown_prediction_is_refused_with_those_there_are(chapter):
    for call in (lambda: predict("pots"), lambda: reconcile("pots", 1.0)):
        with pytest.raises(
            LookupError, match=r"^this chapter has no prediction 'pots'; it has post$"
        ):
            call()


# --- check --------------------------------------------------------------------------------------------------


def test_the_function_of_the_notebook_is_checked_by_name(cell):
    assert cell("def half(x): return x / 2\ncheck('half')") == RIGHT
    assert cell("def half(x): return x\ncheck('half')").startswith("half: wrong - left alone\n")
    assert cell("half = lambda x: x * 0.5\ncheck('half')") == RIGHT


def test_a_function_may_be_handed_over_itself(cell):
    assert cell("def half(x): return x / 2\ncheck(half)") == RIGHT


@pytest.mark.parametrize("source", ["", "half = 3", "half = None", "half = 'def'"])
def test_what_is_no_function_is_not_attempted(cell, source):
    assert cell(f"{source}\ncheck('half')").startswith("half: not attempted\n")


@pytest.mark.parametrize(
    "body",
    [
        "raise NotImplementedError",
        "return 1 / 0",
        "raise SystemExit",
        "raise KeyboardInterrupt",
        "while True: pass",
        "time.sleep(60)",
        "return half(x)",
        "yield x",
        "return print",
        "np.seterr(all='raise'); return x",
        "import sys; sys.stdout = None; return x",
    ],
)
@pytest.mark.usefixtures("leaves_no_trace")
def test_neither_check_nor_show_answer_raises(cell, body):
    text = cell(f"def half(x):\n    {body}\ncheck('half')\nshow_answer('half')")
    assert text.startswith("half: ")
    assert "  reference: 1.5 m\n  yours:     " in text


def test_a_lambda_is_known_by_its_name_only(chapter):
    with pytest.raises(LookupError, match="this chapter has no exercise '<lambda>'"):
        check(lambda x: x / 2)
    with pytest.raises(LookupError, match=r"this chapter has no exercise 'functools\.partial"):
        check(functools.partial(_half))


# --- hint and show_answer -----------------------------------------------------------------------------------


def test_hints_are_given_one_by_one(chapter):
    assert chapter(hint, "half") == "Hint 1 of 3: Think.\n"
    assert chapter(hint, "half", 3) == "Hint 3 of 3: By two.\n"


@pytest.mark.parametrize("number", [0, 4, -1, 1.5, "1", None])
def test_a_hint_that_there_is_not_is_said(chapter, number):
    assert chapter(hint, "half", number) == (
        f"half has hints 1 to 3, there is no hint {number!r}.\n"
    )


def test_the_answer_is_the_source_and_the_worked_example(cell):
    assert cell("def half(x): return x\nshow_answer('half')") == (
        "def half(length):\n    return length / 2\n\n"
        "half(length=3)\n  reference: 1.5 m\n  yours:     3 m\n"
    )


def test_the_answer_is_shown_where_there_is_no_function_yet(cell):
    assert "yours" not in cell("show_answer('half')")


@pytest.mark.parametrize(
    ("body", "yours"),
    [
        ("return None", "None"),
        ("return [1, [2, 3]]", "[1, [2, 3]]"),
        ("return '\\n\\x1b\\ud800'", "'\\n\\x1b\\ud800'"),
        ("return np.zeros((9, 9))", "an array of shape (9, 9)"),
        ("raise ValueError('a\\nb')", "ValueError: a b"),
        ("raise NotImplementedError", "NotImplementedError"),
        ("while True: pass", "still running after 0.2 s; is there a loop that never ends?"),
        (
            "return type('Mute', (), {'__repr__': lambda _: 1 / 0})()",
            "ZeroDivisionError: division by zero",
        ),
        (
            "return type('Endless', (), {'__repr__': lambda _: time.sleep(60)})()",
            "still running after 0.2 s; is there a loop that never ends?",
        ),
        ("return ['long'] * 1000", "['long', "),
    ],
)
def test_whatever_a_function_says_to_the_worked_example_is_one_line(cell, body, yours):
    text = cell(f"def half(x):\n    {body}\nshow_answer('half')")
    last = text.splitlines()[-1]
    assert last.startswith(f"  yours:     {yours}")
    assert len(last) < 400


def test_the_reference_does_not_mind_a_notebook_that_made_warnings_errors(chapter):
    with np.errstate(all="raise"):
        assert "reference: 1.5 m" in chapter(show_answer, "half")


# --- predict and reconcile ----------------------------------------------------------------------------------


def commit(widget, index: int) -> None:
    _prompt, choices, button, _said = widget.children
    choices.value = index
    button.click()


def test_a_commitment_is_set_beside_the_measurement(chapter):
    commit(predict("post").widget, 0)
    told = reconcile("post", 1.7321)
    assert told.text == "Measured: 1.732 m. You predicted 2.000 m. That is the range."
    assert 'data-choice="0"' in told.html
    assert 'data-choice="1"' in told.html


def test_a_right_commitment_is_confirmed(chapter):
    commit(predict("post").widget, 1)
    told = reconcile("post", 1.732)
    assert told.text == "Measured: 1.732 m. You predicted 1.732 m. Along the axis."
    assert 'data-choice="0"' not in told.html


def test_without_a_commitment_the_measurement_speaks(chapter):
    predict("post")
    told = reconcile("post", 1.732)
    assert told.text == "Measured: 1.732 m. Along the axis."
    assert told.widget is None
    assert 'data-choice="0"' in told.html


def test_a_new_start_forgets_the_commitment(chapter):
    commit(predict("post").widget, 0)
    start("10", LAB)
    assert "You predicted" not in reconcile("post", 1.732).text


def test_a_measurement_that_confirms_no_choice_is_refused(chapter):
    with pytest.raises(ValueError, match=r"measured 1\.5 m, which is none of the choices"):
        reconcile("post", 1.5)


def test_a_prediction_is_a_page_and_a_widget(chapter):
    shown = predict("post")
    assert shown.text == "How far?"
    assert shown.html.startswith('<div class="predict" data-name="post">')


# --- quiz, report and progress ------------------------------------------------------------------------------


def test_the_quiz_is_all_its_questions(chapter):
    shown = quiz()
    assert shown.text == "Which grows?\nWhat marks a miss?"
    assert shown.html.count('<div class="quiz"') == 2
    assert len(shown.widget.children) == 2


def test_a_quiz_of_some_questions_is_those(chapter):
    shown = quiz("sky")
    assert shown.text == "What marks a miss?"
    assert "Which grows?" not in shown.html
    assert len(shown.widget.children) == 1
    with pytest.raises(LookupError, match="no question 'shrinks'; it has wall, sky"):
        quiz("wall", "shrinks")


def test_a_report_tells_of_every_exercise_as_it_stands(cell):
    cell("def half(x): return x\ncheck('half')")
    assert cell("report()").splitlines() == [
        "Chapter 10",
        "  half   wrong - left alone",
        "  whole  not attempted",
        "  0 right, 1 wrong, 0 error in your code, 1 not attempted",
    ]
    cell("def half(x): return x / 2\ncheck('half')")
    assert "  half   right\n" in cell("report()")


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    (tmp_path / MARK).write_text(json.dumps({}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_a_learner_does_in_a_workspace_is_noted(cell, workspace):
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # pytest sets it anew when a test is torn down
    cell("def half(x): raise ValueError('\\ud800 a\\nb')\ncheck('half')")
    commit(predict("post").widget, 1)
    commit(quiz().widget.children[0], 1)
    events, damaged = read_events(workspace)
    assert damaged == 0
    assert [(event.kind, event.chapter, event.name, event.result) for event in events] == [
        ("check", "10", "half", "error in your code - ValueError: \\ud800 a b"),
        ("prediction", "10", "post", "1.732 m"),
        ("quiz", "10", "wall", "depth"),
    ]


def test_nothing_is_noted_under_a_test(cell, workspace):
    cell("def half(x): return x\ncheck('half')")
    assert not (workspace / FILE).exists()


def test_a_progress_file_that_cannot_be_written_does_not_stop_a_check(cell, workspace):
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    (workspace / FILE).mkdir()
    assert cell("def half(x): return x / 2\ncheck('half')") == (
        f"! not noted in your progress file: Is a directory\n{RIGHT}"
    )


def test_a_slip_of_syntax_is_told_though_an_older_definition_is_there(cell):
    said = cell("def half(x): return x / 2\nIn = ['def half(x) return x']\ncheck('half')")
    assert said.startswith("half: error in your code - line 1: SyntaxError: expected ':'\n")


def test_an_answer_that_asks_for_input_is_told_so(cell):
    said = cell("def half(x):\n    return float(input())\ncheck('half')")
    assert "RuntimeError: input() was called: an answer takes all it needs as arguments" in said
