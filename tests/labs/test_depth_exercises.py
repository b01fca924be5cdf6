"""One ray and one range image: style does not matter, and a mistake without a name is told by its place."""

from math import cos

import numpy as np
import pytest

from course.teaching.exercise import Exercise
from course.teaching.judge import UNNAMED, judge
from labs.depth_exercises import AXIAL_DEPTH, DEPTH_IMAGE


def in_lists(range_m, angle_rad):
    if np.ndim(range_m) == 0:
        return range_m * cos(angle_rad)
    return [r * cos(a) for r, a in zip(range_m, angle_rad, strict=True)]


def by_pythagoras(range_m, angle_rad):
    with np.errstate(invalid="ignore"):
        z = np.sqrt(range_m**2 - (range_m * np.sin(angle_rad)) ** 2)
    return np.where(np.isinf(range_m), np.inf, z)


def in_float32(range_m, angle_rad):
    return np.float32(range_m) * np.cos(np.float32(angle_rad))


def pixel_by_pixel(range_m, fx, fy, cx, cy):
    depth = []
    for v, row in enumerate(range_m.tolist()):
        depth.append([])
        for u, r in enumerate(row):
            ray = np.array([(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy, 1])
            depth[-1].append(r / float(np.linalg.norm(ray)))
    return depth


def with_a_mesh_grid(range_m, fx, fy, cx, cy):
    height, width = range_m.shape
    v, u = np.mgrid[:height, :width].astype(np.float32)
    rays = np.stack([(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy, np.ones_like(u)])
    return range_m * (rays / np.linalg.norm(rays, axis=0))[2]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (AXIAL_DEPTH, in_lists),
        (AXIAL_DEPTH, by_pythagoras),
        (AXIAL_DEPTH, in_float32),
        (DEPTH_IMAGE, pixel_by_pixel),
        (DEPTH_IMAGE, with_a_mesh_grid),
    ],
    ids=lambda thing: getattr(thing, "name", None) or thing.__name__,
)
def test_a_right_answer_in_another_style_gets_the_same_text(exercise: Exercise, answer) -> None:
    assert str(judge(exercise, answer)) == str(judge(exercise, exercise.reference))


def test_a_mistake_without_a_name_is_told_with_place_received_and_expected() -> None:
    def ten_percent_off(range_m, angle_rad):
        return 0.9 * range_m * np.cos(angle_rad)

    text = str(judge(AXIAL_DEPTH, ten_percent_off))
    assert text.startswith(f"axial_depth: wrong - {UNNAMED}\n")
    assert "case 1: axial_depth(range_m=2, angle_rad=0.5236)" in text
    assert "value: received 1.55885 m, expected 1.73205 m (tolerance 1e-05 m)" in text


def test_a_wrong_pixel_is_told_by_its_place() -> None:
    def one_pixel_off(range_m, fx, fy, cx, cy):
        depth = DEPTH_IMAGE.reference(range_m, fx, fy, cx, cy)
        depth[1, 0] += 1.0
        return depth

    assert "element [1, 0]: received 2.77778 m, expected 1.77778 m" in str(
        judge(DEPTH_IMAGE, one_pixel_off)
    )
