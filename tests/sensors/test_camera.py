import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from course.sensors.camera import BACKGROUND, cast_image
from course.sensors.depth import depth_from_range
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.sensors.ranges import ClippingRange, DepthRange, measured_depth
from course.world.analytic import AnalyticCaster
from course.world.capabilities import InsideStart
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


@both_casters
def test_depth_is_of_the_same_points(make_caster):
    image = cast_image(make_caster(Scene([BALL])), CAMERA, IDENTITY)
    assert image.depth_m.dtype == image.range_m.dtype
    assert not image.depth_m.flags.writeable
    assert np.isposinf(image.depth_m[~image.valid]).all()
    known = np.where(image.valid, image.range_m, np.nan)[..., np.newaxis] * unit_rays(CAMERA)
    np.testing.assert_allclose(image.depth_m[image.valid], known[image.valid][:, 2], rtol=3e-7)
    assert (image.depth_m <= image.range_m).all()


def plate(name, near_face, far_face, label):
    """A plate that faces the camera and fills its view."""
    size, centre = (40, 40, far_face - near_face), (0, 0, (near_face + far_face) / 2)
    return Body(name=name, shape=Box(size), X_WB=pose(translation=centre), label=label)


PLATE, FAR_WALL = plate("plate", 0.045, 0.055, 2), plate("wall", 2.0, 2.5, 1)


@pytest.mark.parametrize(
    ("near", "depth_m", "label"),
    [
        (0.01, 0.0, 2),  # drawn, so it hides the wall, and reads "too close"
        (0.1, 2.0, 1),  # not drawn: the camera looks through it
    ],
)
def test_what_is_too_close_hides_and_what_is_cut_away_does_not(near, depth_m, label):
    """Case C32, and Drake 1.51.1 and 1.57.0 with the same plate, wall and ranges."""
    caster = EmbreeCaster(Scene([PLATE, FAR_WALL]))
    image = cast_image(caster, CAMERA, IDENTITY, clipping=ClippingRange(near=near, far=10))
    reported = measured_depth(image.depth_m, DepthRange(minimum=0.1, maximum=5))
    np.testing.assert_allclose(reported, np.full(CAMERA.shape, depth_m), rtol=2e-7)
    assert (image.label == label).all()


LOOKING = pose(
    translation=(3, -2, 1), rotation=Rotation.from_euler("xyz", (70, -20, 130), degrees=True)
)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(
    faces=st.lists(st.floats(0.05, 9), min_size=4, max_size=4, unique=True).map(sorted),
    near=st.floats(0.01, 5),
    length=st.floats(0.1, 10),
)
def test_a_pixel_sees_the_first_surface_between_the_planes(faces, near, length):
    """Two plates have four faces; those of a plate that is cut open are seen from inside.

    Their coordinates reach 40 m, and a ray leans 0.6 rad: 40 m x 5e-7 / cos, twice.
    """
    far = near + length
    clear = [abs(face - end) > 1e-4 for face in faces for end in (near, far)]
    if not all(clear) or min(np.diff(faces)) < 1e-4:
        return  # rounding decides
    plates = [plate("first", *faces[:2], label=3), plate("second", *faces[2:], label=5)]
    placed = [replace(body, X_WB=LOOKING * body.X_WB) for body in plates]
    image = cast_image(
        EmbreeCaster(Scene(placed)), CAMERA, LOOKING, clipping=ClippingRange(near=near, far=far)
    )
    drawn = [i for i, face in enumerate(faces) if near <= face <= far]
    if not drawn:
        assert not image.valid.any()
        assert np.isposinf(image.range_m).all()
        assert (image.label == BACKGROUND).all()
        assert np.isnan(image.n_W).all()
        return
    first = drawn[0]
    np.testing.assert_allclose(image.depth_m, faces[first], rtol=0, atol=4e-5)
    expected = depth_from_range(image.range_m, unit_rays(CAMERA))
    np.testing.assert_allclose(expected, faces[first], rtol=0, atol=4e-5)  # from the camera
    assert (image.body == first // 2).all()
    assert (image.label == (3, 5)[first // 2]).all()
    out_of_the_solid = (-1 if first % 2 == 0 else 1) * LOOKING.rotation.as_matrix()[:, 2]
    np.testing.assert_allclose(image.n_W, np.broadcast_to(out_of_the_solid, (30, 40, 3)), atol=1e-6)


def test_clipping_planes_are_flat_and_max_range_is_round():
    caster = EmbreeCaster(Scene([FAR_WALL]))
    all_of_it = cast_image(caster, CAMERA, IDENTITY, clipping=ClippingRange(near=1.99, far=2.01))
    assert all_of_it.valid.all()
    assert all_of_it.range_m.max() > 2.01
    middle = cast_image(
        caster, CAMERA, IDENTITY, max_range=2.1, clipping=ClippingRange(near=0.1, far=10)
    )
    np.testing.assert_array_equal(middle.valid, 2 / unit_rays(CAMERA)[..., 2] <= 2.1)


def test_a_wide_clipping_range_changes_nothing():
    scene = Scene(
        [WALL, BALL, Body(name="floor", shape=Plane(), X_WB=pose(translation=(0, 0, -9)))]
    )
    caster = EmbreeCaster(scene)
    wide = ClippingRange(near=1e-3, far=1e3)
    plain, clipped = (cast_image(caster, CAMERA, IDENTITY, clipping=c) for c in (None, wide))
    assert (plain.clipping, clipped.clipping) == (None, wide)
    np.testing.assert_allclose(clipped.range_m, plain.range_m, rtol=1e-6)
    np.testing.assert_array_equal(clipped.body, plain.body)
    np.testing.assert_array_equal(clipped.label, plain.label)
    assert clipped.range_m.dtype == clipped.n_W.dtype == np.float32
    assert clipped.body.dtype == np.int32
    for array in (clipped.range_m, clipped.label, clipped.body, clipped.n_W):
        assert not array.flags.writeable


@pytest.mark.parametrize("habit", [InsideStart.ZERO, InsideStart.MISS])
def test_clipping_wants_a_caster_that_sees_the_inside_of_what_is_cut_open(habit):
    caster = AnalyticCaster(Scene([WALL]))
    caster.capabilities = replace(caster.capabilities, inside_start=habit)
    says = {
        InsideStart.ZERO: "reports such a body at distance 0, as a wall on the near plane",
        InsideStart.MISS: "does not see such a body at all",
    }[habit]
    message = (
        "clipping: rays start on the near plane, which may cut a body open, and a renderer then "
        f"shows its inside; the analytic caster {says}; "
        "use one that reports where a ray leaves a solid, such as EmbreeCaster(scene)"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        cast_image(caster, CAMERA, IDENTITY, clipping=ClippingRange(near=0.1, far=10))


def test_a_depth_range_is_no_clipping_range():
    with pytest.raises(TypeError, match=r"^clipping: expected ClippingRange\(near=, far=\), got D"):
        cast_image(
            EmbreeCaster(Scene()), CAMERA, IDENTITY, clipping=DepthRange(minimum=1, maximum=2)
        )


def test_clipping_wants_a_caster_that_sees_the_back_of_a_triangle():
    caster = EmbreeCaster(Scene([WALL]))
    caster.capabilities = replace(caster.capabilities, mesh_back_faces=False)
    with pytest.raises(ValueError, match="the embree caster does not see the inside of a triangle"):
        cast_image(caster, CAMERA, IDENTITY, clipping=ClippingRange(near=0.1, far=10))


@pytest.mark.parametrize("clipping", [None, ClippingRange(near=0.1, far=10)])
def test_a_plane_is_seen_from_above_only(clipping):
    floor = Body(name="floor", shape=Plane(), X_WB=IDENTITY)
    down = np.diag([1.0, -1.0, -1.0])
    for X_WC, seen in (
        (pose(translation=(0, 0, 1), rotation=down), True),
        (pose(translation=(0, 0, -1)), False),
    ):
        image = cast_image(EmbreeCaster(Scene([floor])), CAMERA, X_WC, clipping=clipping)
        assert (image.valid == seen).all()


@both_casters
def test_a_scene_is_no_caster_and_a_matrix_no_camera(make_caster):
    scene = Scene([WALL])
    message = (
        "caster: expected one that is bound to a scene, such as EmbreeCaster(scene), got Scene"
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        cast_image(scene, CAMERA, IDENTITY)
    with pytest.raises(
        TypeError, match=r"^intrinsics: expected Intrinsics\(.*got ndarray; a matrix"
    ):
        cast_image(make_caster(scene), np.eye(3), IDENTITY)


def test_an_image_of_my_own_arrays_is_not_written_through_them_and_leaves_them_mine():
    image = cast_image(EmbreeCaster(Scene([WALL])), CAMERA, IDENTITY)
    mine = image.range_m.copy()
    changed = replace(image, range_m=mine)
    mine[:] = 7
    np.testing.assert_array_equal(changed.range_m, image.range_m)
    assert changed.label is image.label  # what nobody can write to is not copied
