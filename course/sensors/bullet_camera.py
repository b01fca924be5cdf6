"""A picture as Bullet takes it: its software renderer draws the visual shapes of a `BulletWorld`.

TinyRenderer rasterises triangles in float32; each pixel then holds depth in a nonlinear z-buffer, a
colour, and the id of a body. It is a second instrument beside the casters, with habits of its own,
measured with pybullet 3.2.7:

* Given a principal point in coordinates where the image spans 0 to W and 0 to H, it samples pixel
  (u, v) at (u, v + 1): neither its centre nor a corner that anybody documents. `bullet_image` moves
  the principal point it hands over by (-0.5, +0.5), so that each pixel sees the ray that
  `Intrinsics` says, unless `corrected=False` asks for the habit as it is.
* It draws front faces only: from inside a box, or from below a plane, nothing is seen.
* Its sphere is a coarse mesh inside the true one. Its plane is a square that ends 128 m from the
  origin of its frame.
* Precision falls with far / near, and with the distance from the world's origin.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import RigidTransform

from course.sensors.camera import BACKGROUND
from course.sensors.intrinsics import Intrinsics, PixelCentre, check_intrinsics
from course.sensors.ranges import ClippingRange
from course.sensors.zbuffer import ZBuffer, depth_from_zbuffer
from course.world.bullet import BulletWorld
from course.world.checks import read_only
from course.world.poses import as_pose, pose, rotate_vectors

SAMPLE_SHIFT = (-0.5, 0.5)
"""Where TinyRenderer samples a pixel, less the pixel's centre; (across, down), pixels."""

X_CG = pose(rotation=np.diag([1.0, -1.0, -1.0]))
"""Pose of OpenGL's camera frame G in the camera frame C: G has x right, y up, z backward."""

LIGHT_C = (-0.4, -0.7, -1.0)
"""To the light, in the camera frame: over the left shoulder. Bullet's own stands in the world."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BulletImage:
    """What TinyRenderer drew; arrays are read-only, and copied if they come otherwise.

    Attributes:
        intrinsics: of the camera.
        X_WC: its pose.
        clipping: depths between which surfaces were drawn.
        corrected: whether pixels see the rays of `intrinsics`; if not, those one half pixel to the
            left and one half pixel below.
        buffer: (H, W) float32 z-buffer as it came: 0 at the near plane, 1 at the far plane; where
            nothing was drawn, 1 up to rounding.
        depth_m: (H, W) float64 m, axial depth, from the buffer; inf where nothing was drawn.
        colour: (H, W, 4) uint8 red, green, blue, alpha; white where nothing was drawn.
        body: (H, W) int32 place in `scene.bodies`; -1 where nothing was drawn.
        label: (H, W) int32 label of the body; BACKGROUND where nothing was drawn.
    """

    intrinsics: Intrinsics
    X_WC: RigidTransform
    clipping: ClippingRange
    corrected: bool
    buffer: NDArray[np.float32]
    depth_m: NDArray[np.float64]
    colour: NDArray[np.uint8]
    body: NDArray[np.int32]
    label: NDArray[np.int32]

    def __post_init__(self) -> None:
        for name in ("buffer", "depth_m", "colour", "body", "label"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """(H, W) whether anything was drawn at a pixel."""
        return read_only(self.body >= 0)


def bullet_image(
    world: BulletWorld,
    intrinsics: Intrinsics,
    X_WC: RigidTransform | ArrayLike,
    clipping: ClippingRange,
    *,
    corrected: bool = True,
) -> BulletImage:
    """Take a picture of a world, without shadows.

    Args:
        world: not closed.
        intrinsics: of the camera.
        X_WC: pose of the camera: x right, y down, z forward.
        clipping: what is drawn; nothing nearer, nothing farther.
        corrected: whether to undo the renderer's habit of where it samples a pixel.

    Raises:
        TypeError, ValueError: no world, no intrinsics, no pose, no clipping range, or one too wide
            for float32.
        RuntimeError: the world is closed.
    """
    if not isinstance(world, BulletWorld):
        raise TypeError(f"world: expected BulletWorld(scene), got {type(world).__name__}")
    X_WC = as_pose(X_WC, name="X_WC")
    projection = projection_matrix(
        intrinsics, clipping, shift=SAMPLE_SHIFT if corrected else (0.0, 0.0)
    )
    if np.float32(projection[2, 2]) == -1:  # Bullet reads the planes from it: far would be infinite
        raise ValueError(
            f"clipping: far / near is {clipping.far / clipping.near:.3g}, too much for Bullet's "
            "float32: every depth would be nan; bring the planes together, to 1e7 or less"
        )
    view = (X_WC * X_CG).inv().as_matrix()
    _, _, colour, buffer, uid = world.call(
        "getCameraImage",
        intrinsics.width,
        intrinsics.height,
        view.ravel(order="F").tolist(),  # columns first, as in OpenGL
        projection.ravel(order="F").tolist(),
        shadow=0,
        lightDirection=rotate_vectors(X_WC, LIGHT_C).tolist(),
        renderer=world.constant("ER_TINY_RENDERER"),
    )
    shape = intrinsics.shape
    # Where pybullet was built without NumPy, these are flat tuples.
    buffer = np.array(buffer, np.float32).reshape(shape)
    body = world.bodies_of(np.reshape(uid, shape))
    labels = np.array([*(body_.label for body_ in world.scene.bodies), BACKGROUND], np.int32)
    # By rounding, the far plane's value can be 1 + 1e-7; the record keeps it.
    depth_m = depth_from_zbuffer(
        np.minimum(buffer, 1), clipping, ZBuffer.ZERO_TO_ONE, nothing_drawn="far"
    )
    return BulletImage(
        intrinsics=intrinsics,
        X_WC=X_WC,
        clipping=clipping,
        corrected=corrected,
        buffer=buffer,
        # The ids tell, and not the buffer: that is cleared to what rounds to 1, or just misses it,
        # and a surface just before the far plane may round to 1 as well.
        depth_m=np.where(body >= 0, depth_m, np.inf),
        colour=np.array(colour, np.uint8).reshape(*shape, 4),
        body=body,
        label=labels.take(body, mode="wrap"),  # body -1 is the last row
    )


def projection_matrix(
    intrinsics: Intrinsics, clipping: ClippingRange, *, shift: tuple[float, float] = (0.0, 0.0)
) -> NDArray[np.float64]:
    """OpenGL's projection, for any principal point: camera frame G -> clip coordinates.

    After division by the last of them, the image spans -1 to 1 from left to right and from bottom
    to top, and depth -1 to 1 from the near to the far plane.

    Args:
        intrinsics: of the camera.
        clipping: near and far plane.
        shift: added to the principal point (across, down), pixels.

    Returns:
        (4, 4).

    Raises:
        TypeError: no intrinsics, no clipping range.
    """
    check_intrinsics(intrinsics)
    if not isinstance(clipping, ClippingRange):
        raise TypeError(f"clipping: expected ClippingRange(near=..., far=...), got {clipping!r}")
    width, height = intrinsics.width, intrinsics.height
    near, far = clipping.near, clipping.far
    # To coordinates in which the image spans 0 to W and 0 to H.
    edge = PixelCentre.HALF.value - intrinsics.pixel_centre.value
    cx, cy = intrinsics.cx + edge + shift[0], intrinsics.cy + edge + shift[1]
    return np.array(
        [
            [2 * intrinsics.fx / width, 0, 1 - 2 * cx / width, 0],
            [0, 2 * intrinsics.fy / height, 2 * cy / height - 1, 0],
            [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, -1, 0],
        ]
    )
