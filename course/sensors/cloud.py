"""A cloud of points from a depth image, in which every pixel keeps its place.

Column v * W + u of the cloud is pixel (u, v), as in Drake's DepthImageToPointCloud. A pixel without
a depth has a column too: too close and too far become (inf, inf, inf), and nan stays nan. So columns
of clouds, labels and colours match, and `valid` says which may be used.

What Drake accepts without a word is refused here: millimetres without a scale, an image of another
size than the camera's, negative depths, and colours that are not registered.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import RigidTransform

from course.sensors.depth import metres, unproject
from course.sensors.depth_formats import TOO_FAR_MM
from course.sensors.intrinsics import Intrinsics, check_intrinsics
from course.world.checks import Floats, array_of, floats, positive, read_only, whole
from course.world.poses import IDENTITY, as_pose

REGISTERED_TOLERANCE = 1e-9
"""Largest difference in the entries of two poses that are meant to be one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ColourImage:
    """Colours with the camera that took them, which alone tells whether they fit a depth image.

    Attributes:
        values: (H, W, 3) or (H, W, 4), any type of number; copied.
        intrinsics: of the camera that took it.
        X_PC: pose of that camera in the frame P of the cloud.

    Raises:
        TypeError, ValueError: no numbers, a masked array, no intrinsics, no pose, or another shape
            than the camera's.
    """

    values: NDArray[np.generic]
    intrinsics: Intrinsics
    X_PC: RigidTransform = IDENTITY

    def __post_init__(self) -> None:
        values = array_of(self.values, name="colour")
        if values.dtype.kind not in "fiu":
            raise TypeError(f"colour: expected numbers, got {values.dtype}")
        if values.ndim != 3 or values.shape[2] not in (3, 4):
            raise ValueError(f"colour: expected shape (H, W, 3) or (H, W, 4), got {values.shape}")
        _fits(values.shape[:2], self.intrinsics, name="colour")
        copy = values.copy()  # it may be a view that the next frame overwrites
        copy.flags.writeable = False
        object.__setattr__(self, "values", copy)
        object.__setattr__(self, "X_PC", as_pose(self.X_PC, name="colour: X_PC"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Cloud:
    """Points in a frame P, one a pixel, none dropped; arrays are read-only, and copied if they come
    otherwise.

    Attributes:
        xyz: (3, H * W) m; inf where the depth is too close or too far, nan where it is not known.
        valid: (H * W,) whether there is a point.
        width: W, pixels of a row of the image: column = v * W + u.
        colour: (H * W, 3) or (H * W, 4), if there was a registered image.
    """

    xyz: Floats
    valid: NDArray[np.bool_]
    width: int
    colour: NDArray[np.generic] | None = None

    def __post_init__(self) -> None:
        for name in ("xyz", "valid", "colour"):
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, read_only(array))

    def points(self) -> Floats:
        """(M, 3) m: the valid points only, one a row, in the order of their pixels."""
        return np.asarray(self.xyz.T[self.valid])

    @cached_property
    def pixels(self) -> NDArray[np.intp]:
        """(H * W, 2): u and v of every column."""
        v, u = np.divmod(np.arange(self.xyz.shape[1]), self.width)
        return read_only(np.stack([u, v], axis=1))

    def column(self, u: int, v: int) -> int:
        """The column of a pixel.

        Raises:
            TypeError, ValueError: no pixel of the image.
        """
        height = self.xyz.shape[1] // self.width
        u, v = whole(u, name="u", at_least=0), whole(v, name="v", at_least=0)
        if u >= self.width or v >= height:
            raise ValueError(
                f"(u, v): expected u < {self.width} and v < {height}, got ({u}, {v}); "
                "u counts columns of the image, v rows"
            )
        return v * self.width + u


def cloud_from_depth(
    depth: ArrayLike,
    intrinsics: Intrinsics,
    X_PC: RigidTransform | ArrayLike = IDENTITY,
    *,
    scale: float | None = None,
    colour: ColourImage | None = None,
) -> Cloud:
    """Unproject every pixel of a depth image.

    Args:
        depth: (H, W) axial depth: float metres; or uint16 with its scale, in which 65535 is too far
            as well. 0 is too close, inf too far, in both.
        intrinsics: of the camera that took it.
        X_PC: pose of that camera in the frame P in which points are wanted: that of the imager, at
            the time of the image; not that of the body that carries it.
        scale: m per unit of `depth`, such as 0.001 for millimetres. float needs none.
        colour: of the same camera, or registered to it: intrinsics and pose are compared.

    Returns:
        The cloud in P, in float64.

    Raises:
        TypeError: other types of number: a picture in uint8, signed integers; uint16 without scale;
            a masked array; no intrinsics.
        ValueError: another size than the camera's, negative depths, no scale, no pose, or a colour
            image that is not registered.
    """
    X_PC = as_pose(X_PC, name="X_PC")
    depth_m = _metres(depth, scale)
    if depth_m.ndim == 3 and depth_m.shape[-1] == 1:
        raise ValueError(
            f"depth: expected shape (H, W), got {depth_m.shape}; choose the channel: depth[..., 0]"
        )
    _fits(depth_m.shape, intrinsics, name="depth")
    if colour is not None:
        _refuse_unregistered(colour, intrinsics, X_PC)

    p_C = unproject(depth_m, intrinsics).reshape(-1, 3)
    p_P = X_PC.apply(p_C)
    flat = depth_m.ravel()
    valid = np.isfinite(flat) & (flat > 0)
    p_P[~valid] = np.inf
    p_P[np.isnan(flat)] = np.nan
    xyz = np.ascontiguousarray(p_P.T)
    xyz.flags.writeable = valid.flags.writeable = False  # nobody else has them
    return Cloud(
        xyz=xyz,
        valid=valid,
        width=intrinsics.width,
        colour=None if colour is None else colour.values.reshape(flat.size, -1),
    )


def _metres(depth: ArrayLike, scale: float | None) -> Floats:
    """Depth in m, with 0 and inf for what is too close and too far."""
    array = array_of(depth, name="depth")
    if not isinstance(depth, np.ndarray):  # whole numbers in a list are metres
        array = floats(depth, name="depth") if array.dtype == np.int64 else array
    if (array.dtype.kind, array.dtype.itemsize) == ("u", 2):  # in either order of its bytes
        if scale is None:
            raise TypeError(
                "scale: expected scale=0.001 with uint16 millimetres, got none; without it the "
                "cloud would be 1000 times too large"
            )
        factor = positive(scale, name="scale", unit="m per unit of depth")
        return np.where(array == TOO_FAR_MM, np.inf, array * factor)
    if array.dtype.kind in "iu":
        hint = {
            np.dtype(np.uint8): "that is a picture of depth, not depth",
            np.dtype(np.int16): "signed millimetres end at 32.767 m and then turn negative",
        }.get(array.dtype, "are they millimetres? then .astype(np.uint16), with scale=0.001")
        raise TypeError(f"depth: expected float metres or uint16, got {array.dtype}; {hint}")
    depth_m = metres(array, name="depth")
    if scale is None:
        return depth_m
    return depth_m * positive(scale, name="scale", unit="m per unit of depth")


def _fits(shape: tuple[int, ...], intrinsics: Intrinsics, *, name: str) -> None:
    """Refuse an image of another size than the camera takes."""
    check_intrinsics(intrinsics, name=f"{name}: intrinsics")
    if shape != intrinsics.shape:
        swapped = shape == intrinsics.shape[::-1]
        hint = "; rows and columns are swapped, images are (H, W)" if swapped else ""
        raise ValueError(
            f"{name}: this camera takes images of (H, W) = {intrinsics.shape}, got {shape}{hint}"
        )


def _refuse_unregistered(colour: ColourImage, intrinsics: Intrinsics, X_PC: RigidTransform) -> None:
    """Refuse colours whose pixels look along other rays than those of the depth image."""
    if not isinstance(colour, ColourImage):
        raise TypeError(
            "colour: expected ColourImage(values=, intrinsics=, X_PC=), as an array alone does not "
            f"say which camera took it; got {type(colour).__name__}"
        )
    apart = np.abs(colour.X_PC.as_matrix() - X_PC.as_matrix()).max()
    differ = [
        *(["intrinsics"] if colour.intrinsics != intrinsics else []),
        *(["pose X_PC"] if apart > REGISTERED_TOLERANCE else []),
    ]
    if differ:
        raise ValueError(
            f"colour: not registered to the depth image: {' and '.join(differ)} differ, so pixel "
            "(u, v) of one is another point than pixel (u, v) of the other; register it first"
        )
