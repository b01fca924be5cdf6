import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.sensors.camera import BACKGROUND, cast_image
from course.sensors.depth import depth_from_range
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.world.analytic import AnalyticCaster
from course.world.embree import EmbreeCaster
from course.world.poses import IDENTITY, pose
from course.world.scene import Body, Scene
from course.world.shapes import Box, Plane, Sphere

CAMERA = Intrinsics.from_vertical_fov(
    width=40, height=30, fov_y_rad=1.0, pixel_centre=PixelCentre.HALF
)
WALL = Body(name="wall", shape=Box((20, 20, 1)), X_WB=pose(translation=(0, 0, 3.5)), label=7)
BALL = Body(name="ball", shape=Sphere(0.5), X_WB=pose(translation=(0.4, 0.3, 2)), label=4)

both_casters = pytest.mark.parametrize("make_caster", [AnalyticCaster, EmbreeCaster])


@both_casters
def test_a_wall_that_faces_the_camera_has_one_depth(make_caster):
    image = cast_image(make_caster(Scene([WALL])), CAMERA, IDENTITY)
    depth_m = depth_from_range(image.range_m, unit_rays(CAMERA))
    np.testing.assert_allclose(depth_m, 3, rtol=1e-6)
    assert image.range_m.max() > 3.4
    assert image.valid.all()
    np.testing.assert_allclose(image.n_W, np.broadcast_to([0, 0, -1], (30, 40, 3)), atol=1e-6)


@both_casters
def test_labels_are_of_bodies_and_not_their_places(make_caster):
    image = cast_image(make_caster(Scene([WALL, BALL])), CAMERA, IDENTITY)
    u, v = np.floor(CAMERA.project([0.4, 0.3, 2])).astype(int)
    assert (image.label[v, u], image.body[v, u]) == (4, 1)
    assert (image.label[0, 0], image.body[0, 0]) == (7, 0)
    np.testing.assert_array_equal(np.array([7, 4])[image.body], image.label)


@both_casters
def test_background_is_no_body(make_caster):
    image = cast_image(make_caster(Scene([BALL])), CAMERA, IDENTITY)
    assert 0 < image.valid.sum() < image.valid.size
    nothing = ~image.valid
    assert (image.label[nothing] == BACKGROUND).all()
    assert (image.body[nothing] == -1).all()
    assert np.isposinf(image.range_m[nothing]).all()
    assert np.isnan(image.n_W[nothing]).all()


@both_casters
def test_an_empty_scene_is_background(make_caster):
    image = cast_image(make_caster(Scene()), CAMERA, IDENTITY)
    assert not image.valid.any()
    assert (image.label == BACKGROUND).all()


@both_casters
def test_max_range_is_along_the_ray_and_not_in_depth(make_caster):
    image = cast_image(make_caster(Scene([WALL])), CAMERA, IDENTITY, max_range=3.1)
    z = unit_rays(CAMERA)[..., 2]
    np.testing.assert_array_equal(image.valid, 3 / z <= 3.1)
    assert image.max_range == 3.1


@both_casters
def test_the_camera_looks_along_z_with_x_right_and_y_down(make_caster):
    """A camera at (0, -4, 1) that looks to the north (+y of the world), level, over a floor."""
    X_WC = pose(translation=(0, -4, 1), rotation=Rotation.from_euler("x", -90, degrees=True))
    east = Body(name="east", shape=Sphere(0.3), X_WB=pose(translation=(1, 0, 1)), label=1)
    floor = Body(name="floor", shape=Plane(), X_WB=IDENTITY, label=2)
    image = cast_image(make_caster(Scene([east, floor])), CAMERA, X_WC)
    _, columns = np.nonzero(image.label == 1)
    assert columns.min() >= 20
    assert (image.label[15:, :10] == 2).all()
    assert (image.label[:15, :10] == BACKGROUND).all()


def test_casters_agree_on_an_image():
    scene = Scene([WALL, BALL])
    exact, fast = (
        cast_image(make(scene), CAMERA, IDENTITY) for make in (AnalyticCaster, EmbreeCaster)
    )
    assert exact.range_m.dtype == np.float64
    assert fast.range_m.dtype == np.float32
    same = exact.body == fast.body
    assert same.mean() > 0.99
    np.testing.assert_allclose(fast.range_m[same], exact.range_m[same], atol=0.01)


@both_casters
def test_an_image_has_fixed_shapes_and_types_and_cannot_be_changed(make_caster):
    image = cast_image(make_caster(Scene([BALL])), CAMERA, np.eye(4))
    assert image.range_m.shape == image.label.shape == image.body.shape == (30, 40)
    assert image.n_W.shape == (30, 40, 3)
    assert image.label.dtype == image.body.dtype == np.int32
    for array in (image.range_m, image.label, image.body, image.n_W, image.valid):
        assert not array.flags.writeable


def test_a_camera_needs_a_pose_and_a_reach():
    caster = AnalyticCaster(Scene())
    with pytest.raises(ValueError, match="X_WC: the rotation is not orthonormal"):
        cast_image(caster, CAMERA, np.diag([2, 2, 2, 1]))
    with pytest.raises(ValueError, match="max_range: expected a positive number in m, got 0"):
        cast_image(caster, CAMERA, IDENTITY, max_range=0)
