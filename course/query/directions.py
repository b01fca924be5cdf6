"""Directions of queries: of length 1, or made so if one asks for it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.checks import finite, floats, shaped, unit
from course.world.rays import Rays


def unit_direction(d_W: ArrayLike, *, normalise: bool) -> NDArray[np.float64]:
    """A direction (3,) of length 1 in float64.

    An engine that takes any length measures distances in that length: twice as long, and the same
    wall is at half the distance. So another length is refused unless one asks for it to be mended.

    Args:
        d_W: (3,).
        normalise: scale it to length 1, instead of refusing other lengths.

    Raises:
        TypeError: not real numbers.
        ValueError: another shape, nan, infinity, zero, or another length.
    """
    d = finite(shaped(floats(d_W, name="d_W"), (3,), name="d_W"), name="d_W")
    if not d.any():
        raise ValueError("d_W: expected a direction, got zero")
    if not normalise:
        try:
            unit(d, name="d_W")
        except ValueError:
            length = float(np.linalg.norm(d.astype(np.float64)))
            raise ValueError(
                f"d_W: expected a direction of length 1, got {d.tolist()} of length {length:.9g}; "
                "normalise it first, or pass normalise=True"
            ) from None
    # Also what passed: float32 is of length 1 to seven digits only.
    d_W_unit: NDArray[np.float64] = Rays.through((0, 0, 0), d.astype(np.float64)[np.newaxis]).d_W[0]
    return d_W_unit
