import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from course.sensors.camera import cast_image
from course.sensors.cloud import Cloud, ColourImage, cloud_from_depth
from course.sensors.depth_formats import encode_depth_16u
from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.world.analytic import AnalyticCaster
from course.world.poses import IDENTITY, pose
from course.world.scene import Body, Scene
from course.world.shapes import Sphere

SMALL = Intrinsics(
    width=5, height=3, fx=4.0, fy=6.0, cx=2.2, cy=0.7, pixel_centre=PixelCentre.INTEGER
)
PLACED = pose(translation=(1, 2, 3), rotation=Rotation.from_rotvec((0.3, -0.5, 0.8)))
DRAKE = Intrinsics(
    width=200, height=100, fx=100, fy=100, cx=50, cy=40, pixel_centre=PixelCentre.INTEGER
)

depth_images = arrays(
    np.float64,
    SMALL.shape,
    elements=st.floats(1e-3, 1e4) | st.sampled_from([0.0, np.inf, np.nan]),
)


def wall(dtype, value):
    return np.full(DRAKE.shape, value, dtype)


def test_values_that_drake_gave():
    """DepthImageToPointCloud of Drake 1.51.1 and 1.57.0: pixel (150, 40) at z = 2 m."""
    cloud = cloud_from_depth(wall(np.float32, 2), DRAKE)
    column = cloud.column(150, 40)
    assert column == 40 * 200 + 150
    np.testing.assert_allclose(cloud.xyz[:, column], [2, 0, 2])
    assert np.linalg.norm(cloud.xyz[:, column]) == pytest.approx(2.8284271)
    moved = cloud_from_depth(wall(np.float32, 2), DRAKE, pose(translation=(1, 2, 3)))
    np.testing.assert_allclose(moved.xyz[:, column], [3, 2, 5])
    millimetres = cloud_from_depth(wall(np.uint16, 2000), DRAKE, scale=0.001)
    np.testing.assert_allclose(millimetres.xyz[:, column], [2, 0, 2])
    unscaled = cloud_from_depth(wall(np.uint16, 2000), DRAKE, scale=1)  # if one insists
    np.testing.assert_allclose(unscaled.xyz[:, column], [2000, 0, 2000])


def test_sentinels_are_those_of_drake_in_either_form():
    depth_m = np.full(SMALL.shape, 1.5)
    depth_m[0, :3] = 0, np.inf, np.nan
    cloud = cloud_from_depth(depth_m, SMALL, PLACED)
    assert np.isposinf(cloud.xyz[:, :2]).all()
    assert np.isnan(cloud.xyz[:, 2]).all()
    assert cloud.valid.tolist() == [False] * 3 + [True] * 12
    again = cloud_from_depth(encode_depth_16u(depth_m), SMALL, PLACED, scale=0.001)
    assert np.isposinf(again.xyz[:, :3]).all()  # 16 bits hold no nan
    np.testing.assert_allclose(again.xyz[:, 3:], cloud.xyz[:, 3:], rtol=1e-15)
    np.testing.assert_array_equal(again.valid, cloud.valid)


@settings(derandomize=True)
@given(depth_images)
def test_every_point_is_seen_in_the_pixel_of_its_column(depth_m):
    cloud = cloud_from_depth(depth_m, SMALL, PLACED)
    assert cloud.xyz.shape == (3, 15)
    p_C = PLACED.inv().apply(cloud.points())
    np.testing.assert_allclose(
        SMALL.project(p_C), cloud.pixels[cloud.valid] + 0.0, rtol=0, atol=1e-8
    )
    u, v = cloud.pixels[cloud.valid].T
    np.testing.assert_allclose(p_C[:, 2], depth_m[v, u], rtol=1e-9, atol=1e-12)
    there = np.isfinite(depth_m) & (depth_m > 0)
    np.testing.assert_array_equal(cloud.valid.reshape(SMALL.shape), there)
    np.testing.assert_array_equal(np.isnan(cloud.xyz).any(axis=0), np.isnan(depth_m).ravel())


def test_a_cloud_of_a_ball_lies_on_the_ball():
    centre = PLACED.apply([0.1, -0.2, 2.0])
    ball = Body(name="ball", shape=Sphere(0.5), X_WB=pose(translation=centre))
    camera = replace(SMALL, width=64, height=48, fx=60, fy=60, cx=31.5, cy=23.5)
    image = cast_image(AnalyticCaster(Scene([ball])), camera, PLACED)
    cloud = cloud_from_depth(image.depth_m, camera, PLACED)
    assert 0 < len(cloud.points()) < 64 * 48
    assert len(cloud.points()) == image.valid.sum()  # case C41: as many points as labelled pixels
    np.testing.assert_allclose(np.linalg.norm(cloud.points() - centre, axis=1), 0.5, rtol=1e-12)


def test_columns_and_pixels_are_inverse():
    cloud = cloud_from_depth(np.ones(SMALL.shape), SMALL)
    assert [cloud.column(*pixel) for pixel in cloud.pixels.tolist()] == list(range(15))
    assert cloud.pixels[7].tolist() == [2, 1]
    message = "(u, v): expected u < 5 and v < 3, got (2, 4); u counts columns of the image, v rows"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        cloud.column(2, 4)
    with pytest.raises(ValueError, match="u: expected at least 0, got -1"):
        cloud.column(-1, 0)


def test_a_cloud_cannot_be_changed_and_what_comes_is_not():
    depth_m = np.ones(SMALL.shape)
    depth_m[0, 0] = 0
    colours = np.zeros((3, 5, 4), np.uint8)
    cloud = cloud_from_depth(depth_m, SMALL, colour=ColourImage(values=colours, intrinsics=SMALL))
    assert depth_m[0, 0] == 0
    colours[:] = 9
    assert (cloud.colour == 0).all()
    for array in (cloud.xyz, cloud.valid, cloud.pixels, cloud.colour):
        assert not array.flags.writeable


def test_colours_go_with_their_columns():
    colours = np.arange(3 * 5 * 3).reshape(3, 5, 3)
    placed = ColourImage(values=colours, intrinsics=SMALL, X_PC=PLACED.as_matrix())
    cloud = cloud_from_depth(np.ones(SMALL.shape), SMALL, PLACED, colour=placed)
    assert isinstance(cloud, Cloud)
    assert cloud.colour[cloud.column(4, 1)].tolist() == colours[1, 4].tolist()
    assert cloud_from_depth(np.ones(SMALL.shape), SMALL).colour is None


@pytest.mark.parametrize(
    ("changes", "X_PC", "differs"),
    [
        ({"fx": 4.1}, IDENTITY, "intrinsics differ"),
        ({"pixel_centre": PixelCentre.HALF}, IDENTITY, "intrinsics differ"),
        ({}, pose(translation=(0.02, 0, 0)), "pose X_PC differ"),
        ({"cx": 2.0}, PLACED, "intrinsics and pose X_PC differ"),
    ],
)
def test_colours_that_are_not_registered_are_refused(changes, X_PC, differs):
    camera = replace(SMALL, **changes)
    colour = ColourImage(values=np.zeros((3, 5, 3)), intrinsics=camera, X_PC=X_PC)
    message = f"colour: not registered to the depth image: {differs}, so pixel (u, v) of one is"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        cloud_from_depth(np.ones(SMALL.shape), SMALL, colour=colour)


def test_colours_come_with_their_camera_and_in_its_size():
    with pytest.raises(TypeError, match=r"^colour: expected ColourImage\(values=.*got ndarray$"):
        cloud_from_depth(np.ones(SMALL.shape), SMALL, colour=np.zeros((3, 5, 3)))
    message = "colour: this camera takes images of (H, W) = (3, 5), got (50, 100)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ColourImage(values=np.zeros((50, 100, 3)), intrinsics=SMALL)
    message = "colour: expected shape (H, W, 3) or (H, W, 4), got (3, 5)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ColourImage(values=np.zeros((3, 5)), intrinsics=SMALL)


@pytest.mark.parametrize(
    ("depth", "error", "message"),
    [
        (
            np.ones((3, 5), np.uint16),
            TypeError,
            "scale: expected scale=0.001 with uint16 millimetres, got none; "
            "without it the cloud would be 1000 times too large",
        ),
        (
            np.ones((3, 5), np.uint8),
            TypeError,
            "depth: expected float metres or uint16, got uint8; "
            "that is a picture of depth, not depth",
        ),
        (
            np.ones((3, 5), np.int16),
            TypeError,
            "depth: expected float metres or uint16, got int16; "
            "signed millimetres end at 32.767 m and then turn negative",
        ),
        (
            np.ones((3, 5), np.int32),
            TypeError,
            "depth: expected float metres or uint16, got int32; "
            "are they millimetres? then .astype(np.uint16), with scale=0.001",
        ),
        (
            -np.ones((3, 5)),
            ValueError,
            "depth: expected 0 m or more (inf on a miss), got -1",
        ),
        (
            np.ones((10, 10)),
            ValueError,
            "depth: this camera takes images of (H, W) = (3, 5), got (10, 10)",
        ),
        (
            np.ones((5, 3)),
            ValueError,
            "depth: this camera takes images of (H, W) = (3, 5), got (5, 3); "
            "rows and columns are swapped, images are (H, W)",
        ),
        (
            np.ones((3, 5, 1)),
            ValueError,
            "depth: expected shape (H, W), got (3, 5, 1); choose the channel: depth[..., 0]",
        ),
        (np.ones((3, 5), bool), TypeError, "depth: expected real numbers, got bool"),
    ],
)
def test_what_is_no_depth_image_is_refused(depth, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        cloud_from_depth(depth, SMALL)


def test_a_scale_is_positive_and_scales_floats_as_well():
    with pytest.raises(ValueError, match=r"^scale: expected a positive, finite number in m per"):
        cloud_from_depth(np.ones((3, 5), np.uint16), SMALL, scale=0)
    in_mm = cloud_from_depth(np.full((3, 5), 1500.0), SMALL, scale=0.001)
    np.testing.assert_allclose(in_mm.xyz[2], 1.5)


KNOWN = np.array([[True, False, True, True, True]] * 3)


@pytest.mark.parametrize(
    "depth",
    [np.full((3, 5), 1.5), np.full((3, 5), 1500, np.uint16)],
    ids=["metres", "millimetres"],
)
def test_a_mask_is_not_dropped(depth):
    masked = np.ma.masked_array(depth, ~KNOWN)
    with pytest.raises(TypeError, match=r"^depth: expected an array, got a masked one; try depth"):
        cloud_from_depth(masked, SMALL, scale=0.001)
    with pytest.raises(TypeError, match=r"^colour: expected an array, got a masked one; try"):
        ColourImage(values=np.ma.zeros((3, 5, 3)), intrinsics=SMALL)


def test_a_matrix_is_no_camera():
    for make in (
        lambda: cloud_from_depth(np.ones((3, 3)), np.eye(3)),
        lambda: ColourImage(values=np.ones((3, 3, 3)), intrinsics=np.eye(3)),
    ):
        with pytest.raises(TypeError, match=r"intrinsics: expected Intrinsics.*ndarray; a matrix"):
            make()


def test_colours_are_numbers():
    with pytest.raises(TypeError, match=r"^colour: expected numbers, got <U3$"):
        ColourImage(values=np.full((3, 5, 3), "red"), intrinsics=SMALL)


def test_rows_of_16_bits_in_a_list_need_a_scale_as_well():
    rows = list(np.full((3, 5), 1500, np.uint16))
    with pytest.raises(TypeError, match=r"^scale: expected scale=0\.001 with uint16 millimetres"):
        cloud_from_depth(rows, SMALL)
    np.testing.assert_allclose(cloud_from_depth(rows, SMALL, scale=0.001).xyz[2], 1.5)
    np.testing.assert_allclose(cloud_from_depth([[2] * 5] * 3, SMALL).xyz[2], 2)


def test_bytes_may_come_in_either_order():
    for order in "<>":
        depth_mm = np.full((3, 5), 1500, f"{order}u2")
        np.testing.assert_allclose(cloud_from_depth(depth_mm, SMALL, scale=0.001).xyz[2], 1.5)


def test_a_cloud_of_my_own_arrays_is_not_written_through_them_and_leaves_them_mine():
    mine = np.ones((3, 15))
    cloud = Cloud(xyz=mine, valid=np.ones(15, bool), width=5)
    mine[:] = 7
    assert (cloud.xyz == 1).all()
