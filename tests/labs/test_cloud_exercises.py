"""Clouds: the references agree with the course's own camera, and style does not matter."""

from math import hypot, isfinite, nan, tan

import numpy as np
import pytest

from course.sensors.cloud import cloud_from_depth
from course.sensors.depth import range_from_depth, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.teaching.judge import judge
from labs.cloud_exercises import POINTS_FROM_DEPTH, REPAIR_CLOUD


def camera(height: int, width: int, fov_y_rad: float, pixel_centre: PixelCentre) -> Intrinsics:
    return Intrinsics.from_vertical_fov(
        width=width, height=height, fov_y_rad=fov_y_rad, pixel_centre=pixel_centre
    )


@pytest.mark.parametrize("pixel_centre", PixelCentre)
def test_points_are_those_of_the_camera_however_it_numbers_its_pixels(pixel_centre):
    for case in POINTS_FROM_DEPTH.cases(seed=1):
        depth_m = case["depth_m"]
        seen = unproject(depth_m, camera(*depth_m.shape, case["fov_y_rad"], pixel_centre))
        np.testing.assert_allclose(
            POINTS_FROM_DEPTH.reference(**case), seen.reshape(-1, 3).T, rtol=1e-13, atol=1e-13
        )


def test_a_cloud_from_ranges_becomes_the_cloud_from_depths():
    rng = np.random.default_rng(10)
    intrinsics = camera(5, 8, 1.2, PixelCentre.HALF)
    depth_m = rng.uniform(0.5, 6, intrinsics.shape)
    depth_m[1, 2] = np.inf
    wrong = unproject(range_from_depth(depth_m, unit_rays(intrinsics)), intrinsics)
    repaired = REPAIR_CLOUD.reference(points=wrong.reshape(-1, 3))
    right = unproject(depth_m, intrinsics).reshape(-1, 3)
    assert np.nanmax(np.abs(wrong.reshape(-1, 3) - right)) > 0.5
    np.testing.assert_allclose(repaired, right, rtol=1e-13, atol=1e-13)


def test_the_worked_cloud_is_a_wall_at_two_metres_seen_at_30_and_45_degrees():
    wrong = REPAIR_CLOUD.fixed[0]["points"]
    np.testing.assert_allclose(wrong[:, 2], 2 / np.cos(np.deg2rad([30, 45])), rtol=1e-15)
    np.testing.assert_allclose(
        REPAIR_CLOUD.reference(wrong), [[2 / 3**0.5, 0, 2], [2, 0, 2]], rtol=1e-15, atol=0
    )


def pixel_by_pixel(depth_m, fov_y_rad):
    height, width = depth_m.shape
    f = height / (2 * tan(fov_y_rad / 2))
    points = []
    for v in range(height):
        for u in range(width):
            z = float(depth_m[v, u])
            if isfinite(z):
                points.append([(u + 0.5 - width / 2) * z / f, (v + 0.5 - height / 2) * z / f, z])
            else:
                points.append([nan, nan, nan])
    return [list(row) for row in zip(*points, strict=True)]


def with_a_mesh_grid_in_float32(depth_m, fov_y_rad):
    height, width = depth_m.shape
    u, v = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    step = np.float32(2 * np.tan(fov_y_rad / 2) / height)
    rays = np.stack([(u - (width - 1) / 2) * step, (v - (height - 1) / 2) * step, np.ones_like(u)])
    points = (rays * depth_m.astype(np.float32)).reshape(3, -1)
    points[:, ~np.isfinite(points[2])] = np.nan
    return points


def with_the_inverse_of_a_matrix(depth_m, fov_y_rad):
    height, width = depth_m.shape
    f = height / 2 / np.tan(fov_y_rad / 2)
    K = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1]])
    v, u = np.divmod(np.arange(depth_m.size), width)
    pixels = np.stack([u + 0.5, v + 0.5, np.ones(depth_m.size)])
    return np.linalg.inv(K) @ pixels * np.where(np.isinf(depth_m), np.nan, depth_m).ravel()


def point_by_point(points):
    right = []
    for x, y, z in points.tolist():
        shrink = z / hypot(x, y, z)
        right.append((x * shrink, y * shrink, z * shrink))
    return right


def by_direction_and_depth(points):
    """The direction of each ray has z = 1; its length times depth is the range, which stands in z."""
    directions = points / points[:, [2]]
    depth = points[:, 2] / np.sqrt(np.sum(directions**2, axis=1))
    return directions * depth[:, None]


def in_float32(points):
    points = points.astype(np.float32)
    return points * (points[:, 2] / np.linalg.norm(points, axis=1))[:, np.newaxis]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (POINTS_FROM_DEPTH, pixel_by_pixel),
        (POINTS_FROM_DEPTH, with_a_mesh_grid_in_float32),
        (POINTS_FROM_DEPTH, with_the_inverse_of_a_matrix),
        (REPAIR_CLOUD, point_by_point),
        (REPAIR_CLOUD, by_direction_and_depth),
        (REPAIR_CLOUD, in_float32),
    ],
    ids=lambda thing: getattr(thing, "name", None) or thing.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise, answer):
    for seed in range(5):
        assert str(judge(exercise, answer, seed=seed)) == str(judge(exercise, exercise.reference))


def test_numbers_called_by_the_wrong_name_have_no_name():
    """A pinhole of another focal length is none of the mistakes that are known."""

    def ten_percent_wider(depth_m, fov_y_rad):
        return POINTS_FROM_DEPTH.reference(depth_m, 1.1 * fov_y_rad)

    text = str(judge(POINTS_FROM_DEPTH, ten_percent_wider))
    assert "wrong - not a mistake that this exercise knows by name" in text
    assert "element [0, 0]: received -2.34" in text


def test_the_cloud_of_the_course_marks_a_miss_otherwise_and_that_has_a_name():
    def with_the_course(depth_m, fov_y_rad):
        intrinsics = camera(*depth_m.shape, fov_y_rad, PixelCentre.HALF)
        return cloud_from_depth(depth_m, intrinsics).xyz

    assert judge(POINTS_FROM_DEPTH, with_the_course).reason == "a miss at (inf, inf, inf)"


def test_a_repair_of_copies_leaves_the_cloud_as_it_was():
    def repairs_copies(points):
        for point in points:
            point = point * point[2] / np.linalg.norm(point)
        return points

    assert judge(REPAIR_CLOUD, repairs_copies).reason == "left as it was"
