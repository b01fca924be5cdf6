import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from course.teaching.exercise import Exercise
from course.teaching.lab import Lab, Parameter, readout_text
from course.teaching.question import Choice, Guess, Prediction, Question


def parameter(**changes) -> Parameter:
    settings = {
        "name": "angle",
        "label": "Angle",
        "unit": "deg",
        "values": (0, 10, 20, 30, 40),
        "default": 10,
    }
    return Parameter(**settings | changes)


def lab(**changes) -> Lab:
    settings = {
        "name": "a-lab",
        "title": "A lab",
        "parameters": (
            parameter(),
            parameter(name="mode", unit="", values=("z", "r"), default="r"),
        ),
        "model": dict,
        "picture": Figure,
        "readout": dict,
        "alt": str,
    }
    return Lab(**settings | changes)


def exercise(name: str) -> Exercise:
    return Exercise(
        name=name,
        title="t",
        reference=abs,
        unit="",
        tolerance=0,
        fixed=({"x": 1},),
        random_case=lambda rng: {"x": 1},
        misconceptions=(),
        hints=("", "", ""),
    )


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"values": ()}, "parameter 'angle': default 10 is not one of its 0 values"),
        ({"default": 11}, "parameter 'angle': default 11 is not one of its 5 values"),
        ({"values": (10, 10)}, "parameter 'angle': two values read '10 deg'"),
        ({"values": (10, 10.0000001)}, "parameter 'angle': two values read '10 deg'"),
        ({"every": 0}, "parameter 'angle': every=0, expected at least 1"),
        ({"every": -1}, "parameter 'angle': every=-1, expected at least 1"),
    ],
)
def test_a_parameter_that_cannot_be_turned_is_refused(changes, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared in full below
        parameter(**changes)
    assert str(caught.value) == text


QUIZ = Question(
    name="q",
    prompt="?",
    choices=(Choice(text="a", feedback="", right=True), Choice(text="b", feedback="")),
)
GUESSES = Prediction(
    name="q",
    prompt="?",
    unit="m",
    tolerance=0.1,
    choices=(Guess(value=1, feedback=""), Guess(value=2, feedback="")),
)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "A lab"}, "lab 'A lab': expected a name in kebab case, as off-axis-depth"),
        ({"name": "../up"}, "lab '../up': expected a name in kebab case, as off-axis-depth"),
        ({"name": "a_b"}, "lab 'a_b': expected a name in kebab case, as off-axis-depth"),
        ({"name": ""}, "lab '': expected a name in kebab case, as off-axis-depth"),
        ({"parameters": (parameter(), parameter())}, "lab 'a-lab' names two things 'angle'"),
        ({"exercises": (exercise("f"), exercise("f"))}, "lab 'a-lab' names two things 'f'"),
        ({"predictions": (GUESSES,), "quiz": (QUIZ,)}, "lab 'a-lab' names two things 'q'"),
    ],
)
def test_a_lab_whose_parts_could_not_be_told_apart_is_refused(changes, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared in full below
        lab(**changes)
    assert str(caught.value) == text


@given(st.integers(1, 30), st.data())
def test_the_page_draws_every_nth_value_and_the_default_in_order(every, data):
    values = tuple(range(data.draw(st.integers(1, 20))))
    default = data.draw(st.sampled_from(values))
    page = parameter(values=values, default=default, every=every).page_values
    assert list(page) == sorted(page)
    assert set(page) == {n for n in values if n % every == 0 or n == default}


def test_the_star_is_the_default_and_then_one_parameter_moved_at_a_time():
    star = lab().star()
    assert star[0] == lab().defaults == {"angle": 10, "mode": "r"}
    assert star[1:] == (
        {"angle": 0, "mode": "r"},
        {"angle": 20, "mode": "r"},
        {"angle": 30, "mode": "r"},
        {"angle": 40, "mode": "r"},
        {"angle": 10, "mode": "z"},
    )


def test_a_lab_without_parameters_has_one_setting():
    assert lab(parameters=()).star() == ({},)


def test_values_read_with_their_unit_and_words_without():
    assert parameter().text(30) == "30 deg"
    assert parameter().text(0.5) == "0.5 deg"
    assert parameter(unit="").text(2) == "2"
    assert parameter().text("wide") == "wide"


def test_a_readout_in_one_line():
    assert readout_text({"range": (2.0, "m"), "hits": (3, "")}) == "range 2.000 m · hits 3.000"
    assert readout_text({}) == ""
