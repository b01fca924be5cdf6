import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course.sensors.depth_formats import (
    TOO_CLOSE_MM,
    TOO_FAR_MM,
    decode_depth_16u,
    encode_depth_16u,
)

FARTHEST_M = 65.534
ULP = np.finfo(np.float32).eps  # of rounding to float32, and of the product in float32

# ConvertDepth32FTo16U of Drake 1.51.1 and 1.57.0, run on float32 images.
DRAKE_MM = {
    0: 0,
    0.0004: 0,
    0.0009: 0,
    0.001: 1,
    0.0015: 1,
    0.29: 290,
    1.001: 1001,
    1.15: 1150,
    1.2345: 1234,
    1.2349: 1234,
    2.3: 2300,
    2.675: 2675,
    2.9999998: 2999,
    4.35: 4350,
    8.7: 8700,
    0.99999976: 999,
    65.533: 65532,
    65.534: 65533,
    65.5345: 65534,
    65.535: 65535,
    65.536: 65535,
    100: 65535,
    np.inf: 65535,
    -np.inf: 0,
    -1: 0,
    -0.0001: 0,
}
# ConvertDepth16UTo32F of Drake 1.51.1 and 1.57.0.
DRAKE_M = {0: 0, 1: 0.001, 1000: 1.0, 65533: 65.533, 65534: 65.534, 65535: np.inf}


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_millimetres_are_those_of_drake(precision):
    depth_m = np.array(list(DRAKE_MM), precision)
    np.testing.assert_array_equal(encode_depth_16u(depth_m), list(DRAKE_MM.values()))
    assert encode_depth_16u(np.array([np.nan], precision)).tolist() == [TOO_FAR_MM]


def test_the_product_is_in_float32():
    """In float64, the same float32 depths give other integers: a knife edge, in either direction."""
    knife = np.array([4.35, 1.001, 0.29, 2.3, 8.7, 1.15, 2.675], np.float32)
    in_float64 = np.trunc(knife.astype(np.float64) * 1000)
    np.testing.assert_array_equal(in_float64, [4349, 1001, 289, 2299, 8699, 1149, 2674])
    assert encode_depth_16u(knife).tolist() == [4350, 1001, 290, 2300, 8700, 1150, 2675]


def test_metres_are_those_of_drake_to_the_last_bit():
    depth_mm = np.array(list(DRAKE_M), np.uint16)
    expected = np.array(list(DRAKE_M.values()), np.float32)
    depth_m = decode_depth_16u(depth_mm)
    assert depth_m.dtype == np.float32
    np.testing.assert_array_equal(depth_m, expected)
    assert depth_m[4] != np.float32(65534) * np.float32(0.001)  # 65.534004


def test_every_millimetre_is_the_float32_nearest_to_it():
    depth_mm = np.arange(TOO_FAR_MM, dtype=np.uint16)
    texts = [f"{mm}e-3" for mm in range(TOO_FAR_MM)]
    np.testing.assert_array_equal(decode_depth_16u(depth_mm), np.array(texts, np.float32))


@settings(derandomize=True)
@given(arrays(np.float64, 50, elements=st.floats(0.001, FARTHEST_M)))
def test_there_and_back_is_within_a_millimetre_and_not_larger(depth_m):
    back = decode_depth_16u(encode_depth_16u(depth_m)).astype(np.float64)
    assert (depth_m - back < 1e-3 + 2 * ULP * depth_m).all()
    assert (back <= depth_m * (1 + 2 * ULP)).all()


def test_what_comes_back_may_be_a_millimetre_less_when_sent_again():
    """65.534 is stored as a float32 a little below it, and truncated: each trip may cost 1 mm."""
    again = encode_depth_16u(decode_depth_16u(np.arange(TOO_FAR_MM, dtype=np.uint16)))
    loss = np.arange(TOO_FAR_MM) - again.astype(int)
    assert set(loss.tolist()) == {0, 1}
    assert loss[65534] == 1


def test_sentinels_survive_a_round_trip():
    sentinels = np.array([0, np.inf], np.float32)
    np.testing.assert_array_equal(encode_depth_16u(sentinels), [TOO_CLOSE_MM, TOO_FAR_MM])
    np.testing.assert_array_equal(decode_depth_16u(encode_depth_16u(sentinels)), sentinels)


def test_a_sentinel_in_a_mean():
    """Case C47."""
    depth_mm = np.array([[1000, 1000], [65535, 1000]], np.uint16)
    assert depth_mm.mean() / 1000 == pytest.approx(17.13375)
    depth_m = decode_depth_16u(depth_mm)
    assert depth_m[np.isfinite(depth_m) & (depth_m > 0)].mean() == 1.0


def test_forty_metres_fit_unsigned_only():
    """Case C49."""
    forty = encode_depth_16u([40.0])
    assert forty.dtype == np.uint16
    assert forty.tolist() == [40000]
    assert forty.astype(np.int16).tolist() == [-25536]


def test_shapes_are_kept_and_lists_are_taken():
    assert encode_depth_16u(np.ones((3, 4, 1), np.float32)).shape == (3, 4, 1)
    assert decode_depth_16u(np.ones((3, 4, 1), np.uint16)).shape == (3, 4, 1)
    assert encode_depth_16u([1, 2]).tolist() == [1000, 2000]
    assert encode_depth_16u(1e300) == TOO_FAR_MM
    assert encode_depth_16u(np.zeros((0, 0))).shape == (0, 0)


@pytest.mark.parametrize(
    ("dtype", "says"),
    [
        ("uint8", "depth_m: expected metres as float32, got uint8; that is a picture, not metres"),
        ("int16", "depth_m: expected metres as float32, got int16; signed millimetres end at 32.7"),
        ("uint16", "depth_m: expected metres as float32, got uint16; are they millimetres already"),
        ("int32", "depth_m: expected metres as float32, got int32; are they millimetres already"),
        ("bool", "depth_m: expected real numbers, got bool"),
    ],
)
def test_what_is_not_metres_is_refused(dtype, says):
    with pytest.raises(TypeError, match=f"^{re.escape(says)}"):
        encode_depth_16u(np.ones((2, 2), dtype))


@pytest.mark.parametrize(
    ("dtype", "says"),
    [
        ("uint8", "got uint8; that is a picture, not metres"),
        (
            "int16",
            "got int16; signed millimetres end at 32.767 m, and 40 m wraps to -25536; write uint16 "
            "where they come from; where none is negative, .astype(np.uint16) keeps them",
        ),
        ("int64", "got int64; if they are millimetres from 0 to 65535, write .astype(np.uint16)"),
        ("float32", "got float32; are they metres? encode_depth_16u makes millimetres of metres"),
    ],
)
def test_what_is_not_16_bit_millimetres_is_refused(dtype, says):
    says = f"depth_mm: expected uint16 millimetres, {says}"
    with pytest.raises(TypeError, match=f"^{re.escape(says)}"):
        decode_depth_16u(np.ones((2, 2), dtype))


MASKED = np.ma.masked_equal(np.array([[0, 1200]], np.uint16), 0)


def test_a_mask_is_not_dropped():
    """NumPy would drop it, and give 0 m and 0 mm where nothing is known."""
    with pytest.raises(TypeError, match=r"^depth_mm: expected an array, got a masked one; try"):
        decode_depth_16u(MASKED)
    with pytest.raises(TypeError, match=r"^depth_m: expected an array, got a masked one; try"):
        encode_depth_16u(MASKED / 1000)


def test_millimetres_in_a_list_are_no_metres_either():
    rows = list(np.full((2, 3), 1200, np.uint16))
    with pytest.raises(TypeError, match=r"^depth_m: expected metres as float32, got uint16; are"):
        encode_depth_16u(rows)


def test_rows_of_different_lengths_are_told():
    for convert in (encode_depth_16u, decode_depth_16u):
        with pytest.raises(ValueError, match=r"expected an array, got rows of different lengths$"):
            convert([[1], [1, 2]])


@pytest.mark.parametrize("order", "<>")
def test_bytes_may_come_in_either_order(order):
    depth_mm = np.array([0, 1200, TOO_FAR_MM], f"{order}u2")
    assert decode_depth_16u(depth_mm).tolist() == [0, np.float32(1.2), np.inf]
    assert encode_depth_16u(np.array([1.5], f"{order}f4")).tolist() == [1500]


def test_every_float32_beside_a_whole_millimetre_is_multiplied_once_and_cut_off():
    """The product is exact in float64, so one rounding to float32 is what a renderer has."""
    near = (np.arange(TOO_FAR_MM + 2) / 1000).astype(np.float32)
    below, above = (np.nextafter(near, np.float32(end)) for end in (-np.inf, np.inf))
    for depth_m in (below, near, above):
        product = (depth_m.astype(np.float64) * 1000).astype(np.float32)
        cut_off = np.clip(product.astype(np.int64), TOO_CLOSE_MM, TOO_FAR_MM)
        np.testing.assert_array_equal(encode_depth_16u(depth_m), cut_off)
