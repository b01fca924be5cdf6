import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.teaching.question import Choice, Guess, Prediction, Question, letter


def question(*rights: bool) -> Question:
    choices = tuple(
        Choice(text=str(n), feedback="so", right=right) for n, right in enumerate(rights)
    )
    return Question(name="wall", prompt="Which?", choices=choices)


def prediction(*values: float, tolerance: float = 0.1) -> Prediction:
    choices = tuple(Guess(value=value, feedback=f"about {value}") for value in values)
    return Prediction(
        name="post", prompt="How far?", unit="m", tolerance=tolerance, choices=choices
    )


@pytest.mark.parametrize(
    ("rights", "text"),
    [
        ((), "question 'wall' has 0 choices, expected at least 2"),
        ((True,), "question 'wall' has 1 choices, expected at least 2"),
        ((True,) + 10 * (False,), "question 'wall' has 11 choices, expected at most 10"),
        ((False, False), "question 'wall' has 0 right choices, expected exactly 1"),
        ((True, False, True), "question 'wall' has 2 right choices, expected exactly 1"),
    ],
)
def test_a_question_has_two_to_ten_choices_and_one_is_right(rights, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared in full below
        question(*rights)
    assert str(caught.value) == text


def test_ten_choices_have_ten_letters():
    choices = question(True, *9 * [False]).choices
    assert "".join(letter(index) for index in range(len(choices))) == "abcdefghij"


@pytest.mark.parametrize(
    ("values", "tolerance", "text"),
    [
        ((1.0,), 0.1, "question 'post' has 1 choices, expected at least 2"),
        (
            (2.0, 1.0, 1.1),
            0.06,
            "prediction 'post': 1.0 and 1.1 m lie within twice the tolerance 0.06 m; "
            "no measurement could tell them apart",
        ),
        (
            (1.0, 1.0),
            0.0,
            "prediction 'post': 1.0 and 1.0 m lie within twice the tolerance 0.0 m; "
            "no measurement could tell them apart",
        ),
        (
            (0.0001, 0.0004),
            0.0,
            "prediction 'post': 0.0001 and 0.0004 m read the same; choose a smaller unit",
        ),
        (
            (1.0, float("nan")),
            0.1,
            "prediction 'post': expected finite values and a tolerance >= 0, got (0.1, 1.0, nan)",
        ),
        (
            (1.0, float("inf")),
            0.1,
            "prediction 'post': expected finite values and a tolerance >= 0, got (0.1, 1.0, inf)",
        ),
        (
            (1.0, 2.0),
            -0.1,
            "prediction 'post': expected finite values and a tolerance >= 0, got (-0.1, 1.0, 2.0)",
        ),
    ],
)
def test_a_prediction_that_nothing_could_settle_is_refused(values, tolerance, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared in full below
        prediction(*values, tolerance=tolerance)
    assert str(caught.value) == text


SETTLED = st.tuples(st.integers(2, 10), st.integers(0, 9), st.floats(-0.099, 0.099))


@given(SETTLED)
def test_a_measurement_settles_the_choice_that_it_is_near(drawn):
    count, index, error = drawn
    index %= count
    asked = prediction(*(float(n) for n in range(count)))
    assert asked.settled_by(index + error) == index


@given(st.floats(0.1001, 0.8999))
def test_a_measurement_between_two_choices_settles_nothing(offset):
    with pytest.raises(
        ValueError, match=r"which is none of the choices \(0, 1 m, tolerance 0\.1\)"
    ):
        prediction(0.0, 1.0).settled_by(offset)


@pytest.mark.parametrize("measured", [float("nan"), float("inf"), -float("inf")])
def test_no_number_settles_nothing(measured):
    with pytest.raises(
        ValueError, match=f"^prediction 'post': measured {measured:g} m, which is none"
    ):
        prediction(0.0, 1.0).settled_by(measured)
