"""16 bits: the references agree with the course's own formats, in float32 and float64, and style does not matter."""

import math

import numpy as np
import pytest

from course.sensors.depth_formats import decode_depth_16u, encode_depth_16u
from course.teaching.guard import undisturbed
from course.teaching.judge import judge
from labs.depth_format_exercises import FROM_16_BIT, ONE_METRE_IN_SIXTEEN_BITS, TO_16_BIT


def test_written_and_read_as_by_the_course():
    for seed in range(20):
        for case in TO_16_BIT.cases(seed):
            written = TO_16_BIT.reference(**case)
            assert written.dtype == np.uint16
            np.testing.assert_array_equal(written, encode_depth_16u(case["depth_m"]))
        for case in FROM_16_BIT.cases(seed):
            np.testing.assert_allclose(
                FROM_16_BIT.reference(**case), decode_depth_16u(case["depth_mm"]), rtol=1e-7
            )


def test_graded_depths_stay_clear_of_whole_millimetres():
    """So float32 and float64, times 1000 and over 0.001, all agree. 0 and what does not fit are exact anyway."""
    for seed in range(20):
        for case in TO_16_BIT.cases(seed):
            depth_m = case["depth_m"]
            depth_mm = depth_m[np.isfinite(depth_m) & (depth_m > 0)] * 1000
            assert np.abs(depth_mm - np.rint(depth_mm)).min() > 0.09
            as_float32 = depth_m.astype(np.float32)
            for other in (as_float32, as_float32.astype(np.float64), depth_m / 0.001 / 1000):
                np.testing.assert_array_equal(
                    TO_16_BIT.reference(other), TO_16_BIT.reference(depth_m)
                )


def test_forty_metres_need_an_unsigned_integer():
    by_name = {mistake.name: mistake.answer for mistake in TO_16_BIT.misconceptions}
    assert by_name["signed 16 bit"](np.array([40.0])) == -25536
    assert TO_16_BIT.reference(np.array([40.0])) == 40000


def test_what_came_through_16_bits_lost_less_than_a_millimetre():
    for case in TO_16_BIT.cases(seed=4):
        depth_m = case["depth_m"]
        back = FROM_16_BIT.reference(TO_16_BIT.reference(depth_m))
        known = depth_m < 65.535
        lost_m = depth_m[known] - back[known]
        assert (lost_m >= 0).all()
        assert (lost_m < 1e-3).all()
        assert np.isposinf(back[~known]).all()


@pytest.mark.parametrize("encode", [TO_16_BIT.reference, encode_depth_16u])
def test_a_wall_rendered_at_almost_a_metre_settles_the_prediction(encode):
    measured = float(encode(np.array([0.99999976], np.float32))[0])
    assert ONE_METRE_IN_SIXTEEN_BITS.choices[
        ONE_METRE_IN_SIXTEEN_BITS.settled_by(measured)
    ].value == pytest.approx(999, abs=0)


@pytest.mark.parametrize("kind", [np.uint16, np.int16])
def test_the_cast_of_numpy_itself_is_refused(kind):
    """What it makes of 70000, inf and nan depends on the processor, so its name is not asked for."""

    def cast(depth_m):
        return (depth_m * 1000).astype(kind)

    assert str(judge(TO_16_BIT, cast)).startswith("to_16_bit: wrong")


def number_by_number(depth_m):
    def millimetres(z):
        return 65535 if math.isnan(z) or z >= 65.535 else int(z * 1000)

    return [[millimetres(z) for z in row] for row in depth_m.tolist()]


def in_float32(depth_m):
    depth_mm = np.floor(np.nan_to_num(depth_m.astype(np.float32) * np.float32(1000), nan=np.inf))
    return np.minimum(depth_mm, 65535)


def in_place(depth_m):
    depth_m *= 1000
    depth_m[~(depth_m < 65535)] = 65535
    return depth_m.astype(np.uint16)


def with_a_mask(depth_mm):
    depth_m = depth_mm.astype(np.float32) / 1000
    depth_m[depth_mm == 65535] = np.inf
    return depth_m


def row_by_row(depth_mm):
    return [[math.inf if d == 65535 else d * 0.001 for d in row] for row in depth_mm.tolist()]


def by_float32_factor(depth_mm):
    return np.where(depth_mm < 65535, depth_mm * np.float32(0.001), np.float32(np.inf))


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (TO_16_BIT, number_by_number),
        (TO_16_BIT, in_float32),
        (TO_16_BIT, in_place),
        (TO_16_BIT, encode_depth_16u),
        (FROM_16_BIT, with_a_mask),
        (FROM_16_BIT, row_by_row),
        (FROM_16_BIT, by_float32_factor),
        (FROM_16_BIT, decode_depth_16u),
    ],
    ids=lambda thing: getattr(thing, "name", None) or thing.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise, answer):
    for seed in range(5):
        assert str(judge(exercise, answer, seed=seed)) == str(judge(exercise, exercise.reference))


def test_the_mistakes_themselves_are_the_same_on_every_machine():
    """They cast nothing that does not fit, so none depends on the processor, and none warns."""
    with undisturbed(), np.errstate(invalid="raise"):
        for mistake in TO_16_BIT.misconceptions:
            for case in TO_16_BIT.cases():
                mistake.answer(**case)


def test_millimetres_viewed_as_signed_have_a_name():
    def viewed(depth_mm):
        return depth_mm.view(np.int16) * 0.001

    assert judge(FROM_16_BIT, viewed).reason == "read as signed 16 bit"
