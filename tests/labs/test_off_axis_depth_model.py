"""The model of the lab against closed forms, and against projection, which is the other way."""

import numpy as np
import pytest

from labs.off_axis_depth_model import (
    COLUMNS,
    FAN_RAD,
    OTHER_PIXELS,
    PIXEL_CENTRES,
    SAME_PIXELS,
    WALL_M,
    camera,
    model,
)

FOVS_DEG = [1.0, 50.0, 80.0, 90.0, 170.0]


def focal(fov_x_deg: float) -> float:
    return COLUMNS / (2 * np.tan(np.deg2rad(fov_x_deg) / 2))


@pytest.mark.parametrize("angle_deg", [-40, 0, 1, 17, 30, 45])
@pytest.mark.parametrize("distance_m", [0.5, 1.25, 2.0, 2.75])
@pytest.mark.parametrize("pixel_centre", PIXEL_CENTRES)
def test_depth_is_range_times_cosine(angle_deg, distance_m, pixel_centre):
    data = model(angle_deg=angle_deg, distance_m=distance_m, pixel_centre=pixel_centre)
    assert data.range_m == pytest.approx(distance_m, abs=1e-9)
    assert data.depth_m == pytest.approx(distance_m * np.cos(np.deg2rad(angle_deg)), abs=1e-9)


def test_two_metres_at_thirty_degrees_is_1_732_m():
    assert model(angle_deg=30, distance_m=2.0).depth_m == pytest.approx(np.sqrt(3), abs=1e-9)


def test_the_wall_is_flat_in_depth_and_bowed_in_range():
    data = model(angle_deg=0, distance_m=0.5)
    on_wall = np.abs(FAN_RAD) > 0.3  # beside the post
    np.testing.assert_allclose(data.fan_depth_m[on_wall], WALL_M, atol=1e-9)
    np.testing.assert_allclose(
        data.fan_range_m[on_wall], WALL_M / np.cos(FAN_RAD[on_wall]), atol=1e-9
    )


@pytest.mark.parametrize("fov_x_deg", FOVS_DEG)
@pytest.mark.parametrize("angle_deg", [0, 30])
def test_the_wall_bows_at_the_edge_of_the_view_as_its_range_exceeds_its_depth(fov_x_deg, angle_deg):
    # At 1 degree the post hides all of the wall, at angle 0: the wall's edge is meant all the same.
    data = model(angle_deg=angle_deg, distance_m=1.0, fov_x_deg=fov_x_deg)
    assert np.rad2deg(data.edge_rad) == pytest.approx(fov_x_deg / 2, abs=1e-12)
    assert data.bow_m == pytest.approx(
        WALL_M / np.cos(np.deg2rad(fov_x_deg) / 2) - WALL_M, rel=1e-12
    )


@pytest.mark.parametrize("fov_x_deg", FOVS_DEG)
def test_a_narrower_view_has_a_longer_focal_length(fov_x_deg):
    intrinsics = camera(fov_x_deg=fov_x_deg, rows=3)
    assert intrinsics.fx == intrinsics.fy == pytest.approx(focal(fov_x_deg), rel=1e-12)
    edge = WALL_M * np.tan(np.deg2rad(fov_x_deg) / 2)
    u, _v = intrinsics.project([[-edge, 0, WALL_M], [0, 0, WALL_M], [edge, 0, WALL_M]]).T
    np.testing.assert_allclose(u, [0, COLUMNS / 2, COLUMNS], atol=1e-9)


@pytest.mark.parametrize("pixel_centre", PIXEL_CENTRES)
@pytest.mark.parametrize("fov_x_deg", FOVS_DEG)
def test_the_wall_is_flat_in_the_cloud_from_depth_and_on_its_hits_if_pixels_agree(
    fov_x_deg, pixel_centre
):
    data = model(angle_deg=85, distance_m=0.5, fov_x_deg=fov_x_deg, pixel_centre=pixel_centre)
    on_wall = slice(COLUMNS // 2 + 1)  # the left half, as the post stands far on the right
    np.testing.assert_allclose(data.cloud[on_wall, 1], WALL_M, atol=1e-9)
    columns = (np.arange(COLUMNS) - (COLUMNS - 1) / 2) / focal(fov_x_deg)
    np.testing.assert_allclose(data.hits[on_wall, 0], WALL_M * columns[on_wall], atol=1e-9)
    np.testing.assert_allclose(
        data.wrong_cloud[on_wall, 1], WALL_M * np.hypot(1, columns[on_wall]), atol=1e-9
    )


@pytest.mark.parametrize("fov_x_deg", FOVS_DEG)
@pytest.mark.parametrize("angle_deg", [0, 30, 45])
def test_the_other_numbering_shifts_each_point_by_its_depth_over_two_fx(fov_x_deg, angle_deg):
    setting = {"angle_deg": angle_deg, "distance_m": 2.0, "fov_x_deg": fov_x_deg}
    same = model(**setting, pixel_centre=SAME_PIXELS)
    other = model(**setting, pixel_centre=OTHER_PIXELS)
    np.testing.assert_allclose(same.cloud, same.hits, rtol=0, atol=1e-9)
    for right, shifted in ((same.cloud, other.cloud), (same.wrong_cloud, other.wrong_cloud)):
        x, z = (right - shifted).T
        np.testing.assert_allclose(x, right[:, 1] / (2 * focal(fov_x_deg)), rtol=0, atol=1e-9)
        np.testing.assert_allclose(z, 0, rtol=0, atol=1e-9)
    assert same.shift_m == pytest.approx(0, abs=1e-12)
    assert other.shift_m == pytest.approx(other.depth_m / (2 * focal(fov_x_deg)), abs=1e-9)


@pytest.mark.parametrize("fov_x_deg", FOVS_DEG)
@pytest.mark.parametrize("angle_deg", [0, 30, 45])
def test_the_post_is_seen_half_a_pixel_lower_where_the_first_centre_is_0(fov_x_deg, angle_deg):
    setting = {"angle_deg": angle_deg, "distance_m": 2.0, "fov_x_deg": fov_x_deg}
    expected = focal(fov_x_deg) * np.tan(np.deg2rad(angle_deg)) + COLUMNS / 2
    assert model(**setting).column_px == pytest.approx(expected, abs=1e-9)
    other = model(**setting, pixel_centre=OTHER_PIXELS)
    assert other.column_px == pytest.approx(expected - 0.5, abs=1e-9)


def test_a_post_beyond_the_edge_is_out_of_view_and_has_no_column_in_the_image():
    inside = model(angle_deg=30, distance_m=2.0, fov_x_deg=70.0)
    outside = model(angle_deg=30, distance_m=2.0, fov_x_deg=50.0)
    assert inside.in_view
    assert inside.column_px < COLUMNS
    assert not outside.in_view
    assert outside.column_px > COLUMNS
    np.testing.assert_allclose(outside.hits[:, 1], WALL_M, atol=1e-9)  # no pixel sees the post


def test_nothing_measured_can_be_changed():
    data = model(angle_deg=30, distance_m=2.0)
    for array in (
        data.fan_range_m,
        data.fan_depth_m,
        data.hits,
        data.cloud,
        data.wrong_cloud,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"fov_x_deg": 180.0}, "fov_x_deg: expected an angle between 0 and 180 deg, got 180"),
        ({"fov_x_deg": 0}, "fov_x_deg: expected a positive, finite number in deg, got 0"),
        ({"pixel_centre": "half"}, "pixel_centre: got 'half', expected one of .*u \\+ 0.5"),
        ({"angle_deg": 100}, "expected forward rays"),
    ],
)
def test_refuses_what_no_camera_can_see(wrong, message):
    with pytest.raises(ValueError, match=message):
        model(**{"angle_deg": 30, "distance_m": 2.0} | wrong)
