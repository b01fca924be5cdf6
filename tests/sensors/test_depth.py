import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course.sensors.depth import depth_from_range, range_from_depth, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays

CAMERA = Intrinsics(
    width=5, height=3, fx=4.0, fy=4.0, cx=2.0, cy=1.0, pixel_centre=PixelCentre.INTEGER
)  # the optical axis goes through the centre of pixel (2, 1)
D_C = unit_rays(CAMERA)

ranges = arrays(np.float64, CAMERA.shape, elements=st.floats(1e-3, 1e6))


@settings(derandomize=True)
@given(ranges)
def test_depth_is_less_than_range_but_for_the_axis(range_m):
    depth_m = depth_from_range(range_m, D_C)
    on_axis = np.zeros(CAMERA.shape, bool)
    on_axis[1, 2] = True
    assert (depth_m[~on_axis] < range_m[~on_axis]).all()
    assert depth_m[1, 2] == range_m[1, 2]


@settings(derandomize=True)
@given(ranges)
def test_range_and_depth_are_inverse(range_m):
    there_and_back = range_from_depth(depth_from_range(range_m, D_C), D_C)
    np.testing.assert_allclose(there_and_back, range_m, rtol=4e-16)


def test_a_wall_that_faces_the_camera_has_one_depth_and_many_ranges():
    wall = np.full(CAMERA.shape, 2.0)
    range_m = range_from_depth(wall, D_C)
    assert range_m[1, 2] == 2.0
    assert range_m[0, 0] == pytest.approx(2 * np.sqrt(1 + 0.5**2 + 0.25**2))
    np.testing.assert_allclose(depth_from_range(range_m, D_C), wall, rtol=4e-16)


@settings(derandomize=True)
@given(ranges)
def test_unprojected_points_are_seen_in_their_pixels_at_their_depth(depth_m):
    p_C = unproject(depth_m, CAMERA)
    np.testing.assert_allclose(p_C[..., 2], depth_m, rtol=4e-16)
    np.testing.assert_allclose(CAMERA.project(p_C), CAMERA.pixel_centres(), atol=1e-12)


def test_what_is_not_there_stays_in_its_place():
    range_m = np.ones(CAMERA.shape)
    range_m[0, 0], range_m[2, 4], range_m[1, 2] = np.inf, np.nan, np.inf
    for convert in (depth_from_range, range_from_depth):
        result = convert(range_m, D_C)
        assert result[0, 0] == result[1, 2] == np.inf
        assert np.isnan(result[2, 4])
    points = unproject(depth_from_range(range_m, D_C), CAMERA)
    assert points.shape == (3, 5, 3)
    np.testing.assert_array_equal(np.isnan(points).any(axis=-1), ~np.isfinite(range_m))
    np.testing.assert_array_equal(np.isnan(points).all(axis=-1), ~np.isfinite(range_m))


def test_one_ray_and_no_rays():
    assert depth_from_range(5, (0.6, 0, 0.8)) == pytest.approx(4)
    assert depth_from_range(np.zeros(0), np.zeros((0, 3))).shape == (0,)


def test_precision_and_integers():
    single = unit_rays(CAMERA, "float32")
    assert depth_from_range(np.ones(CAMERA.shape, np.float32), single).dtype == np.float32
    assert depth_from_range(np.ones(CAMERA.shape, int), D_C).dtype == np.float64


def test_millimetres_are_not_taken_for_metres():
    message = (
        "depth_m: expected metres, got uint16; images of unsigned integers are mostly in mm: "
        "divide by 1000 first"
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        unproject(np.full(CAMERA.shape, 1500, np.uint16), CAMERA)


@pytest.mark.parametrize(
    ("range_m", "d_C", "message"),
    [
        (
            np.ones((5, 3)),
            D_C,
            "range_m: expected shape (3, 5), got (5, 3); "
            "rows and columns are swapped, images are (H, W)",
        ),
        (np.ones((3, 4)), D_C, "range_m: expected shape (3, 5), got (3, 4)"),
        (1.0, D_C, "range_m: expected shape (3, 5), got ()"),
        (np.ones(2), np.ones((2, 2)), "d_C: expected shape (..., 3), got (2, 2)"),
        (1.0, 1.0, "d_C: expected shape (..., 3), got ()"),
        (
            np.full((3, 5), -0.5),
            D_C,
            "range_m: expected 0 m or more (inf on a miss), got -0.5",
        ),
        ([-np.inf, 1], D_C[0, :2], "range_m: expected 0 m or more (inf on a miss), got -inf"),
        (
            [1.0],
            [(0, 0, 2)],
            "d_C: expected unit vectors, got [0.0, 0.0, 2.0] of length 2 at index (0,); "
            "normalise it first",
        ),
        (
            [1.0],
            [(0.6, 0, -0.8)],
            "d_C: expected forward rays, z > 0, got z = -0.8; is it in the camera frame C?",
        ),
        (
            [1.0],
            [(1, 0, 0)],
            "d_C: expected forward rays, z > 0, got z = 0; is it in the camera frame C?",
        ),
    ],
)
def test_what_cannot_be_is_refused(range_m, d_C, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        depth_from_range(range_m, d_C)


def test_messages_name_the_argument_that_came():
    with pytest.raises(ValueError, match=re.escape("depth_m: expected shape (3, 5), got (5, 3);")):
        unproject(np.ones((5, 3)), CAMERA)
    with pytest.raises(TypeError, match="depth_m: expected real numbers, got object"):
        unproject(np.full((3, 5), None), CAMERA)
    with pytest.raises(ValueError, match="depth_m: expected 0 m or more"):
        range_from_depth([-1.0], [(0, 0, 1)])


cameras = st.builds(
    Intrinsics,
    width=st.integers(1, 7),
    height=st.integers(1, 7),
    fx=st.floats(0.5, 1e4),
    fy=st.floats(0.5, 1e4),
    cx=st.floats(-10, 20),
    cy=st.floats(-10, 20),
    pixel_centre=st.sampled_from(PixelCentre),
)
points_in_front = st.tuples(st.floats(-100, 100), st.floats(-100, 100), st.floats(0.01, 1e3))


@settings(derandomize=True)
@given(cameras, points_in_front)
def test_unproject_project_is_the_point_itself(camera, p_C):
    """The image is cropped to one pixel, whose centre is where the point is seen."""
    u, v = camera.project(p_C).tolist()
    offset = camera.pixel_centre.value
    around = replace(
        camera, width=1, height=1, cx=camera.cx - u + offset, cy=camera.cy - v + offset
    )
    size = np.abs([u, v, camera.cx, camera.cy]).max() / min(camera.fx, camera.fy)  # of rounding
    np.testing.assert_allclose(
        unproject([[p_C[2]]], around)[0, 0], p_C, rtol=1e-14, atol=1e-15 * p_C[2] * (1 + size)
    )


@settings(derandomize=True)
@given(cameras, st.integers(0, 6), st.integers(0, 6), st.data())
def test_depth_is_at_most_range_and_equal_on_the_axis_only(camera, column, row, data):
    column, row = column % camera.width, row % camera.height
    offset = camera.pixel_centre.value
    centred = replace(camera, cx=column + offset, cy=row + offset)  # its axis goes through a pixel
    range_m = data.draw(arrays(np.float64, camera.shape, elements=st.floats(1e-3, 1e6)))
    depth_m = depth_from_range(range_m, unit_rays(centred))
    on_axis = np.zeros(camera.shape, bool)
    on_axis[row, column] = True
    np.testing.assert_array_equal(depth_m == range_m, on_axis)
    assert (depth_m <= range_m).all()


def test_two_rows_of_a_wall_of_which_one_is_range():
    """Case C29: at 0, 30 and 45 degrees; range unprojected as depth makes a bowl of the wall."""
    angles = np.deg2rad([0, 30, 45])
    d_C = np.stack([np.sin(angles), np.zeros(3), np.cos(angles)], axis=1)
    np.testing.assert_allclose(range_from_depth([2, 2, 2], d_C), [2, 2.3094, 2.8284], atol=5e-5)
    bowl = range_from_depth([2, 2.3094, 2.8284], d_C)
    np.testing.assert_allclose(bowl, [2, 2.6667, 4], atol=1e-4)


def test_a_wide_angle_tells_depth_from_range():
    """Case C31: two types of depth image that agree everywhere are one, whatever they are called."""
    wide = Intrinsics.from_vertical_fov(
        width=64, height=64, fov_y_rad=np.pi / 2, pixel_centre=PixelCentre.HALF
    )
    range_m = range_from_depth(np.full(wide.shape, 2.0), unit_rays(wide))
    assert range_m[0, 0] == pytest.approx(3.43, abs=5e-3)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
def test_integers_as_images_have_them_are_not_taken_for_metres_with_or_without_a_sign(kind):
    message = f"depth_m: expected metres, got {np.dtype(kind)}; images of integers are mostly in mm"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        unproject(np.full(CAMERA.shape, 100, kind), CAMERA)


def test_points_want_intrinsics_and_not_a_matrix():
    with pytest.raises(
        TypeError, match=r"^intrinsics: expected Intrinsics\(.*got ndarray; a matrix"
    ):
        unproject(np.ones((3, 5)), np.eye(3))
