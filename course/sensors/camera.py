"""A range camera: one cast gives range, label, body and normal of what each pixel sees.

Frames and pixels are those of `course.sensors.intrinsics`. What a pixel sees is found along one ray
through its centre: there is no blur, no noise, no shutter. A pixel that sees nothing has range inf,
label and body -1, normal nan.

With a clipping range, the camera draws as a renderer does: each ray starts on the near plane, and
what lies nearer is not there. Where the near plane cuts a body open, its inside is seen, as by a
renderer that draws both sides of a face. A plane is seen from above only.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import RigidTransform

from course.sensors.depth import depth_from_range
from course.sensors.intrinsics import Intrinsics, check_intrinsics, unit_rays
from course.sensors.ranges import ClippingRange
from course.world.capabilities import Capabilities, InsideStart, Precision
from course.world.casters import Caster
from course.world.checks import Floats, positive, read_only
from course.world.poses import as_pose, rotate_vectors
from course.world.rays import Rays
from course.world.scene import NO_BODY
from course.world.triangle_mesh import TriangleMesh

BACKGROUND = -1
"""Label of a pixel that sees nothing: no body can have it, as labels are 0 or more."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RangeImage:
    """What a camera saw; arrays are read-only, and copied if they come otherwise.

    Attributes:
        intrinsics: of the camera.
        X_WC: its pose.
        max_range: m, how far it looked along each ray.
        clipping: what it drew; None if everything in front of it.
        range_m: (H, W) m along the ray from the camera's origin, in the precision of the caster;
            inf where there is nothing.
        label: (H, W) int32 label of the body; BACKGROUND where there is nothing.
        body: (H, W) int32 place in `scene.bodies`; -1 where there is nothing.
        n_W: (H, W, 3) unit normal of the surface in the world; nan where there is nothing.
    """

    intrinsics: Intrinsics
    X_WC: RigidTransform
    max_range: float
    clipping: ClippingRange | None = None
    range_m: Floats
    label: NDArray[np.int32]
    body: NDArray[np.int32]
    n_W: Floats

    def __post_init__(self) -> None:
        for name in ("range_m", "label", "body", "n_W"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """(H, W) whether a pixel sees anything."""
        return read_only(self.body >= 0)

    @cached_property
    def depth_m(self) -> Floats:
        """(H, W) m along the optical axis, of the same points; inf where there is nothing."""
        precision: Precision = "float32" if self.range_m.dtype == np.float32 else "float64"
        return read_only(depth_from_range(self.range_m, unit_rays(self.intrinsics, precision)))


def cast_image(
    caster: Caster,
    intrinsics: Intrinsics,
    X_WC: RigidTransform | ArrayLike,
    *,
    max_range: float = math.inf,
    clipping: ClippingRange | None = None,
) -> RangeImage:
    """Take an image of the caster's scene.

    Args:
        caster: bound to the scene.
        intrinsics: of the camera.
        X_WC: pose of the camera: x right, y down, z forward.
        max_range: m along the ray.
        clipping: each pixel sees the first surface whose depth lies within it, if any. It takes a
            caster for which a ray that starts inside a solid reports where it leaves it.

    Raises:
        TypeError, ValueError: no caster, no intrinsics, no pose, no positive range, no clipping
            range, or a caster that cannot look into a body that the near plane cuts open.
    """
    check_caster(caster)
    check_intrinsics(intrinsics)
    X_WC = as_pose(X_WC, name="X_WC")
    max_range = positive(max_range, name="max_range", unit="m", infinite=True)
    d_C = unit_rays(intrinsics, caster.capabilities.precision)
    d_W = rotate_vectors(X_WC, d_C).reshape(-1, 3)
    d_W.flags.writeable = False  # nobody else has it, so `Rays` need not copy it
    if clipping is None:
        hits = caster.cast_first(Rays(p_WO=X_WC.translation, d_W=d_W, max_distance=max_range))
        range_m, body, n_W = hits.distance, hits.body, hits.n_W
    else:
        _check_clipping(clipping, caster.capabilities)
        forward = d_C.reshape(-1, 3)[:, 2].astype(np.float64)
        range_m, body, n_W = _cast_clipped(
            caster, X_WC, d_W, forward, clipping=clipping, max_range=max_range
        )

    labels = np.array([*(body.label for body in caster.scene.bodies), BACKGROUND], np.int32)
    label = labels.take(body, mode="wrap")  # body -1 is the last row
    for array in (range_m, label, body, n_W):
        array.flags.writeable = False  # nobody else has it
    return RangeImage(
        intrinsics=intrinsics,
        X_WC=X_WC,
        max_range=max_range,
        clipping=clipping,
        range_m=range_m.reshape(intrinsics.shape),
        label=label.reshape(intrinsics.shape),
        body=body.reshape(intrinsics.shape),
        n_W=n_W.reshape(*intrinsics.shape, 3),
    )


def check_caster(caster: object) -> None:
    """Refuse what is no caster, such as a scene.

    Raises:
        TypeError: says how to make one.
    """
    if not isinstance(getattr(caster, "capabilities", None), Capabilities):
        raise TypeError(
            "caster: expected one that is bound to a scene, such as EmbreeCaster(scene), "
            f"got {type(caster).__name__}"
        )


def _cast_clipped(
    caster: Caster,
    X_WC: RigidTransform,
    d_W: Floats,
    forward: NDArray[np.float64],
    *,
    clipping: ClippingRange,
    max_range: float,
) -> tuple[Floats, NDArray[np.int32], Floats]:
    """Range (N,) from the camera, body (N,) and normal (N, 3) of what lies between the planes.

    `forward` (N,) is the z of each ray in the camera frame.
    """
    to_near = clipping.near / forward
    starts = X_WC.translation + to_near[:, np.newaxis] * d_W
    starts.flags.writeable = False
    hits = caster.cast_first(Rays(p_WO=starts, d_W=d_W))
    range_ = to_near + hits.distance
    # A surface beyond the end is the first of its ray, so nothing else lies before the end.
    drawn = (range_ <= max_range) & (range_ * forward <= clipping.far)
    range_m = np.where(drawn, range_, np.inf).astype(hits.distance.dtype)
    body = np.where(drawn, hits.body, np.int32(NO_BODY))
    n_W = np.where(drawn[:, np.newaxis], hits.n_W, hits.n_W.dtype.type(np.nan))
    return range_m, body, n_W


def _check_clipping(clipping: ClippingRange, capabilities: Capabilities) -> None:
    if not isinstance(clipping, ClippingRange):
        raise TypeError(f"clipping: expected ClippingRange(near=, far=), got {clipping!r}")
    habit = {
        InsideStart.ZERO: "reports such a body at distance 0, as a wall on the near plane",
        InsideStart.MISS: "does not see such a body at all",
        InsideStart.EXIT: "",
    }[capabilities.inside_start]
    if not habit and TriangleMesh in capabilities.shapes and not capabilities.mesh_back_faces:
        habit = "does not see the inside of a triangle mesh"
    if habit:
        raise ValueError(
            "clipping: rays start on the near plane, which may cut a body open, and a renderer "
            f"then shows its inside; the {capabilities.name} caster {habit}; "
            "use one that reports where a ray leaves a solid, such as EmbreeCaster(scene)"
        )
