"""Pictures by TinyRenderer. Numbers without a closed form are of pybullet 3.2.7, measured."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.sensors.bullet_camera import SAMPLE_SHIFT, X_CG, bullet_image, projection_matrix
from course.sensors.camera import BACKGROUND, cast_image
from course.sensors.depth import depth_from_range
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.sensors.ranges import ClippingRange
from course.world.analytic import AnalyticCaster
from course.world.bullet import BulletWorld, available
from course.world.poses import IDENTITY, pose
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

needs_bullet = pytest.mark.skipif(not available(), reason="pybullet has no wheel here")

CLIPPING = ClippingRange(near=0.1, far=10)
CAMERA = Intrinsics.from_vertical_fov(
    width=160, height=120, fov_y_rad=np.pi / 3, pixel_centre=PixelCentre.HALF
)
CAMERAS = {
    "from an angle of view": CAMERA,
    "integer centres": Intrinsics.from_vertical_fov(
        width=160, height=120, fov_y_rad=np.pi / 3, pixel_centre=PixelCentre.INTEGER
    ),
    "off centre, fx is not fy": Intrinsics(
        width=161, height=97, fx=140, fy=190, cx=50.3, cy=70.8, pixel_centre=PixelCentre.HALF
    ),
    "principal point outside": Intrinsics(
        width=64, height=48, fx=120, fy=120, cx=90, cy=-20, pixel_centre=PixelCentre.INTEGER
    ),
}
PLACED = pose(translation=(1.0, -2.0, 0.5), rotation=Rotation.from_rotvec((0.3, -0.5, 0.8)))


def tilted(across_rad, down_rad, *, X_WC=IDENTITY, label=0):
    """The face of a large slab, 2 m in front of the camera and tilted about its two axes."""
    turn = Rotation.from_euler("yx", [across_rad, down_rad])
    X_CB = pose(translation=(0, 0, 2), rotation=turn) * pose(translation=(0, 0, 0.5))
    return Body(name="wall", shape=Box((60, 60, 1)), X_WB=X_WC * X_CB, label=label)


def picture(scene, *, camera=CAMERA, X_WC=IDENTITY, clipping=CLIPPING, corrected=True, **roles):
    with BulletWorld(scene, **roles) as world:
        return bullet_image(world, camera, X_WC, clipping, corrected=corrected)


def true_depth(scene, camera, X_WC):
    image = cast_image(AnalyticCaster(scene), camera, X_WC)
    return depth_from_range(image.range_m, unit_rays(camera))


# --- which ray a pixel sees -------------------------------------------------------------------


@needs_bullet
@pytest.mark.parametrize("X_WC", [IDENTITY, PLACED], ids=["at the origin", "placed"])
@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_depth_of_a_tilted_plane_is_that_of_the_analytic_caster(camera, X_WC):
    scene = Scene([tilted(0.5, -0.3, X_WC=X_WC)])
    truth = true_depth(scene, camera, X_WC)
    image = picture(scene, camera=camera, X_WC=X_WC)
    seen = truth < CLIPPING.far
    np.testing.assert_array_equal(image.valid, seen)
    assert np.abs(image.depth_m - truth)[seen].max() < 1e-4

    as_it_is = picture(scene, camera=camera, X_WC=X_WC, corrected=False)
    both = seen & as_it_is.valid
    assert np.median(np.abs(as_it_is.depth_m - truth)[both]) > 1e-3


@needs_bullet
@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("corrected", [True, False])
def test_where_a_pixel_is_sampled(camera, corrected):
    """Fitted from planes that are tilted about one axis: their depth says where each pixel looks."""
    edge = PixelCentre.HALF.value - camera.pixel_centre.value
    centre = camera.pixel_centres() + edge  # in coordinates where the image spans 0 to W
    principal, focal = (camera.cx + edge, camera.cy + edge), (camera.fx, camera.fy)
    for axis, tilts in enumerate([(0.5, 0), (0, 0.5)]):
        body = tilted(*tilts)
        image = picture(Scene([body]), camera=camera, corrected=corrected)
        # The plane is n . p = n . p_0, and a pixel with the slopes x/z and y/z sees the depth z.
        n = -body.X_WB.rotation.as_matrix()[:, 2]
        depth = np.where(image.valid, image.depth_m, np.nan)
        slope = (n[2] * 2 / depth - n[2]) / n[axis]
        sampled = slope * focal[axis] + principal[axis]
        off = np.nanmedian(sampled - centre[..., axis])
        expected = 0 if corrected else SAMPLE_SHIFT[axis]
        assert off == pytest.approx(expected, abs=2e-3)


@needs_bullet
def test_a_sphere_is_a_coarse_mesh():
    """Its surface is centimetres off: what errs here is the shape, not the depth."""
    scene = Scene([Body(name="ball", shape=Sphere(0.5), X_WB=pose(translation=(0.1, -0.05, 2)))])
    truth, image = true_depth(scene, CAMERA, IDENTITY), picture(scene)
    both = image.valid & np.isfinite(truth)
    error = image.depth_m[both] - truth[both]
    assert 0.01 < np.median(np.abs(error)) < 0.06
    assert error.min() > -1e-4  # the mesh lies inside: nothing is nearer than the sphere
    assert image.valid.sum() < np.isfinite(truth).sum()


@needs_bullet
def test_a_box_has_its_size():
    scene = Scene([Body(name="box", shape=Box((0.8, 0.5, 0.2)), X_WB=pose(translation=(0, 0, 2)))])
    truth, image = true_depth(scene, CAMERA, IDENTITY), picture(scene)
    np.testing.assert_array_equal(image.valid, np.isfinite(truth))
    np.testing.assert_allclose(image.depth_m[image.valid], 1.9, atol=1e-5)


@needs_bullet
@pytest.mark.parametrize(
    ("shape", "to_side", "to_end"),
    [(Cylinder(0.3, 2.4), 0.3, 1.2), (Capsule(0.3, 2.4), 0.3, 1.5)],
)
def test_what_is_round_has_its_length(shape, to_side, to_end):
    """Nearest depth, from the side and from an end: the meshes are coarse, and touch both."""
    for turn, nearest in (((0, 90), to_side), ((0, 0), to_end)):
        X_WB = pose(translation=(0, 0, 4), rotation=Rotation.from_euler("yx", turn, degrees=True))
        image = picture(Scene([Body(name="body", shape=shape, X_WB=X_WB)]))
        assert 4 - image.depth_m.min() == pytest.approx(nearest, abs=0.02)


@needs_bullet
def test_a_triangle_mesh_is_drawn_as_it_is_given_and_from_its_front():
    vertices = np.array([[-3.0, -2, 2.5], [3, -2, 3], [3, 2, 3.5], [-3, 2, 3]])  # in one plane
    seen_from_above = np.array([[0, 2, 1], [0, 3, 2]])
    for faces, drawn in ((seen_from_above, True), (seen_from_above[:, ::-1], False)):
        scene = Scene([Body(name="sheet", shape=TriangleMesh(vertices, faces), X_WB=IDENTITY)])
        image = picture(scene)
        assert image.valid.all() == drawn
        assert image.valid.any() == drawn
        if drawn:
            truth = true_depth(scene, CAMERA, IDENTITY)
            np.testing.assert_allclose(image.depth_m, truth, atol=1e-4)


# --- what is in the record --------------------------------------------------------------------


@needs_bullet
def test_bodies_are_places_in_the_scene_and_labels_are_theirs():
    front = Body(
        name="front", shape=Box((0.5, 0.5, 0.1)), X_WB=pose(translation=(0, 0, 1)), label=4
    )
    scene = Scene([tilted(0, 0, label=7), front])
    truth, image = cast_image(AnalyticCaster(scene), CAMERA, IDENTITY), picture(scene)
    np.testing.assert_array_equal(image.body, truth.body)
    np.testing.assert_array_equal(image.label, truth.label)
    assert set(np.unique(image.label)) == {4, 7}


@needs_bullet
@pytest.mark.parametrize(
    "scene",
    [Scene(), Scene([Body(name="behind", shape=Sphere(1), X_WB=pose(translation=(0, 0, -5)))])],
)
def test_where_nothing_is_drawn(scene):
    image = picture(scene)
    assert not image.valid.any()
    assert (image.buffer == 1).all()
    assert np.isposinf(image.depth_m).all()
    assert (image.body == -1).all()
    assert (image.label == BACKGROUND).all()
    assert (image.colour == 255).all()


@needs_bullet
def test_ids_tell_where_nothing_is_drawn_and_the_buffer_does_not():
    """It is cleared to what should be 1; a background in metres would be a wall before the far plane."""
    cleared = []
    for near, far in ((0.1, 10), (0.1, 100), (1.7, 31.3)):
        image = picture(Scene(), clipping=ClippingRange(near=near, far=far))
        assert np.isposinf(image.depth_m).all()
        cleared.append(image.buffer[0, 0])
    assert cleared[0] == 1
    assert all(1 - 3e-7 < value < 1 for value in cleared[1:])


@needs_bullet
@pytest.mark.parametrize("seed", range(20))
def test_no_clipping_range_is_too_narrow_or_too_wide(seed):
    """Walls just behind the near plane, and just before the far plane, are drawn or not: no more."""
    rng = np.random.default_rng(seed)
    near = 10 ** rng.uniform(-3, 0)
    far = near * 10 ** rng.uniform(0.2, 6.5)
    clipping = ClippingRange(near=near, far=far)
    for z in (near * (1 + 10 ** rng.uniform(-8, -4)), far * (1 - 10 ** rng.uniform(-8, -4))):
        wall = Body(
            name="wall",
            shape=Box((9 * far, 9 * far, far)),
            X_WB=pose(translation=(0, 0, z + far / 2)),
        )
        image = picture(
            Scene([wall]), camera=CAMERAS["off centre, fx is not fy"], clipping=clipping
        )
        drawn = image.depth_m[image.valid]
        assert ((drawn >= near) & (drawn <= far)).all()
        assert np.isposinf(image.depth_m[~image.valid]).all()


@needs_bullet
@pytest.mark.parametrize("z", [0.11, 0.5, 2, 9])
def test_the_buffer_holds_depth_as_opengl_does(z):
    wall = Body(name="wall", shape=Box((60, 60, 1)), X_WB=pose(translation=(0, 0, z + 0.5)))
    image = picture(Scene([wall]))
    near, far = CLIPPING.near, CLIPPING.far
    np.testing.assert_allclose(image.buffer, far * (z - near) / (z * (far - near)), atol=1e-6)
    np.testing.assert_allclose(image.depth_m, z, rtol=1e-5)


@needs_bullet
def test_what_is_out_of_the_clipping_range_is_not_there():
    plate = Body(name="plate", shape=Box((1, 1, 0.01)), X_WB=pose(translation=(0, 0, 0.055)))
    scene = Scene([tilted(0, 0), plate])
    for clipping, depth_m in (
        (ClippingRange(near=0.01, far=10), 0.05),  # the plate
        (ClippingRange(near=0.1, far=10), 2.0),  # the wall behind it
        (ClippingRange(near=0.1, far=1.9), np.inf),
    ):
        image = picture(scene, clipping=clipping)
        np.testing.assert_allclose(image.depth_m[60, 80], depth_m, rtol=1e-5)


@needs_bullet
def test_arrays_have_one_form_and_are_the_record_s_own():
    with BulletWorld(Scene([tilted(0.3, 0)])) as world:
        one, other = (bullet_image(world, CAMERA, IDENTITY, CLIPPING) for _ in range(2))
    for name, shape, dtype in (
        ("buffer", (120, 160), np.float32),
        ("depth_m", (120, 160), np.float64),
        ("colour", (120, 160, 4), np.uint8),
        ("body", (120, 160), np.int32),
        ("label", (120, 160), np.int32),
        ("valid", (120, 160), np.bool_),
    ):
        array = getattr(one, name)
        assert (array.shape, array.dtype) == (shape, dtype), name
        assert not array.flags.writeable, name
        assert not np.shares_memory(array, getattr(other, name)), name
        np.testing.assert_array_equal(array, getattr(other, name))


@needs_bullet
def test_light_tells_the_faces_of_a_box_apart_wherever_the_camera_stands():
    turned = pose(translation=(0, 0, 3), rotation=Rotation.from_euler("yx", [0.6, 0.5]))
    for X_WC in (IDENTITY, PLACED):
        box = Body(name="box", shape=Box((1, 1, 1)), X_WB=X_WC * turned)
        image = picture(Scene([box]), X_WC=X_WC)
        assert (image.colour[~image.valid] == 255).all()
        assert (image.colour[..., 3] == 255).all()
        assert len(np.unique(image.colour[image.valid], axis=0)) == 3


# --- habits -----------------------------------------------------------------------------------


@needs_bullet
def test_the_camera_draws_the_visual_shape_and_a_ray_meets_the_collision_shape():
    body = Body(name="box", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 2)))
    ahead = Rays.through((0, 0, 0), [(0, 0, 1)])
    small = Box((0.6, 0.6, 0.6))
    for roles, drawn, met in (
        ({}, 1.5, 1.5),
        ({"collision": {"box": small}}, 1.5, 1.7),
        ({"visual": {"box": small}}, 1.7, 1.5),
        ({"collision": {"box": None}}, 1.5, np.inf),
        ({"visual": {"box": None}}, np.inf, 1.5),
        ({"visual": {"box": None}, "collision": {"box": None}}, np.inf, np.inf),
    ):
        with BulletWorld(Scene([body]), **roles) as world:
            image = bullet_image(world, CAMERA, IDENTITY, CLIPPING)
            np.testing.assert_allclose(image.depth_m[60, 80], drawn, rtol=1e-5)
            np.testing.assert_allclose(world.cast_first(ahead).distance, [met], rtol=1e-9)


@needs_bullet
def test_bullet_draws_the_collision_shape_of_a_body_without_a_visual_one():
    """Why a body that shall not be drawn is given a shape with alpha 0."""
    with BulletWorld(Scene()) as world:
        box = world.call(
            "createCollisionShape", world.constant("GEOM_BOX"), halfExtents=[0.5, 0.5, 0.5]
        )
        world.call("createMultiBody", 0, box, -1, [0, 0, 2])
        with pytest.raises(ValueError, match="body 0 is none of the scene"):
            bullet_image(world, CAMERA, IDENTITY, CLIPPING)


@needs_bullet
def test_only_front_faces_are_drawn():
    for shape in (Box((2, 2, 2)), Sphere(1)):
        assert not picture(Scene([Body(name="around", shape=shape, X_WB=IDENTITY)])).valid.any()
    faces_away = Body(name="plane", shape=Plane(), X_WB=pose(translation=(0, 0, 2)))
    assert not picture(Scene([faces_away])).valid.any()


@needs_bullet
def test_a_plane_ends_at_128_m():
    facing = pose(translation=(0, 0, 500), rotation=np.diag([1.0, -1.0, -1.0]))
    scene = Scene([Body(name="plane", shape=Plane(), X_WB=facing)])
    image = picture(scene, clipping=ClippingRange(near=1, far=1000))
    across = np.flatnonzero(image.valid.any(axis=0))
    half_m = (np.ptp(across) + 1) / 2 * 500 / CAMERA.fx
    assert half_m == pytest.approx(128, abs=500 / CAMERA.fx)
    assert cast_image(AnalyticCaster(scene), CAMERA, IDENTITY).valid.all()


@needs_bullet
def test_precision_falls_with_far_over_near():
    wall = Body(name="wall", shape=Box((60, 60, 1)), X_WB=pose(translation=(0, 0, 9.5)))
    errors = [
        np.abs(picture(Scene([wall]), clipping=ClippingRange(near=near, far=far)).depth_m - 9).max()
        for near, far in ((0.1, 10), (0.01, 100), (0.001, 1000))
    ]
    assert errors == sorted(errors)
    assert errors[0] < 1e-4
    assert 1e-3 < errors[2] < 1e-1


# --- the projection ---------------------------------------------------------------------------


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_the_projection_agrees_with_the_intrinsics(camera):
    p_C = np.random.default_rng(0).uniform((-2, -2, 0.5), (2, 2, 9), size=(50, 3))
    p_G = np.c_[X_CG.inv().apply(p_C), np.ones(50)]
    clip = p_G @ projection_matrix(camera, CLIPPING).T
    x, y, z = clip[:, :3].T / clip[:, 3]
    edge = camera.pixel_centre.value - 0.5  # coordinate of the image's left and upper edge
    u, v = (1 + x) / 2 * camera.width + edge, (1 - y) / 2 * camera.height + edge
    np.testing.assert_allclose(np.c_[u, v], camera.project(p_C), atol=1e-9)
    near, far = CLIPPING.near, CLIPPING.far
    np.testing.assert_allclose((1 + z) / 2, far * (p_C[:, 2] - near) / (p_C[:, 2] * (far - near)))


@pytest.mark.parametrize(("depth", "z"), [(CLIPPING.near, -1), (CLIPPING.far, 1)])
def test_the_clipping_planes_are_the_ends_of_depth(depth, z):
    clip = projection_matrix(CAMERA, CLIPPING) @ [0.3, -0.2, -depth, 1]
    assert clip[2] / clip[3] == pytest.approx(z, abs=1e-12)


@needs_bullet
def test_for_a_centred_camera_it_is_pybullet_s_own():
    with BulletWorld(Scene()) as world:
        theirs = world.call("computeProjectionMatrixFOV", 60, 160 / 120, 0.1, 10)
    ours = projection_matrix(CAMERA, CLIPPING)
    np.testing.assert_allclose(ours, np.reshape(theirs, (4, 4)).T, rtol=1e-6)


# --- errors -----------------------------------------------------------------------------------


@needs_bullet
def test_bad_input_is_refused():
    with BulletWorld(Scene()) as world:
        with pytest.raises(TypeError, match="clipping: expected ClippingRange"):
            bullet_image(world, CAMERA, IDENTITY, (0.1, 10))
        with pytest.raises(TypeError, match=r"^world: expected BulletWorld\(scene\), got Scene$"):
            bullet_image(world.scene, CAMERA, IDENTITY, CLIPPING)
        with pytest.raises(TypeError, match=r"^intrinsics: expected Intrinsics.*; a matrix says"):
            bullet_image(world, np.eye(3), IDENTITY, CLIPPING)
        with pytest.raises(ValueError, match="X_WC: the rotation is not orthonormal"):
            bullet_image(world, CAMERA, np.diag([2.0, 2, 2, 1]), CLIPPING)
        with pytest.raises(ValueError, match=r"far / near is 1e\+08, too much for Bullet"):
            bullet_image(world, CAMERA, IDENTITY, ClippingRange(near=1e-4, far=1e4))
    with pytest.raises(RuntimeError, match="this BulletWorld is closed"):
        bullet_image(world, CAMERA, IDENTITY, CLIPPING)


TALK = """
from course.sensors.bullet_camera import bullet_image
from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.sensors.ranges import ClippingRange
from course.world import Body, Plane, Scene, pose
from course.world.bullet import BulletWorld

camera = Intrinsics(width=8, height=6, fx=5, fy=5, cx=4, cy=3, pixel_centre=PixelCentre.HALF)
floor = Body(name="floor", shape=Plane(), X_WB=pose(rotation=[[1, 0, 0], [0, -1, 0], [0, 0, -1]]))
with BulletWorld(Scene([floor])) as world:
    image = bullet_image(world, camera, pose(translation=(0, 0, -3)), ClippingRange(near=0.1, far=10))
assert image.valid.all()
"""


@needs_bullet
def test_a_picture_prints_nothing():
    run = subprocess.run([sys.executable, "-c", TALK], capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


@needs_bullet
def test_a_picture_of_my_own_arrays_is_not_written_through_them_and_leaves_them_mine():
    with BulletWorld(Scene()) as world:
        image = bullet_image(world, CAMERA, IDENTITY, CLIPPING)
    mine = image.depth_m.copy()
    changed = replace(image, depth_m=mine)
    mine[:] = 7
    np.testing.assert_array_equal(changed.depth_m, image.depth_m)
    assert not changed.depth_m.flags.writeable
