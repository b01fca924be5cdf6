"""A range camera: one cast gives range, label, body and normal of what each pixel sees.

Frames and pixels are those of `course.sensors.intrinsics`. What a pixel sees is found along one ray
through its centre: there is no blur, no noise, no shutter. A pixel that sees nothing has range inf,
label and body -1, normal nan.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import RigidTransform

from course.sensors.intrinsics import Intrinsics, unit_rays
from course.world.casters import Caster
from course.world.checks import Floats, positive, read_only
from course.world.poses import as_pose, rotate_vectors
from course.world.rays import Rays

BACKGROUND = -1
"""Label of a pixel that sees nothing: no body can have it, as labels are 0 or more."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RangeImage:
    """What a camera saw; arrays are read-only.

    Attributes:
        intrinsics: of the camera.
        X_WC: its pose.
        max_range: m, how far it looked along each ray.
        range_m: (H, W) m along the ray, in the precision of the caster; inf where there is nothing.
        label: (H, W) int32 label of the body; BACKGROUND where there is nothing.
        body: (H, W) int32 place in `scene.bodies`; -1 where there is nothing.
        n_W: (H, W, 3) unit normal of the surface in the world; nan where there is nothing.
    """

    intrinsics: Intrinsics
    X_WC: RigidTransform
    max_range: float
    range_m: Floats
    label: NDArray[np.int32]
    body: NDArray[np.int32]
    n_W: Floats

    def __post_init__(self) -> None:
        for array in (self.range_m, self.label, self.body, self.n_W):
            array.flags.writeable = False

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """(H, W) whether a pixel sees anything."""
        return read_only(self.body >= 0)


def cast_image(
    caster: Caster,
    intrinsics: Intrinsics,
    X_WC: RigidTransform | ArrayLike,
    *,
    max_range: float = math.inf,
) -> RangeImage:
    """Take an image of the caster's scene.

    Args:
        caster: bound to the scene.
        intrinsics: of the camera.
        X_WC: pose of the camera: x right, y down, z forward.
        max_range: m along the ray.

    Raises:
        TypeError, ValueError: no pose, or no positive range.
    """
    X_WC = as_pose(X_WC, name="X_WC")
    max_range = positive(max_range, name="max_range", unit="m", infinite=True)
    d_C = unit_rays(intrinsics, caster.capabilities.precision)
    d_W = rotate_vectors(X_WC, d_C).reshape(-1, 3)
    d_W.flags.writeable = False  # nobody else has it, so `Rays` need not copy it
    hits = caster.cast_first(Rays(p_WO=X_WC.translation, d_W=d_W, max_distance=max_range))

    labels = np.array([*(body.label for body in caster.scene.bodies), BACKGROUND], np.int32)
    label = labels.take(hits.body, mode="wrap")  # body -1 is the last row
    return RangeImage(
        intrinsics=intrinsics,
        X_WC=X_WC,
        max_range=max_range,
        range_m=hits.distance.reshape(intrinsics.shape),
        label=label.reshape(intrinsics.shape),
        body=hits.body.reshape(intrinsics.shape),
        n_W=hits.n_W.reshape(*intrinsics.shape, 3),
    )
