"""The lab: what it reads out, says and draws, in every setting that a reader can reach."""

from itertools import product

import numpy as np
import pytest

from course.display.frames import MAX_FRAMES
from labs.off_axis_depth import LAB, FromAbove, alt, readout, view_3d
from labs.off_axis_depth_model import (
    COLUMNS,
    OTHER_PIXELS,
    ROWS,
    SAME_PIXELS,
    WALL_M,
    OffAxis,
    model,
)

EXTREMES = [
    dict(zip(LAB.defaults, values, strict=True))
    for values in product(*((p.values[0], p.default, p.values[-1]) for p in LAB.parameters[:3]))
    for values in ((*values, SAME_PIXELS), (*values, OTHER_PIXELS))
]


def default(**changes: float | str) -> OffAxis:
    return LAB.model(**LAB.defaults | changes)


@pytest.mark.parametrize("setting", EXTREMES, ids=str)
def test_reads_the_closed_forms(setting):
    numbers = {name: number for name, (number, _unit) in readout(model(**setting)).items()}
    angle, fov = np.deg2rad(setting["angle_deg"]), np.deg2rad(setting["fov_x_deg"])
    range_m, focal = setting["distance_m"], COLUMNS / (2 * np.tan(fov / 2))
    half_px = range_m * np.cos(angle) / (2 * focal)
    other = setting["pixel_centre"] == OTHER_PIXELS
    assert numbers == pytest.approx(
        {
            "range": range_m,
            "axial depth": range_m * np.cos(angle),
            "range - depth": range_m * (1 - np.cos(angle)),
            "edge of the view": setting["fov_x_deg"] / 2,
            "bow of the wall at that edge": WALL_M * (1 / np.cos(fov / 2) - 1),
            f"pixel column of the post ({COLUMNS} in all)": focal * np.tan(angle)
            + COLUMNS / 2
            - 0.5 * other,
            "half a pixel at the post": half_px,
            "shift of the cloud to the left": half_px * other,
        },
        rel=0,
        abs=1e-9,
    )


def test_reads_1_732_m_at_first():
    assert readout(default())["axial depth"] == (pytest.approx(1.732, abs=1e-3), "m")


def test_every_setting_is_described_in_words_of_its_own():
    settings = list(product(*(p.values[:: p.every] for p in LAB.parameters)))
    described = {alt(model(**dict(zip(LAB.defaults, s, strict=True)))) for s in settings}
    assert len(described) == len(settings) > 1000


def test_words_say_what_is_out_of_view_and_what_is_shifted():
    assert "outside of the view" not in alt(default())
    assert "outside of the view" in alt(default(fov_x_deg=50.0))
    assert "lie on the rays of the pixels" in alt(default())
    assert "half a pixel left of the rays, at the post's depth 0.085 m" in alt(
        default(pixel_centre=OTHER_PIXELS)
    )


def test_the_page_draws_few_frames_and_every_field_of_view_and_numbering():
    star = LAB.star()
    assert len(star) <= MAX_FRAMES
    for name in ("fov_x_deg", "pixel_centre"):
        (parameter,) = (p for p in LAB.parameters if p.name == name)
        assert {setting[name] for setting in star} == set(parameter.values)


@pytest.mark.parametrize("setting", EXTREMES, ids=str)
def test_every_point_is_inside_the_picture(setting):
    data = model(**setting)
    left, right = FromAbove().figure.axes[0].get_xlim()
    near, far = FromAbove().figure.axes[0].get_ylim()
    for x, z in (*data.cloud, *data.wrong_cloud, *data.hits):
        assert left < x < right
        assert near < z < far


def test_range_and_depth_are_told_apart_without_colour():
    above, reading = FromAbove().figure.axes
    named = [line for line in above.lines if not str(line.get_label()).startswith("_")]
    looks = {(a.get_linestyle(), a.get_marker(), a.get_linewidth()) for a in named}
    assert len(looks) == len(named) == 6
    depth, range_ = reading.lines[:2]
    assert depth.get_linestyle() != range_.get_linestyle()


@pytest.mark.parametrize("fov_x_deg", [50.0, 90.0])
def test_the_clouds_of_the_3d_view_are_flat_and_bowed(fov_x_deg):
    view = view_3d(default(fov_x_deg=fov_x_deg))
    shapes = {shape.name: shape for shape in view.shapes}
    depth, wrong = (shapes[name].corners_W() for name in ("depth", "range"))
    assert len(depth) == len(wrong) == COLUMNS * ROWS
    assert depth[:, 1].max() == pytest.approx(WALL_M, abs=1e-6)
    half = np.tan(np.deg2rad(fov_x_deg) / 2)
    corner = np.array([half, half * ROWS / COLUMNS]) * (1 - 1 / np.array([COLUMNS, ROWS]))
    assert wrong[:, 1].max() == pytest.approx(WALL_M * np.sqrt(1 + corner @ corner), abs=1e-6)
    assert shapes["wall"].corners_W()[:, 0].max() == pytest.approx(WALL_M * half, abs=1e-9)
    assert shapes["range"].size > 1.5 * shapes["depth"].size


def test_the_clouds_of_the_3d_view_shift_left_and_up_by_half_a_pixel():
    same, other = (
        {s.name: s.corners_W() for s in view_3d(default(pixel_centre=p)).shapes}
        for p in (SAME_PIXELS, OTHER_PIXELS)
    )
    focal = default().camera.fx
    for name in ("depth", "range"):
        forward = same[name][:, 1]  # MeshCat's z points up: x right, y forward
        moved = same[name] - other[name]
        np.testing.assert_allclose(moved[:, 0], forward / (2 * focal), atol=1e-9)
        np.testing.assert_allclose(moved[:, 1], 0, atol=1e-9)
        np.testing.assert_allclose(moved[:, 2], -forward / (2 * focal), atol=1e-9)
    for name in ("wall", "view", "post"):
        np.testing.assert_array_equal(same[name], other[name])
