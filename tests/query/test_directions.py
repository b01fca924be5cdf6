import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.query.directions import unit_direction


@given(st.tuples(*[st.floats(-1, 1)] * 3), st.floats(-30, 30))
def test_a_normalised_direction_keeps_where_it_points(d, power):
    if np.linalg.norm(d) < 1e-3:
        return
    scaled = np.array(d) * 10.0**power
    np.testing.assert_allclose(
        unit_direction(scaled, normalise=True), d / np.linalg.norm(d), atol=1e-15
    )


def test_seven_digits_of_a_float32_are_enough_and_are_made_sixteen():
    d = np.array([0.6, 0.48, 0.64], np.float32)
    assert np.linalg.norm(unit_direction(d, normalise=False)) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize(
    ("d_W", "error", "message"),
    [
        ((0, 0, 0), ValueError, "d_W: expected a direction, got zero"),
        ((1, np.nan, 0), ValueError, "d_W: expected finite numbers, got nan at index (1,)"),
        ((np.inf, 0, 0), ValueError, "d_W: expected finite numbers, got inf at index (0,)"),
        ((1, 0), ValueError, "d_W: expected shape (3,), got (2,)"),
        (("x", 0, 0), TypeError, "d_W: expected real numbers"),
    ],
)
def test_what_is_no_direction_is_refused(d_W, error, message, normalise):
    with pytest.raises(error, match=re.escape(message)):
        unit_direction(d_W, normalise=normalise)


def test_another_length_is_refused_with_the_way_to_mend_it():
    message = (
        "d_W: expected a direction of length 1, got [2.0, 0.0, 0.0] of length 2; "
        "normalise it first, or pass normalise=True"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        unit_direction((2, 0, 0), normalise=False)
