"""Two ranges: the reference reports what the course's own camera reports of a plate and a wall."""

import math

import numpy as np
import pytest

from course.sensors.camera import cast_image
from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.sensors.ranges import ClippingRange, DepthRange, measured_depth
from course.teaching.judge import judge
from course.world.embree import EmbreeCaster
from course.world.poses import IDENTITY, pose
from course.world.scene import Body, Scene
from course.world.shapes import Box
from labs.clipping_exercises import CAMERA_READING, NEAR_PLANE_AT_THE_MINIMUM

PLATE_M, WALL_M = 0.05, 2.0
FAR, MINIMUM, MAXIMUM = 10.0, 0.1, 5.0


def reported_by_a_camera(near: float) -> float:
    """What its one pixel says of a plate, 0.05 m away, and of the wall behind it."""
    pixel = Intrinsics(width=1, height=1, fx=1, fy=1, cx=0.5, cy=0.5, pixel_centre=PixelCentre.HALF)
    scene = Scene(
        (
            Body(
                name="plate",
                shape=Box((1, 1, 0.01)),
                X_WB=pose(translation=[0, 0, PLATE_M + 0.005]),
                label=1,
            ),
            Body(
                name="wall",
                shape=Box((9, 9, 1)),
                X_WB=pose(translation=[0, 0, WALL_M + 0.5]),
                label=2,
            ),
        )
    )
    image = cast_image(
        EmbreeCaster(scene), pixel, IDENTITY, clipping=ClippingRange(near=near, far=FAR)
    )
    reading = measured_depth(image.depth_m, DepthRange(minimum=MINIMUM, maximum=MAXIMUM))
    return float(reading[0, 0])


def answered(near: float) -> float:
    surfaces_m = np.array([[WALL_M, PLATE_M + 0.01, PLATE_M]])
    return float(CAMERA_READING.reference(surfaces_m, near, FAR, MINIMUM, MAXIMUM)[0])


@pytest.mark.parametrize(("near", "reading"), [(0.01, 0.0), (0.1, 2.0)])
def test_the_reference_reports_what_the_camera_reports(near, reading):
    assert reported_by_a_camera(near) == pytest.approx(reading, abs=1e-6)
    assert answered(near) == reading


def test_the_camera_settles_the_prediction():
    chosen = NEAR_PLANE_AT_THE_MINIMUM.settled_by(reported_by_a_camera(near=MINIMUM))
    assert NEAR_PLANE_AT_THE_MINIMUM.choices[chosen].value == 2.0


def test_it_is_the_measured_depth_of_what_is_drawn():
    for case in CAMERA_READING.cases(seed=6):
        near, far, minimum, maximum = (case[n] for n in ("near", "far", "minimum", "maximum"))
        drawn = [
            min((s for s in pixel if near <= s <= far), default=math.inf)
            for pixel in case["surfaces_m"].tolist()
        ]
        np.testing.assert_array_equal(
            CAMERA_READING.reference(**case),
            measured_depth(drawn, DepthRange(minimum=minimum, maximum=maximum)),
        )


def test_every_case_has_its_ranges_in_order_and_stays_clear_of_their_ends():
    for seed in range(20):
        for case in CAMERA_READING.cases(seed):
            ends = [case[name] for name in ("near", "minimum", "maximum", "far")]
            assert ends == sorted(ends)
            distance = np.abs(case["surfaces_m"][..., np.newaxis] - ends)
            assert distance.min() > 5e-3


def pixel_by_pixel(surfaces_m, near, far, minimum, maximum):
    readings = []
    for pixel in surfaces_m.tolist():
        nearest = math.inf
        for surface in sorted(pixel):
            if near < surface < far:
                nearest = surface
                break
        if nearest < minimum:
            nearest = 0
        elif nearest > maximum:
            nearest = math.inf
        readings.append(nearest)
    return readings


def sorted_in_float32(surfaces_m, near, far, minimum, maximum):
    surfaces_m = surfaces_m.astype(np.float32)
    surfaces_m[(surfaces_m < near) | (surfaces_m > far)] = np.inf
    surfaces_m.sort(axis=1)
    nearest = surfaces_m[:, 0]
    return np.select([nearest < minimum, nearest <= maximum], [np.float32(0), nearest], np.inf)


@pytest.mark.parametrize("answer", [pixel_by_pixel, sorted_in_float32])
def test_a_right_answer_in_another_style_gets_the_same_text(answer):
    right = str(judge(CAMERA_READING, CAMERA_READING.reference))
    for seed in range(20):
        assert str(judge(CAMERA_READING, answer, seed=seed)) == right
