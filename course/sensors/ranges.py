"""Two ranges of a depth camera: what is drawn, and what is measured.

The clipping range says what a renderer draws: a surface nearer than the near plane is not there,
and hides nothing. The depth range says which depths the camera reports. It lies within the clipping
range, so that what is drawn but is too near still hides what is behind it, and reads "too close".

Both are ranges of axial depth z, not of the length of a ray. Sentinels are those of Drake's images
in metres: 0 for too close, +inf for too far or nothing there. So +inf does not mean that the way is
clear: what the near plane cut away reads +inf as well.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from course.sensors.depth import metres
from course.sensors.intrinsics import Intrinsics, check_intrinsics
from course.world.checks import Floats, positive

TOO_CLOSE = 0.0
"""Depth of a pixel that sees something nearer than the depth range, m."""

TOO_FAR = np.inf
"""Depth of a pixel that sees something beyond the depth range, or nothing, m."""


@dataclass(frozen=True, kw_only=True)
class ClippingRange:
    """What is drawn: surfaces from the near to the far plane, 0 < near < far.

    Attributes:
        near: depth of the near plane, m; 0 would make every depth that a z-buffer holds useless.
        far: depth of the far plane, m, finite: a z-buffer has its last value there.

    Raises:
        TypeError, ValueError: not positive and finite, or not in this order.
    """

    near: float
    far: float

    def __post_init__(self) -> None:
        _in_order(self, "near", "far")


@dataclass(frozen=True, kw_only=True)
class DepthRange:
    """What is measured: depths from minimum to maximum, both included, 0 < minimum < maximum.

    Attributes:
        minimum: m; what is nearer reads TOO_CLOSE.
        maximum: m; what is farther reads TOO_FAR.

    Raises:
        TypeError, ValueError: not positive and finite, or not in this order.
    """

    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        _in_order(self, "minimum", "maximum")


@dataclass(frozen=True, kw_only=True)
class DepthCamera:
    """A camera that measures depth: its rays, what it draws, and what it reports.

    Attributes:
        intrinsics: which ray each pixel sees.
        clipping: what is drawn.
        depth_range: what is measured; within `clipping`.

    Raises:
        TypeError, ValueError: no intrinsics; else as `check_ranges`.
    """

    intrinsics: Intrinsics
    clipping: ClippingRange
    depth_range: DepthRange

    def __post_init__(self) -> None:
        check_intrinsics(self.intrinsics)
        check_ranges(self.clipping, self.depth_range)

    @property
    def loses_too_close(self) -> bool:
        """Whether it can never report "too close"; see the function of this name."""
        return loses_too_close(self.clipping, self.depth_range)


def check_ranges(clipping: ClippingRange, depth_range: DepthRange) -> None:
    """Refuse a depth range that is not within the clipping range.

    Equal ends are accepted, as Drake does; ask `loses_too_close` what an equal near end costs.

    Raises:
        TypeError: not these two records, such as both in the other order.
        ValueError: says which end sticks out, and what would be reported there.
    """
    for name, value, kind in (
        ("clipping", clipping, ClippingRange),
        ("depth_range", depth_range, DepthRange),
    ):
        if not isinstance(value, kind):
            raise TypeError(f"{name}: expected {kind.__name__}(...), got {value!r}")
    if depth_range.minimum < clipping.near:
        raise ValueError(
            f"depth_range: the minimum {depth_range.minimum:g} m is nearer than the near plane at "
            f"{clipping.near:g} m: nothing is drawn between them, so it would be seen through; "
            "move the near plane closer, or raise the minimum"
        )
    if depth_range.maximum > clipping.far:
        raise ValueError(
            f"depth_range: the maximum {depth_range.maximum:g} m is beyond the far plane at "
            f"{clipping.far:g} m: nothing is drawn between them, so it would read as empty; "
            "move the far plane away, or lower the maximum"
        )


def loses_too_close(clipping: ClippingRange, depth_range: DepthRange) -> bool:
    """Whether these ranges can never report "too close".

    That is so if the near plane lies at the minimum: whatever is too close is cut away before it is
    measured, and the camera sees through it.

    Raises:
        TypeError, ValueError: as `check_ranges`.
    """
    check_ranges(clipping, depth_range)
    return depth_range.minimum == clipping.near


def measured_depth(depth_m: ArrayLike, depth_range: DepthRange) -> Floats:
    """What a camera reports of the depths that it sees.

    The ends of the depth range count as measured. Do not rely on that: at exactly the ends, Drake's
    two renderers differ (1.51.1: VTK reports too close and too far there, GL the depth).

    Args:
        depth_m: (...) m, 0 or more; inf where nothing is seen. float32 stays float32.
        depth_range: what is measured.

    Returns:
        (...) m: TOO_CLOSE = 0 nearer than the minimum, TOO_FAR = inf beyond the maximum; nan stays.

    Raises:
        TypeError: not real numbers, integers as images have them, or no depth range.
        ValueError: negative depths.
    """
    if not isinstance(depth_range, DepthRange):
        raise TypeError(f"depth_range: expected DepthRange(...), got {depth_range!r}")
    depth = metres(depth_m, name="depth_m")
    # The ends in the precision of the depths, so that a float32 at an end is in the range.
    with np.errstate(over="ignore"):  # an end beyond float32 is beyond all depths in float32
        low, high = np.array([depth_range.minimum, depth_range.maximum]).astype(depth.dtype)
    reported = np.where(depth < low, depth.dtype.type(TOO_CLOSE), depth)
    return np.asarray(np.where(depth > high, depth.dtype.type(TOO_FAR), reported))


def _in_order(record: object, low: str, high: str) -> None:
    """Check both ends of a range, and keep them as floats."""
    kind = type(record).__name__
    for name in (low, high):
        value = positive(getattr(record, name), name=f"{kind}.{name}", unit="m")
        object.__setattr__(record, name, value)
    if not getattr(record, low) < getattr(record, high):
        raise ValueError(
            f"{kind}: expected {low} < {high}, "
            f"got {getattr(record, low):g} m and {getattr(record, high):g} m"
        )
