"""Sensors: what is measured in a scene, as arrays whose frame, unit and invalid value are stated."""

from course.sensors.camera import BACKGROUND, RangeImage, cast_image
from course.sensors.depth import depth_from_range, range_from_depth, unproject
from course.sensors.depth_formats import (
    TOO_CLOSE_MM,
    TOO_FAR_MM,
    decode_depth_16u,
    encode_depth_16u,
)
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
from course.sensors.zbuffer import ZBuffer, depth_from_zbuffer, zbuffer_from_depth, zbuffer_step

__all__ = [
    "BACKGROUND",
    "TOO_CLOSE",
    "TOO_CLOSE_MM",
    "TOO_FAR",
    "TOO_FAR_MM",
    "ClippingRange",
    "DepthCamera",
    "DepthRange",
    "Intrinsics",
    "PixelCentre",
    "RangeImage",
    "ZBuffer",
    "cast_image",
    "check_ranges",
    "decode_depth_16u",
    "depth_from_range",
    "depth_from_zbuffer",
    "encode_depth_16u",
    "loses_too_close",
    "measured_depth",
    "range_from_depth",
    "unit_rays",
    "unproject",
    "zbuffer_from_depth",
    "zbuffer_step",
]
