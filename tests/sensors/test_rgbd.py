"""A frame: what it copies, what it says of itself, and how depth and colour belong together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from course.sensors.camera import BACKGROUND
from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.sensors.ranges import ClippingRange, DepthCamera, DepthRange
from course.sensors.rgbd import NOTHING_RGBA, PALETTE_RGBA, RgbdFrame, capture, colour_of_depth
from course.world.embree import EmbreeCaster
from course.world.poses import IDENTITY, pose
from course.world.scene import Body, Scene
from course.world.shapes import Box

RIGHT = pose(translation=(0.05, 0, 0))  # of a depth imager beside the colour imager


def intrinsics(width: int = 41, height: int = 31, centre: PixelCentre = PixelCentre.HALF):
    return Intrinsics.from_vertical_fov(
        width=width, height=height, fov_y_rad=1.0, pixel_centre=centre
    )


def depth_camera(camera: Intrinsics) -> DepthCamera:
    return DepthCamera(
        intrinsics=camera,
        clipping=ClippingRange(near=0.01, far=10),
        depth_range=DepthRange(minimum=0.1, maximum=5),
    )


def plate(name: str, x: float, z: float, label: int, size: float = 0.4) -> Body:
    box = Box((size, size, 0.01))
    return Body(name=name, shape=box, X_WB=pose(translation=(x, 0, z + 0.005)), label=label)


SCENE = Scene((plate("left", -0.4, 1.0, 3), plate("right", 0.4, 1.0, 5)))


def take(scene: Scene = SCENE, *, X_WD=IDENTITY, D: Intrinsics | None = None) -> RgbdFrame:
    return capture(
        EmbreeCaster(scene),
        colour_intrinsics=intrinsics(),
        depth_camera=depth_camera(D or intrinsics()),
        X_WC=IDENTITY,
        X_WD=X_WD,
        time_s=0.5,
    )


def test_types_and_shapes_are_those_of_the_field() -> None:
    frame = take(D=intrinsics(20, 10))
    assert (frame.colour.shape, frame.colour.dtype) == ((31, 41, 4), np.uint8)
    assert (frame.label.shape, frame.label.dtype) == ((31, 41), np.int16)
    assert (frame.depth_m.shape, frame.depth_m.dtype) == ((10, 20), np.float32)
    assert frame.faults == ()


def test_colours_follow_the_labels() -> None:
    frame = take()
    assert set(np.unique(frame.label)) == {BACKGROUND, 3, 5}
    for label, colour in ((3, PALETTE_RGBA[3]), (5, PALETTE_RGBA[5]), (BACKGROUND, NOTHING_RGBA)):
        assert (frame.colour[frame.label == label] == colour).all()


def test_depth_carries_the_marks_of_the_depth_range() -> None:
    bodies = (
        plate("near", -0.03, 0.05, 1, 0.02),
        plate("mid", 0.4, 1, 2),
        plate("far", 0, 6, 3, 2),
    )
    depth_m = take(Scene(bodies)).depth_m
    assert {0.0, 1.0, np.inf} == set(np.unique(depth_m.round(3)).tolist())


def test_a_frame_keeps_its_pixels_when_the_source_is_drawn_over() -> None:
    frame = take()
    memory = {name: getattr(frame, name).copy() for name in ("colour", "label", "depth_m")}
    kept = replace(frame, **memory)
    for name, array in memory.items():
        array[:] = 1
        assert not np.array_equal(getattr(kept, name), array)
        np.testing.assert_array_equal(getattr(kept, name), getattr(frame, name))
        with pytest.raises(ValueError, match="read-only"):
            getattr(kept, name)[:] = 0


def test_faults_name_the_image() -> None:
    frame = take()
    assert replace(frame, depth_m=frame.depth_m.T).faults == (
        "depth image: the camera takes images of (H, W) = (31, 41), got (41, 31): "
        "rows and columns are swapped",
    )
    assert replace(frame, label_map={BACKGROUND: "nothing", 3: "left"}).faults == (
        "label image: labels 5 are in the image, but not in the map",
    )
    assert len(replace(frame, producer="").faults) == 3
    (fault,) = replace(frame, channels="").faults  # BGRA looks the same to a program
    assert fault.startswith("colour image: channels not stated: their order")
    (fault,) = replace(frame, depth_range=None).faults
    assert fault.startswith("depth image: ranges not stated")
    assert replace(frame, channels="BGRA").faults == ()
    (fault,) = replace(frame, colour=frame.colour[..., :3]).faults
    assert fault == "colour image: channels RGBA are 4, the array has 3"


@pytest.mark.parametrize(
    ("changes", "registered"),
    [
        ({}, True),
        ({"X_WD": RIGHT}, False),
        ({"D": intrinsics(20, 10)}, False),
        ({"D": intrinsics(centre=PixelCentre.INTEGER)}, False),
    ],
    ids=["alike", "beside", "smaller", "other pixel centres"],
)
def test_registered_means_the_same_rays(changes: dict, registered: bool) -> None:
    assert take(**changes).registered is registered


def test_colour_of_depth_is_the_colour_where_both_see_alike() -> None:
    frame = take()
    np.testing.assert_array_equal(colour_of_depth(frame), frame.colour)


@pytest.mark.parametrize("centre", PixelCentre)
def test_colour_of_depth_finds_the_colour_from_beside(centre: PixelCentre) -> None:
    """Copying by index would colour a column of each plate as nothing: it is off by fx b / z."""
    frame = take(X_WD=RIGHT, D=intrinsics(centre=centre))
    sees = np.isfinite(frame.depth_m)
    offset = frame.colour_intrinsics.fx * 0.05 / 1.0
    assert offset > 1
    by_index = (frame.colour[sees] == NOTHING_RGBA).all(axis=1)
    registered = (colour_of_depth(frame)[sees] == NOTHING_RGBA).all(axis=1)
    assert by_index.sum() > 10
    assert registered.sum() <= by_index.sum() / 4  # what is left is rounding at the rims
    assert (colour_of_depth(frame)[~sees] == NOTHING_RGBA).all()


def test_what_hides_a_point_from_the_colour_imager_lends_it_its_colour() -> None:
    """Occlusion is not looked for, and that can be seen."""
    beside = pose(translation=(0.3, 0, 0))
    frame = take(Scene((plate("post", 0, 0.5, 3, 0.1), plate("wall", 0, 2, 5, 8))), X_WD=beside)
    on_wall = np.isclose(frame.depth_m, 2.0)
    taken = colour_of_depth(frame)[on_wall]
    of_the_post = (taken == PALETTE_RGBA[3]).all(axis=1)
    assert 5 < of_the_post.sum() < 0.1 * len(taken)


def test_bodies_of_one_label_share_its_name() -> None:
    pair = Scene((plate("a", -0.4, 1.0, 3), plate("b", 0.4, 1.0, 3), plate("c", 0, 2, 4)))
    assert take(pair).label_map == {3: "a, b", 4: "c", BACKGROUND: "nothing"}


def test_a_frame_has_poses() -> None:
    with pytest.raises(ValueError, match="X_WD: the rotation is not orthonormal"):
        replace(take(), X_WD=np.diag([2, 2, 2, 1]))


def test_what_the_colour_imager_does_not_see_stays_transparent() -> None:
    behind = pose(rotation=np.diag([-1.0, 1.0, -1.0]))
    frame = take(X_WD=IDENTITY)
    turned = replace(frame, X_WC=behind)
    assert (colour_of_depth(turned) == 0).all()


def test_a_label_beyond_sixteen_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="label 40000: expected at most 32767"):
        take(Scene((plate("one", 0, 1, 40_000),)))


def test_an_empty_scene_is_a_frame_too() -> None:
    frame = take(Scene())
    assert np.isposinf(frame.depth_m).all()
    assert frame.faults == ()


def test_ranges_that_do_not_belong_together_are_a_fault() -> None:
    frame = take()
    (fault,) = replace(frame, clipping=frame.depth_range, depth_range=frame.clipping).faults
    assert fault.startswith("depth image: clipping: expected ClippingRange(...), got DepthRange")
    wide = DepthRange(minimum=0.001, maximum=5)
    (fault,) = replace(frame, depth_range=wide).faults
    assert fault.startswith("depth image: depth_range: the minimum 0.001 m is nearer than the near")


def test_a_depth_that_the_camera_cannot_have_measured_is_a_fault() -> None:
    frame = take()
    depth_m = frame.depth_m.copy()
    depth_m[0, :3] = 7, 0.05, 5  # beyond the range, before it, and at its end
    assert replace(frame, depth_m=depth_m).faults == (
        "depth image: 2 depths are not within 0.1 to 5 m",
    )


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            lambda f: {"colour": (f.colour / 255).astype(np.float32)},
            TypeError,
            "colour: expected uint8 from 0 to 255, got float32",
        ),
        (
            lambda f: {"colour": f.colour[..., :3]},
            ValueError,
            r"colour: expected shape \(31, 41, 4\), got \(31, 41, 3\)",
        ),
        (
            lambda f: {"colour": np.repeat(f.colour, 2, axis=0)},
            ValueError,
            r"colour: expected shape \(31, 41, 4\), got \(62, 41, 4\)",
        ),
        (
            lambda f: {"depth_m": np.full(f.depth_m.shape, 1500, np.uint16)},
            TypeError,
            "depth_m: expected metres, got uint16",
        ),
        (
            lambda f: {"depth_m": -f.depth_m},
            ValueError,
            "depth_m: expected 0 m or more",
        ),
        (
            lambda _: {"colour_intrinsics": np.eye(3)},
            TypeError,
            "colour_intrinsics: expected Intrinsics",
        ),
        (
            lambda _: {"depth_intrinsics": None},
            TypeError,
            "intrinsics: expected Intrinsics",
        ),
    ],
)
def test_no_colour_is_made_of_what_is_wrong(changes, error, message) -> None:
    """It came out as black, as another pixel's, or as that of a point 1000 times too far away."""
    frame = take()
    with pytest.raises(error, match=f"^{message}"):
        colour_of_depth(replace(frame, **changes(frame)))


def test_without_intrinsics_nobody_can_tell_whether_images_are_registered() -> None:
    frame = replace(take(), colour_intrinsics=None, depth_intrinsics=None)
    with pytest.raises(TypeError, match=r"^colour_intrinsics: expected Intrinsics\("):
        _ = frame.registered
    assert [fault.split(" not ")[0] for fault in frame.faults] == [
        "colour image: intrinsics",
        "depth image: intrinsics",
        "label image: intrinsics",
    ]


def test_poses_that_differ_by_rounding_are_one_pose_far_away_too() -> None:
    far = pose(translation=(1e5, -3e5, 7.0), rotation=Rotation.from_rotvec((0.3, -0.5, 0.8)))
    step = pose(translation=(1.7, 0.3, 9.1), rotation=Rotation.from_rotvec((1.0, 0.5, 0.2)))
    there_and_back = far * step * step.inv()
    frame = take()
    assert replace(frame, X_WC=far, X_WD=there_and_back).registered
    aside = far * pose(translation=(1e-6, 0, 0))
    assert not replace(frame, X_WC=far, X_WD=aside).registered


def test_masks_scenes_and_cameras_without_ranges_are_refused() -> None:
    frame = take()
    with pytest.raises(TypeError, match=r"^depth_m: expected an array, got a masked one"):
        replace(frame, depth_m=np.ma.masked_invalid(frame.depth_m))
    with pytest.raises(TypeError, match=r"^label_map: expected label -> name, got \['nothing'\]"):
        replace(frame, label_map=["nothing"])
    for caster, camera, message in (
        (SCENE, depth_camera(intrinsics()), "caster: expected one that is bound to a scene"),
        (EmbreeCaster(SCENE), intrinsics(), "depth_camera: expected DepthCamera"),
    ):
        with pytest.raises(TypeError, match=f"^{message}"):
            capture(
                caster,
                colour_intrinsics=intrinsics(),
                depth_camera=camera,
                X_WC=IDENTITY,
                X_WD=IDENTITY,
                time_s=0.0,
            )
    with pytest.raises(TypeError, match=r"^frame: expected RgbdFrame\(\.\.\.\), got ndarray$"):
        colour_of_depth(frame.colour)
