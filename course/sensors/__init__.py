"""Sensors: what is measured in a scene, as arrays whose frame, unit and invalid value are stated."""

from course.sensors.camera import BACKGROUND, RangeImage, cast_image
from course.sensors.depth import depth_from_range, range_from_depth, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.sensors.ranges import (
    TOO_CLOSE,
    TOO_FAR,
    ClippingRange,
    DepthCamera,
    DepthRange,
    check_ranges,
    loses_too_close,
    measured_depth,
)

__all__ = [
    "BACKGROUND",
    "TOO_CLOSE",
    "TOO_FAR",
    "ClippingRange",
    "DepthCamera",
    "DepthRange",
    "Intrinsics",
    "PixelCentre",
    "RangeImage",
    "cast_image",
    "check_ranges",
    "depth_from_range",
    "loses_too_close",
    "measured_depth",
    "range_from_depth",
    "unit_rays",
    "unproject",
]
