"""Arrays of images: means of what was measured, and the facts that the questions state."""

import numpy as np
import pytest

from course.teaching.judge import judge
from labs.image_array_exercises import CHANNEL_AXIS, VALID_MEAN


def test_three_good_readings_and_a_mark():
    depth_mm = VALID_MEAN.fixed[0]["depth_mm"]
    assert VALID_MEAN.reference(depth_mm) == 1.0
    assert depth_mm.mean() / 1000 == pytest.approx(17.134, abs=5e-4)


def test_readings_are_so_large_that_their_sum_overflows_16_bits():
    for seed in range(20):
        for case in VALID_MEAN.cases(seed)[1:]:
            depth_mm = case["depth_mm"].astype(int)
            assert depth_mm[(depth_mm > 0) & (depth_mm < 65535)].sum() > 65535


def one_by_one(depth_mm):
    readings = [int(d) for d in depth_mm.flat if d not in (0, 65535)]
    return sum(readings) / len(readings) / 1000


def with_nan(depth_mm):
    depth_m = depth_mm / 1000
    depth_m[(depth_mm == 0) | (depth_mm == 65535)] = np.nan
    return np.nanmean(depth_m)


def in_float32(depth_mm):
    depth_m = depth_mm.astype(np.float32) * np.float32(0.001)
    return depth_m[(depth_mm % 65535) != 0].mean(dtype=np.float32)


@pytest.mark.parametrize("answer", [one_by_one, with_nan, in_float32])
def test_a_right_answer_in_another_style_gets_the_same_text(answer):
    right = str(judge(VALID_MEAN, VALID_MEAN.reference))
    for seed in range(5):
        assert str(judge(VALID_MEAN, answer, seed=seed)) == right


def test_a_sum_over_numpys_own_16_bit_numbers_is_named():
    def summed(depth_mm):
        total = np.uint16(0)
        readings = depth_mm[(depth_mm > 0) & (depth_mm < 65535)]
        for reading in readings:
            total += reading
        return total / len(readings) / 1000

    assert judge(VALID_MEAN, summed).reason == "a sum that overflows 16 bits"


def test_the_right_choice_on_the_channel_axis_is_what_numpy_does():
    (right,) = (choice for choice in CHANNEL_AXIS.choices if choice.right)
    difference = np.zeros((100, 100, 1)) - np.zeros((100, 100))
    assert right.text == f"{difference.shape}, without an error"
    with pytest.raises(ValueError, match="broadcast"):
        np.zeros((100, 90, 1)) - np.zeros((100, 90))
