"""What an intersection with a solid is: one row a ray."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Intersection(NamedTuple):
    """First meeting of each of N rays with one solid; rows of `n_S` without a meeting mean nothing.

    Attributes:
        distance: (N,) m; inf where they never meet.
        n_S: (N, 3) unit normal out of the solid; -d_S for a start inside it.
    """

    distance: Array
    n_S: Array


def met(meets: NDArray[np.bool_], distance: Array, n_S: Array) -> Intersection:
    """The meetings where `meets` (N,) is true."""
    return Intersection(np.where(meets, distance, np.inf), n_S)


def met_at_once(inside: NDArray[np.bool_], else_: Intersection, d_S: Array) -> Intersection:
    """The same meetings, except that rays that start inside (N,) are at distance 0."""
    distance = np.where(inside, 0.0, else_.distance)
    return Intersection(distance, np.where(inside[:, np.newaxis], -d_S, else_.n_S))
