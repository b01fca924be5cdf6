"""Depth in 16 bits: whole millimetres, and two of the 65,536 values are no depths.

0 means too close, 65535 too far, nothing there or not known. So the farthest depth that can be told
is 65.534 m, and a mean over an image is wrong unless both are left out.

The arithmetic is that of Drake (measured in 1.51.1 and 1.57.0), because at a whole millimetre the
last bit decides which integer comes out: metres are float32, they are multiplied by 1000 in
float32, then saturated to 0 and 65535, and truncated, not rounded. A wall that was rendered at
0.99999976 m is 999 mm. What the two forms cannot both hold is lost: nan and +inf both become 65535,
and a negative depth becomes 0, as if it were too close.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.checks import array_of, floats

TOO_CLOSE_MM = 0
"""What an image in mm holds where something is nearer than the camera can measure."""

TOO_FAR_MM = 65535
"""What an image in mm holds beyond the range, beyond 65.534 m, and where nothing is known."""


def encode_depth_16u(depth_m: ArrayLike) -> NDArray[np.uint16]:
    """Metres to whole millimetres.

    Args:
        depth_m: (...) m; rounded to float32 first, if it is not. Sentinels 0 and inf are those of
            `measured_depth`.

    Returns:
        (...) mm, truncated; TOO_FAR_MM for nan, +inf, and 65.535 m or more; 0 for what is less than
        1 mm, negative or -inf, as Drake has it.

    Raises:
        TypeError: not metres: integers as images have them (int64 is taken, as NumPy makes it of
            whole numbers), booleans, no numbers, a masked array.
        ValueError: rows of different lengths.
    """
    depth = floats(depth_m, name="depth_m")
    if (kind := np.asarray(depth_m).dtype).kind in "ui" and kind != np.int64:
        raise TypeError(
            f"depth_m: expected metres as float32, got {kind}{_hint(kind, encode=True)}"
        )
    with np.errstate(over="ignore"):  # beyond float32 is too far as well
        millimetres = depth.astype(np.float32) * np.float32(1000)
    known = np.where(np.isnan(millimetres), np.float32(TOO_FAR_MM), millimetres)
    saturated = np.clip(known, TOO_CLOSE_MM, TOO_FAR_MM)
    return np.asarray(saturated.astype(np.uint16))  # a cast truncates


def decode_depth_16u(depth_mm: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Whole millimetres to metres.

    Args:
        depth_mm: (...) uint16.

    Returns:
        (...) m: the float32 nearest to mm / 1000; inf for TOO_FAR_MM, and 0 stays 0, too close.

    Raises:
        TypeError: anything but uint16: a picture, signed or wider integers, metres; a masked array.
        ValueError: rows of different lengths.
    """
    array = array_of(depth_mm, name="depth_mm")
    if (array.dtype.kind, array.dtype.itemsize) != ("u", 2):  # in either order of its bytes
        hint = _hint(array.dtype, encode=False)
        raise TypeError(f"depth_mm: expected uint16 millimetres, got {array.dtype}{hint}")
    # In float64: 65534 times the float32 that is nearest to 0.001 would be 65.534004.
    metres = (array * 0.001).astype(np.float32)
    return np.asarray(np.where(array == TOO_FAR_MM, np.float32(np.inf), metres))


def _hint(kind: np.dtype[np.generic], *, encode: bool) -> str:
    """What an array of another type probably is, and how to mend it."""
    if kind == np.uint8:
        return "; that is a picture, not metres: take the depth from before it was drawn"
    if kind == np.int16:
        return (
            "; signed millimetres end at 32.767 m, and 40 m wraps to -25536; write uint16 where "
            "they come from; where none is negative, .astype(np.uint16) keeps them"
        )
    if encode:
        return "; are they millimetres already? they would be multiplied by 1000 once more"
    if kind.kind == "f":
        return "; are they metres? encode_depth_16u makes millimetres of metres"
    return "; if they are millimetres from 0 to 65535, write .astype(np.uint16)"
