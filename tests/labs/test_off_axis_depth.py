"""The lab: its model against closed forms, its definition against its own rules."""

import numpy as np
import pytest

from labs import off_axis_depth
from labs.off_axis_depth import FAN_RAD, LAB, WALL_M, model


@pytest.mark.parametrize("angle_deg", [0, 1, 17, 30, 45])
@pytest.mark.parametrize("distance_m", [0.5, 1.25, 2.0, 2.75])
def test_depth_is_range_times_cosine(angle_deg: float, distance_m: float) -> None:
    data = model(angle_deg=angle_deg, distance_m=distance_m)
    assert data.range_m == pytest.approx(distance_m, abs=1e-9)
    assert data.depth_m == pytest.approx(distance_m * np.cos(np.deg2rad(angle_deg)), abs=1e-9)


def test_two_metres_at_thirty_degrees_is_1_732_m() -> None:
    assert model(angle_deg=30, distance_m=2.0).depth_m == pytest.approx(np.sqrt(3), abs=1e-9)


def test_the_wall_is_flat_in_depth_and_bowed_in_range() -> None:
    data = model(angle_deg=0, distance_m=0.5)
    on_wall = np.abs(FAN_RAD) > 0.3  # beside the post
    np.testing.assert_allclose(data.fan_depth_m[on_wall], WALL_M, atol=1e-9)
    np.testing.assert_allclose(
        data.fan_range_m[on_wall], WALL_M / np.cos(FAN_RAD[on_wall]), atol=1e-9
    )
    np.testing.assert_allclose(data.cloud[on_wall, 1], WALL_M, atol=1e-9)
    np.testing.assert_allclose(data.wrong_cloud[:, 1], data.fan_range_m, atol=1e-12)


def test_both_clouds_lie_on_their_rays() -> None:
    data = model(angle_deg=20, distance_m=1.5)
    for cloud in (data.cloud, data.wrong_cloud):
        np.testing.assert_allclose(np.arctan2(cloud[:, 0], cloud[:, 1]), FAN_RAD, atol=1e-12)


def test_every_setting_of_the_page_can_be_drawn_and_described() -> None:
    picture = LAB.picture()
    described = set()
    for setting in LAB.star():
        data = LAB.model(**setting)
        picture.show(data)
        described.add(LAB.alt(data))
        assert all(np.isfinite(number) for number, _unit in LAB.readout(data).values())
    assert len(described) == len(LAB.star())


def test_the_clouds_of_the_3d_view_are_flat_and_bowed() -> None:
    view = off_axis_depth.view_3d(model(angle_deg=30, distance_m=2.0))
    clouds = {
        shape.name: shape.corners_W() for shape in view.shapes if shape.name in {"depth", "range"}
    }
    assert clouds["depth"][:, 1].max() == pytest.approx(WALL_M, abs=1e-6)
    assert clouds["range"][:, 1].max() > WALL_M + 1.0
