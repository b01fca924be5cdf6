"""Sensors: what is measured in a scene, as arrays whose frame, unit and invalid value are stated."""

from course.sensors.camera import BACKGROUND, RangeImage, cast_image
from course.sensors.cloud import Cloud, ColourImage, cloud_from_depth
from course.sensors.contract import Observation, faults, require
from course.sensors.depth import depth_from_range, range_from_depth, unproject
from course.sensors.depth_formats import (
    TOO_CLOSE_MM,
    TOO_FAR_MM,
    decode_depth_16u,
    encode_depth_16u,
)
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.sensors.products import (
    COLOUR,
    DEPTH,
    DEPTH_16U,
    FORCE,
    SCAN,
    SEGMENTATION,
    SPECIFIC_FORCE,
    Contract,
)
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
from course.sensors.rgbd import PALETTE_RGBA, RgbdFrame, capture, colour_of_depth
from course.sensors.zbuffer import ZBuffer, depth_from_zbuffer, zbuffer_from_depth, zbuffer_step

__all__ = [
    "BACKGROUND",
    "COLOUR",
    "DEPTH",
    "DEPTH_16U",
    "FORCE",
    "PALETTE_RGBA",
    "SCAN",
    "SEGMENTATION",
    "SPECIFIC_FORCE",
    "TOO_CLOSE",
    "TOO_CLOSE_MM",
    "TOO_FAR",
    "TOO_FAR_MM",
    "ClippingRange",
    "Cloud",
    "ColourImage",
    "Contract",
    "DepthCamera",
    "DepthRange",
    "Intrinsics",
    "Observation",
    "PixelCentre",
    "RangeImage",
    "RgbdFrame",
    "ZBuffer",
    "capture",
    "cast_image",
    "check_ranges",
    "cloud_from_depth",
    "colour_of_depth",
    "decode_depth_16u",
    "depth_from_range",
    "depth_from_zbuffer",
    "encode_depth_16u",
    "faults",
    "loses_too_close",
    "measured_depth",
    "range_from_depth",
    "require",
    "unit_rays",
    "unproject",
    "zbuffer_from_depth",
    "zbuffer_step",
]
