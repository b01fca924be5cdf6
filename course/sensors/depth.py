"""Range and depth: two numbers for one point, and the way from one to the other.

Range is the length of the ray to the point. Depth is the point's z in the camera frame C: with the
unit ray d_C, that is `range * d_C[..., 2]`. They are equal on the optical axis, and everywhere else
depth is less: a flat wall that faces the camera has one depth, and many ranges.

inf means that the ray hit nothing, nan that nothing is known; both pass through as they are.
"""

import numpy as np
from numpy.typing import ArrayLike

from course.sensors.intrinsics import Intrinsics, unit_rays
from course.world.checks import Floats, floats, unit, vectors


def depth_from_range(range_m: ArrayLike, d_C: ArrayLike) -> Floats:
    """Depth of points at given ranges.

    Args:
        range_m: (...) m, 0 or more; inf and nan stay.
        d_C: (..., 3) unit rays, all forward (z > 0), such as `unit_rays(intrinsics)`.

    Returns:
        (...) m.

    Raises:
        TypeError: not real numbers, or integers as images have them, which are mostly in mm.
        ValueError: shapes that do not match, negative ranges, rays that are not of length 1 or not
            forward.
    """
    range_, forward = _checked(range_m, d_C, name="range_m")
    return np.asarray(range_ * forward)


def range_from_depth(depth_m: ArrayLike, d_C: ArrayLike) -> Floats:
    """Range of points at given depths, m: `depth_from_range` the other way, with its errors."""
    depth, forward = _checked(depth_m, d_C, name="depth_m")
    return np.asarray(depth / forward)


def unproject(depth_m: ArrayLike, intrinsics: Intrinsics) -> Floats:
    """The points that a depth image shows, one a pixel.

    Args:
        depth_m: (H, W) m; where it is inf or nan, there is no point. Where it is 0, the point is the
            pinhole: leave out what a camera reports as too close, as `cloud_from_depth` does.
        intrinsics: of the camera.

    Returns:
        p_C (H, W, 3) m in the camera frame; nan where there is no point, so that pixels keep their
        places.

    Raises:
        TypeError, ValueError: as `depth_from_range`.
    """
    d_C = unit_rays(intrinsics)
    range_ = range_from_depth(depth_m, d_C)
    known = np.where(np.isfinite(range_), range_, np.nan)
    return np.asarray(known[..., np.newaxis] * d_C)


def metres(value: ArrayLike, *, name: str) -> Floats:
    """`value` as an array of distances in metres: 0 or more, inf or nan.

    Raises:
        TypeError: not real numbers, or integers as images have them, which are mostly in mm; int64
            is taken, as NumPy makes it of whole numbers.
        ValueError: negative.
    """
    distance = floats(value, name=name)
    if (kind := np.asarray(value).dtype).kind in "ui" and kind != np.int64:
        sort = "unsigned integers" if kind.kind == "u" else "integers"
        raise TypeError(
            f"{name}: expected metres, got {kind}; images of {sort} are mostly in mm: "
            "divide by 1000 first"
        )
    if (distance < 0).any():
        lowest = np.nanmin(distance)
        raise ValueError(f"{name}: expected 0 m or more (inf on a miss), got {lowest:g}")
    return distance


def _checked(value: ArrayLike, d_C: ArrayLike, *, name: str) -> tuple[Floats, Floats]:
    """The distances (...), and how far along z each unit ray goes (...)."""
    distance, rays = metres(value, name=name), vectors(floats(d_C, name="d_C"), name="d_C")
    if distance.shape != rays.shape[:-1]:
        swapped = distance.shape == rays.shape[-2::-1] and distance.ndim == 2
        hint = "; rows and columns are swapped, images are (H, W)" if swapped else ""
        raise ValueError(f"{name}: expected shape {rays.shape[:-1]}, got {distance.shape}{hint}")
    forward = unit(rays, name="d_C")[..., 2]
    if not (forward > 0).all():
        raise ValueError(
            f"d_C: expected forward rays, z > 0, got z = {forward.min():g}; "
            "is it in the camera frame C?"
        )
    return distance, forward
