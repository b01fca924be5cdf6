import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.sensors.ranges import (
    TOO_CLOSE,
    TOO_FAR,
    ClippingRange,
    DepthCamera,
    DepthRange,
    check_ranges,
    loses_too_close,
    measured_depth,
)

CLIPPING = ClippingRange(near=0.01, far=10)
RANGE = DepthRange(minimum=0.1, maximum=5)

depths = arrays(np.float64, 9, elements=st.floats(0, 1e6) | st.sampled_from([np.inf, np.nan]))


def test_nearer_reads_0_and_farther_or_nothing_reads_inf():
    """The depths of a wall at which Drake 1.51.1 and 1.57.0 were asked, less those at the ends."""
    seen = [0.05, 0.0999, 0.1001, 2.0, 4.9999, 7.0, np.inf, np.nan]
    read = [0.0, 0.0, 0.1001, 2.0, 4.9999, np.inf, np.inf, np.nan]
    np.testing.assert_array_equal(measured_depth(seen, RANGE), read)
    assert TOO_CLOSE == 0.0
    assert np.isposinf(TOO_FAR)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_both_ends_count_as_measured_in_either_precision(precision):
    odd = DepthRange(minimum=0.3, maximum=0.7)  # not exact in binary
    ends = np.array([0.3, 0.7], precision)
    beyond = np.nextafter(ends, np.array([0, 1], precision))
    reported = measured_depth(ends, odd)
    assert reported.dtype == precision
    np.testing.assert_array_equal(reported, ends)
    np.testing.assert_array_equal(measured_depth(beyond, odd), [0, np.inf])


@settings(derandomize=True)
@given(depths)
def test_what_is_in_the_range_stays_and_all_else_becomes_a_sentinel(depth_m):
    reported = measured_depth(depth_m, RANGE)
    inside = (depth_m >= 0.1) & (depth_m <= 5)
    np.testing.assert_array_equal(reported[inside], depth_m[inside])
    assert set(reported[~inside & ~np.isnan(depth_m)].tolist()) <= {TOO_CLOSE, TOO_FAR}
    np.testing.assert_array_equal(measured_depth(reported, RANGE), reported)


@pytest.mark.parametrize(
    ("depth_m", "error", "message"),
    [
        ([-0.1], ValueError, "depth_m: expected 0 m or more (inf on a miss), got -0.1"),
        (np.array([1500], np.uint16), TypeError, "depth_m: expected metres, got uint16;"),
        ([[1.0], [1.0, 2.0]], ValueError, "depth_m: expected an array, got rows of different"),
    ],
)
def test_what_is_no_depth_is_refused(depth_m, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        measured_depth(depth_m, RANGE)


def test_a_clipping_range_is_no_depth_range():
    with pytest.raises(TypeError, match=r"^depth_range: expected DepthRange\(\.\.\.\), got Clip"):
        measured_depth([1.0], CLIPPING)
    with pytest.raises(TypeError, match=r"^clipping: expected ClippingRange\(\.\.\.\), got Depth"):
        check_ranges(RANGE, CLIPPING)


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (0, 3.1, "expected a positive, finite number in m, got 0"),  # C36: every depth is NaN
        (-1, 1, "expected a positive, finite number in m, got -1"),
        (1, 1, "expected {low} < {high}, got 1 m and 1 m"),
        (2, 1, "expected {low} < {high}, got 2 m and 1 m"),
        (1, np.inf, "expected a positive, finite number in m, got inf"),
        (np.nan, 1, "expected a number in m, got nan"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "ends"), [(ClippingRange, ("near", "far")), (DepthRange, ("minimum", "maximum"))]
)
def test_impossible_ranges_are_refused(kind, ends, low, high, message):
    message = message.format(low=ends[0], high=ends[1])
    with pytest.raises(ValueError, match=re.escape(message)):
        kind(**dict(zip(ends, (low, high), strict=True)))


def test_a_number_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match=r"ClippingRange\.near: expected a number in m, got '0.1'"):
        ClippingRange(near="0.1", far=1)


@pytest.mark.parametrize(
    ("minimum", "maximum", "message"),
    [
        (
            0.005,
            5,
            "depth_range: the minimum 0.005 m is nearer than the near plane at 0.01 m: nothing is "
            "drawn between them, so it would be seen through; "
            "move the near plane closer, or raise the minimum",
        ),
        (
            0.1,
            11,
            "depth_range: the maximum 11 m is beyond the far plane at 10 m: nothing is drawn "
            "between them, so it would read as empty; "
            "move the far plane away, or lower the maximum",
        ),
    ],
)
def test_a_depth_range_that_sticks_out_is_refused(minimum, maximum, message):
    outside = DepthRange(minimum=minimum, maximum=maximum)
    for refuse in (check_ranges, loses_too_close):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            refuse(CLIPPING, outside)


def test_equal_ends_are_accepted_and_one_can_ask_what_they_cost():
    same = DepthRange(minimum=0.01, maximum=10)
    check_ranges(CLIPPING, same)
    assert loses_too_close(CLIPPING, same)
    assert not loses_too_close(CLIPPING, RANGE)
    assert not loses_too_close(CLIPPING, DepthRange(minimum=0.1, maximum=10))


def test_a_depth_camera_has_ranges_that_fit():
    intrinsics = Intrinsics.from_vertical_fov(
        width=8, height=6, fov_y_rad=1.0, pixel_centre=PixelCentre.HALF
    )
    camera = DepthCamera(intrinsics=intrinsics, clipping=CLIPPING, depth_range=RANGE)
    assert not camera.loses_too_close
    shut = DepthCamera(
        intrinsics=intrinsics,
        clipping=ClippingRange(near=0.1, far=10),
        depth_range=RANGE,
    )
    assert shut.loses_too_close
    with pytest.raises(ValueError, match=r"^depth_range: the minimum 0\.1 m is nearer"):
        DepthCamera(
            intrinsics=intrinsics,
            clipping=ClippingRange(near=0.2, far=10),
            depth_range=RANGE,
        )


def test_a_depth_camera_has_intrinsics():
    for no_intrinsics in (None, np.eye(3)):
        with pytest.raises(TypeError, match=r"^intrinsics: expected Intrinsics\(width=, height="):
            DepthCamera(intrinsics=no_intrinsics, clipping=CLIPPING, depth_range=RANGE)


def test_ends_beyond_float32_are_ends_all_the_same():
    depth_m = np.array([0.0, 1e-30, 3e38, np.inf], np.float32)
    whole = DepthRange(minimum=1e-60, maximum=1e60)
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_array_equal(measured_depth(depth_m, whole), depth_m)
        beyond = DepthRange(minimum=1e60, maximum=1e70)
        assert measured_depth(depth_m, beyond).tolist() == [0, 0, 0, np.inf]


@pytest.mark.parametrize("order", "<>")
def test_float32_at_an_end_is_in_the_range_in_either_order_of_its_bytes(order):
    end = DepthRange(minimum=0.7, maximum=1)  # the float32 nearest to 0.7 is less than 0.7
    assert measured_depth(np.array([0.7], f"{order}f4"), end) == np.float32(0.7)
