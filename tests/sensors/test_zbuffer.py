import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.sensors.ranges import ClippingRange
from course.sensors.zbuffer import (
    ZBuffer,
    depth_from_zbuffer,
    zbuffer_from_depth,
    zbuffer_step,
)

CLIPPING = ClippingRange(near=0.1, far=10)
NEAR_FIRST, CLIP_SPACE, REVERSED = ZBuffer
FORMS = list(ZBuffer)

every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
clippings = st.builds(
    lambda near, ratio: ClippingRange(near=near, far=near * ratio),
    near=st.floats(1e-4, 10),
    ratio=st.floats(1.001, 1e7),
)
parts = st.floats(0, 1)


@pytest.mark.parametrize(
    ("buffer", "depth_m", "form"),
    [
        # Bullet, pybullet 3.2.7, getCameraImage (case C33), and its digits at other depths
        (0.8838384, 0.8, NEAR_FIRST),
        (0.9595960, 2.0, NEAR_FIRST),
        (0.80808079, 0.5, NEAR_FIRST),
        (0.909091, 1.0, NEAR_FIRST),
        (0.98989892, 5.0, NEAR_FIRST),
        (0.9988777, 9.0, NEAR_FIRST),
        # the same in the other forms; case C39
        (0.0404040, 2.0, REVERSED),
        (2 * 0.9595960 - 1, 2.0, CLIP_SPACE),
    ],
)
def test_values_that_engines_gave(buffer, depth_m, form):
    error = 5e-7 if buffer == 0.909091 else 1.2e-7  # of b: its last digit, two steps of float32
    slope = depth_m**2 * 9.9  # dz/db, m
    assert zbuffer_from_depth(depth_m, CLIPPING, form) == pytest.approx(buffer, abs=error)
    assert depth_from_zbuffer(buffer, CLIPPING, form) == pytest.approx(depth_m, abs=slope * error)


@every_form
def test_the_far_value_means_that_nothing_was_drawn(form):
    """Case C41: kept as 10 m, it is a wall of points at the far plane."""
    empty = np.full((8, 8), form.value[1])
    assert np.isposinf(depth_from_zbuffer(empty, CLIPPING, form)).all()
    bare = depth_from_zbuffer(empty, CLIPPING, form, nothing_drawn="far")
    assert (bare == 10.0).all()
    almost = np.nextafter(form.value[1], form.value[0])  # a surface just before the far plane
    assert depth_from_zbuffer(almost, CLIPPING, form) == pytest.approx(10, rel=1e-12)


@every_form
@given(clipping=clippings)
@settings(derandomize=True)
def test_the_ends_of_the_interval_are_the_planes(form, clipping):
    at_near, at_far = form.value
    assert depth_from_zbuffer(at_near, clipping, form) == pytest.approx(clipping.near, rel=1e-15)
    assert depth_from_zbuffer(at_far, clipping, form, nothing_drawn="far") == clipping.far
    ends = [clipping.near, clipping.far, np.inf]
    np.testing.assert_allclose(
        zbuffer_from_depth(ends, clipping, form), [at_near, at_far, at_far], atol=1e-15
    )


@given(b=parts, clipping=clippings)
@settings(derandomize=True)
def test_depth_is_that_of_exact_arithmetic(b, clipping):
    near, far = Fraction(clipping.near), Fraction(clipping.far)
    exact = far * near / (far - (far - near) * Fraction(b))
    found = depth_from_zbuffer(b, clipping, NEAR_FIRST, nothing_drawn="far")
    assert float(found) == pytest.approx(float(exact), rel=1e-15)


@every_form
@given(part=parts, clipping=clippings)
@settings(derandomize=True)
def test_there_and_back(form, part, clipping):
    """To the rounding of b, which costs z^2 (far - near) / (far near) of depth."""
    depth = clipping.near + part * (clipping.far - clipping.near)
    depth = min(depth, clipping.far)
    stored = zbuffer_from_depth(depth, clipping, form)
    back = depth_from_zbuffer(stored, clipping, form, nothing_drawn="far")
    slope = depth**2 * (clipping.far - clipping.near) / (clipping.far * clipping.near)
    assert abs(back - depth) <= 1e-15 * (depth + slope)


@given(part=parts, clipping=clippings)
@settings(derandomize=True)
def test_the_forms_hold_the_same(part, clipping):
    depth = min(clipping.near + part * (clipping.far - clipping.near), clipping.far)
    b, ndc, reverse = (float(zbuffer_from_depth(depth, clipping, form)) for form in FORMS)
    assert ndc == pytest.approx(2 * b - 1, abs=1e-15)
    assert reverse == pytest.approx(1 - b, abs=1e-15)


def test_most_of_the_buffer_is_spent_close_to_the_near_plane():
    assert zbuffer_from_depth(0.2, CLIPPING, NEAR_FIRST) == pytest.approx(0.505, abs=1e-3)


@pytest.mark.parametrize(
    ("near", "far", "step_m"),
    [
        (0.1, 10, 1.5e-5),
        (0.01, 100, 1.5e-4),
        (1e-3, 100, 1.5e-3),
        (1e-3, 1000, 1.5e-3),
        (1e-4, 1000, 1.5e-2),
    ],
)
def test_one_step_of_float32_at_five_metres(near, far, step_m):
    """Measured on the buffers of pybullet 3.2.7."""
    clipping = ClippingRange(near=near, far=far)
    assert zbuffer_step(5.0, clipping, float32=True) == pytest.approx(step_m, rel=0.02)


@given(
    part=st.floats(0.01, 0.99),
    clipping=clippings.filter(lambda c: c.far > 1.1 * c.near),
    form=st.sampled_from(FORMS),
)
@settings(derandomize=True)
def test_one_step_of_float32_is_to_the_next_float32(part, clipping, form):
    stored = zbuffer_from_depth(
        clipping.near + part * (clipping.far - clipping.near), clipping, form
    ).astype(np.float32)
    at_near = np.float32(form.value[0])
    assert stored != at_near
    here, nearer = depth_from_zbuffer(
        [stored, np.nextafter(stored, at_near)], clipping, form, nothing_drawn="far"
    )
    step = zbuffer_step(here, clipping, float32=True, form=form)
    # What float64 loses on the way: two depths of that size, each through a buffer
    noise = 4e-16 * (here + here**2 / clipping.near)
    assert here - nearer == pytest.approx(step, rel=1e-6, abs=noise)


@pytest.mark.parametrize("bits", [8, 16, 24])
def test_one_step_of_whole_numbers_is_to_the_next_whole_number(bits):
    clipping = ClippingRange(near=0.01, far=100)
    largest = 2**bits - 1
    stored = np.unique(np.linspace(1, largest, 100).astype(int))
    here, nearer = (
        depth_from_zbuffer(n / largest, clipping, NEAR_FIRST, nothing_drawn="far")
        for n in (stored, stored - 1)
    )
    steps = [zbuffer_step(here, clipping, bits=bits, form=form) for form in FORMS]
    np.testing.assert_allclose(steps[0], here - nearer, rtol=1e-6)
    np.testing.assert_allclose(steps, [steps[0]] * 3)  # equal steps in every form
    assert steps[0][-1] < clipping.far


def test_surfaces_within_a_step_share_a_value():
    """A plate before a wall at 5 m, near 1e-4, far 1000: told apart at 0.1 m, and not at 0.01 m.

    Drake 1.51.1 and 1.57.0 (VTK) got all labels right at 0.1 m, and none at 0.01 m.
    """
    clipping = ClippingRange(near=1e-4, far=1000)
    step = zbuffer_step(5.0, clipping, bits=24)
    assert 0.01 < step < 0.1
    wall, fine, coarse = np.round(
        zbuffer_from_depth([5.0, 4.99, 4.9], clipping, NEAR_FIRST) * (2**24 - 1)
    )
    assert wall - fine <= 1
    assert wall - coarse >= 2


def test_reversed_float32_is_fine_where_the_others_are_coarse():
    clipping = ClippingRange(near=1e-3, far=1000)
    usual, turned = (
        zbuffer_step([1.0, 10.0, 100.0], clipping, float32=True, form=form)
        for form in (NEAR_FIRST, REVERSED)
    )
    assert (turned < 1.2e-7 * np.array([1, 10, 100]) * 1.2).all()  # relative, as a float32 is
    assert (usual / turned > 100).all()


@pytest.mark.parametrize(
    ("buffer", "form", "error", "message"),
    [
        (
            -0.5,
            NEAR_FIRST,
            ValueError,
            "buffer: expected values from 0 to 1 for ZERO_TO_ONE, got -0.5; "
            "is it ZBuffer.MINUS_ONE_TO_ONE?",
        ),
        (
            [0.5, 2.0],
            REVERSED,
            ValueError,
            "buffer: expected values from 0 to 1 for REVERSED, got 2; "
            "is it depth in metres already?",
        ),
        (
            [np.nan],
            CLIP_SPACE,
            ValueError,
            "buffer: expected values from -1 to 1 for MINUS_ONE_TO_ONE, got nan; "
            "was it drawn with near = 0?",
        ),
        (
            np.array([7], np.uint16),
            NEAR_FIRST,
            TypeError,
            "buffer: expected real numbers, got uint16; divide by the largest value that the "
            "buffer can hold, such as 2**16 - 1",
        ),
        (
            0.5,
            "reversed",
            TypeError,
            "form: expected one of ZBuffer.ZERO_TO_ONE, ZBuffer.MINUS_ONE_TO_ONE, "
            "ZBuffer.REVERSED, got 'reversed'",
        ),
    ],
)
def test_what_no_buffer_of_the_form_holds_is_refused(buffer, form, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        depth_from_zbuffer(buffer, CLIPPING, form)


def test_the_form_has_no_default_and_what_is_empty_is_one_of_two():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'form'"):
        depth_from_zbuffer(0.5, CLIPPING)
    with pytest.raises(ValueError, match=r'^nothing_drawn: expected "inf" or "far", got 0$'):
        depth_from_zbuffer(0.5, CLIPPING, NEAR_FIRST, nothing_drawn=0)
    with pytest.raises(TypeError, match=r"^clipping: expected ClippingRange\(near=, far=\), got"):
        depth_from_zbuffer(0.5, (0.1, 10), NEAR_FIRST)


@pytest.mark.parametrize("depth_m", [0.05, 11.0, 0.0, np.nan])
def test_what_is_not_drawn_is_in_no_buffer(depth_m):
    message = (
        "depth_m: expected depths from 0.1 to 10 m, or inf where nothing is drawn, "
        f"got {depth_m:g}; a renderer does not draw what lies outside"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        zbuffer_from_depth([1.0, depth_m], CLIPPING, NEAR_FIRST)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        zbuffer_step([1.0, depth_m], CLIPPING, bits=24)


def test_a_step_is_of_one_storage_and_at_a_depth():
    for storage in ({}, {"bits": 24, "float32": True}):
        with pytest.raises(TypeError, match=r"^zbuffer_step: expected either bits=24"):
            zbuffer_step(1.0, CLIPPING, **storage)
    with pytest.raises(ValueError, match=r"^bits: expected at most 32, got 64$"):
        zbuffer_step(1.0, CLIPPING, bits=64)
    with pytest.raises(ValueError, match=r"^bits: expected at least 1, got 0$"):
        zbuffer_step(1.0, CLIPPING, bits=0)
    with pytest.raises(ValueError, match=r"^depth_m: expected finite depths, got inf"):
        zbuffer_step(np.inf, CLIPPING, bits=24)


def test_shapes_are_kept():
    image = np.full((3, 4), 0.5, np.float32)
    assert depth_from_zbuffer(image, CLIPPING, NEAR_FIRST).shape == (3, 4)
    assert depth_from_zbuffer(image, CLIPPING, NEAR_FIRST).dtype == np.float64
    assert zbuffer_step(image, CLIPPING, bits=16).shape == (3, 4)
    assert zbuffer_from_depth(np.zeros((0, 3)), CLIPPING, REVERSED).shape == (0, 3)


@pytest.mark.parametrize("form", ZBuffer)
def test_planes_as_far_apart_as_floats_go_lose_no_depth(form):
    """No product of two depths is formed, so none overflows to inf, nan or a step of 0."""
    wide = ClippingRange(near=0.1, far=1e300)
    depth_m = np.array([0.1, 0.3, 5.0])
    with np.errstate(all="raise", under="ignore"):
        stored = zbuffer_from_depth(depth_m, wide, form)
        step = zbuffer_step([5.0, 1e200], ClippingRange(near=5.0, far=1e200), bits=24)
    np.testing.assert_allclose(depth_from_zbuffer(stored, wide, form), depth_m, rtol=1e-14)
    # A step s in b is s / near in 1 / z: from the near plane near s / (1 + s), from afar all the way.
    np.testing.assert_allclose(step[1], 1e200, rtol=1e-12)
    np.testing.assert_allclose(step[0], 5 / 2**24, rtol=1e-12)


def test_a_buffer_is_an_array_without_a_mask():
    with pytest.raises(ValueError, match=r"^buffer: expected an array, got rows of different"):
        depth_from_zbuffer([[0.5], [0.5, 0.5]], CLIPPING, NEAR_FIRST)
    with pytest.raises(TypeError, match=r"^buffer: expected an array, got a masked one"):
        depth_from_zbuffer(np.ma.masked_equal([0.5, 1.0], 1.0), CLIPPING, NEAR_FIRST)
