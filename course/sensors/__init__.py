"""Sensors: what is measured in a scene, as arrays whose frame, unit and invalid value are stated."""

from course.sensors.camera import BACKGROUND, RangeImage, cast_image
from course.sensors.depth import depth_from_range, range_from_depth, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays

__all__ = [
    "BACKGROUND",
    "Intrinsics",
    "PixelCentre",
    "RangeImage",
    "cast_image",
    "depth_from_range",
    "range_from_depth",
    "unit_rays",
    "unproject",
]
