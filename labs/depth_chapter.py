"""All that chapter 10, depth and range, asks: its exercises, predictions and quiz, in the order of the chapter."""

from labs.clipping_exercises import (
    CAMERA_READING,
    INFINITY_IS_NOT_CLEAR,
    NEAR_PLANE_AT_THE_MINIMUM,
)
from labs.cloud_exercises import POINTS_FROM_DEPTH, REPAIR_CLOUD, WHICH_PIXELS_HAVE_POINTS
from labs.depth_buffer_exercises import (
    DEPTH_FROM_BUFFER,
    NEAR_PLANE_THAT_MOVES,
    REVERSED_BUFFER,
)
from labs.depth_exercises import AXIAL_DEPTH, DEPTH_IMAGE, TWO_METRES_AT_30_DEGREES
from labs.depth_exercises import QUIZ as RANGE_OR_DEPTH
from labs.depth_format_exercises import (
    FROM_16_BIT,
    ONE_METRE_IN_SIXTEEN_BITS,
    SIXTEEN_BIT_MARK,
    TO_16_BIT,
)
from labs.image_array_exercises import CHANNEL_AXIS, OLD_ARRAY, VALID_MEAN

EXERCISES = (
    AXIAL_DEPTH,
    DEPTH_IMAGE,
    POINTS_FROM_DEPTH,
    REPAIR_CLOUD,
    CAMERA_READING,
    DEPTH_FROM_BUFFER,
    TO_16_BIT,
    FROM_16_BIT,
    VALID_MEAN,
)

PREDICTIONS = (
    TWO_METRES_AT_30_DEGREES,
    NEAR_PLANE_AT_THE_MINIMUM,
    ONE_METRE_IN_SIXTEEN_BITS,
)

QUIZ = (*RANGE_OR_DEPTH, INFINITY_IS_NOT_CLEAR, SIXTEEN_BIT_MARK, CHANNEL_AXIS, OLD_ARRAY)

DIAGNOSIS = (REVERSED_BUFFER, NEAR_PLANE_THAT_MOVES, WHICH_PIXELS_HAVE_POINTS)
"""Symptoms whose cause is to be found, to be asked by name beside the text; a quiz of nine questions is too long."""
