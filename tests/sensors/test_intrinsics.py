import math
import re

import numpy as np
import pytest

from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays

BOTH = list(PixelCentre)


def camera(pixel_centre=PixelCentre.HALF, **changes):
    values = {"width": 8, "height": 6, "fx": 5.0, "fy": 7.0, "cx": 3.2, "cy": 2.7}
    return Intrinsics(**values | changes, pixel_centre=pixel_centre)


def test_the_pixel_convention_has_no_default():
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'pixel_centre'"):
        Intrinsics(width=8, height=6, fx=5, fy=5, cx=4, cy=3)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'pixel_centre'"):
        Intrinsics.from_vertical_fov(width=8, height=6, fov_y_rad=1.0)


def test_where_the_centre_of_the_first_pixel_is():
    assert camera(PixelCentre.HALF).pixel_centres()[0, 0].tolist() == [0.5, 0.5]
    assert camera(PixelCentre.INTEGER).pixel_centres()[0, 0].tolist() == [0, 0]


def test_pixel_u_v_is_in_column_u_and_row_v():
    centres = camera(PixelCentre.INTEGER).pixel_centres()
    assert centres.shape == (6, 8, 2)
    assert centres[4, 7].tolist() == [7, 4]


def test_the_principal_point_is_in_the_middle_under_either_convention():
    for pixel_centre, cx, cy in ((PixelCentre.HALF, 4, 3), (PixelCentre.INTEGER, 3.5, 2.5)):
        made = Intrinsics.from_vertical_fov(
            width=8, height=6, fov_y_rad=1.0, pixel_centre=pixel_centre
        )
        assert (made.cx, made.cy) == (cx, cy)


def test_the_convention_moves_the_principal_point_and_no_ray():
    half, integer = (
        Intrinsics.from_vertical_fov(width=8, height=6, fov_y_rad=1.0, pixel_centre=c) for c in BOTH
    )
    np.testing.assert_array_equal(unit_rays(half), unit_rays(integer))


def test_mixing_conventions_shifts_points_by_half_a_pixel():
    """The error that the explicit argument is for: z / (2 f) metres to one side."""
    d_half, d_integer = (unit_rays(camera(pixel_centre)) for pixel_centre in BOTH)
    p_half, p_integer = (d / d[..., 2:] for d in (d_half, d_integer))  # at depth 1 m
    shift = np.broadcast_to([0.5 / 5.0, 0.5 / 7.0, 0], p_half.shape)
    np.testing.assert_allclose(p_half - p_integer, shift, atol=1e-15)


@pytest.mark.parametrize("pixel_centre", BOTH)
def test_the_fov_reaches_from_edge_to_edge_of_the_image(pixel_centre):
    made = Intrinsics.from_vertical_fov(
        width=8, height=6, fov_y_rad=math.radians(60), pixel_centre=pixel_centre
    )
    edge = np.tan(math.radians(30))
    top, bottom = made.project([(0, -edge, 1), (0, edge, 1)])[:, 1]
    first, last = made.pixel_centres()[[0, -1], 0, 1]
    assert (top, bottom) == pytest.approx((first - 0.5, last + 0.5))


@pytest.mark.parametrize("pixel_centre", BOTH)
def test_a_ray_is_seen_in_its_own_pixel(pixel_centre):
    made = camera(pixel_centre)
    distance = np.random.default_rng(0).uniform(0.1, 50, size=(*made.shape, 1))
    seen = made.project(distance * unit_rays(made))
    np.testing.assert_allclose(seen, made.pixel_centres(), atol=1e-13)


def test_rays_are_unit_forward_kept_and_read_only():
    rays = unit_rays(camera())
    assert rays.shape == (6, 8, 3)
    np.testing.assert_allclose(np.linalg.norm(rays, axis=-1), 1, rtol=1e-15)
    assert (rays[..., 2] > 0).all()
    assert unit_rays(camera()) is rays
    assert not rays.flags.writeable
    assert unit_rays(camera(), "float32").dtype == np.float32


def test_x_is_right_and_y_is_down():
    rays = unit_rays(camera())
    assert (np.diff(rays[0, :, 0]) > 0).all()
    assert (np.diff(rays[:, 0, 1]) > 0).all()


def test_points_that_are_not_in_front_are_seen_nowhere():
    points = [[(0, 0, 1), (0, 0, 0)], [(1, 1, -1), (np.nan, 0, 1)]]
    seen = camera().project(points)
    assert seen.shape == (2, 2, 2)
    assert seen[0, 0].tolist() == [3.2, 2.7]
    assert np.isnan(seen[0, 1]).all()
    assert np.isnan(seen[1, 0]).all()
    assert np.isnan(seen[1, 1]).any()
    assert camera().project(np.zeros((0, 3))).shape == (0, 2)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"width": 0}, ValueError, "width: expected at least 1, got 0"),
        ({"height": 480.0}, TypeError, "height: expected a whole number, got 480.0"),
        ({"fx": 0}, ValueError, "fx: expected a positive, finite number in pixels, got 0"),
        ({"fy": np.nan}, ValueError, "fy: expected a number in pixels, got nan"),
        ({"cx": np.inf}, ValueError, "cx: expected a finite number in pixels, got inf"),
        ({"cy": "3"}, TypeError, "cy: expected a number in pixels, got '3'"),
        (
            {"pixel_centre": 0.5},
            TypeError,
            "pixel_centre: expected PixelCentre.HALF or PixelCentre.INTEGER, got 0.5",
        ),
    ],
)
def test_impossible_cameras_are_refused(changes, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        camera(**changes)


@pytest.mark.parametrize(
    ("fov", "message"),
    [
        (
            60,
            "fov_y_rad: expected an angle between 0 and pi rad, got 60; "
            "if that is in degrees, pass math.radians(60)",
        ),
        (0, "fov_y_rad: expected a positive, finite number in rad, got 0"),
        (-1, "fov_y_rad: expected a positive, finite number in rad, got -1"),
        (np.nan, "fov_y_rad: expected a number in rad, got nan"),
    ],
)
def test_impossible_angles_are_refused(fov, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Intrinsics.from_vertical_fov(
            width=8, height=6, fov_y_rad=fov, pixel_centre=PixelCentre.HALF
        )


def test_project_wants_points():
    with pytest.raises(ValueError, match=re.escape("p_C: expected shape (..., 3), got (2,)")):
        camera().project([1, 2])


@pytest.mark.parametrize(
    ("no_intrinsics", "message"),
    [
        (
            np.eye(3),
            "intrinsics: expected Intrinsics(width=, height=, ...), got ndarray; "
            "a matrix says neither the size of the image nor where pixel centres lie",
        ),
        (None, "intrinsics: expected Intrinsics(width=, height=, ...), got NoneType"),
        ((8, 6), "intrinsics: expected Intrinsics(width=, height=, ...), got tuple"),
    ],
    ids=["K", "None", "size"],
)
def test_rays_want_intrinsics(no_intrinsics, message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        unit_rays(no_intrinsics)


def test_rays_come_in_two_precisions():
    message = 'precision: expected "float32" or "float64", got \'float16\''
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        unit_rays(camera(), "float16")
