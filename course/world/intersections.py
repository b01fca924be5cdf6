"""Where a ray first meets a solid: float64 closed forms, in the frame S of the solid.

Every function takes N starts p_SO (N, 3) m and N unit directions d_S (N, 3), and gives an
`Intersection` with N rows. Solids are closed. A ray that starts inside a box or a sphere meets it
at once (PhysX reports the same); one that starts below a plane never does.
"""

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


def meet_plane(p_SO: Array, d_S: Array) -> Intersection:
    """With the half space z <= 0: only from above, and only going down."""
    height, slope = p_SO[:, 2], d_S[:, 2]
    meets = (height >= 0) & (slope < 0)
    distance = np.full(len(d_S), np.inf)
    np.divide(height, -slope, out=distance, where=meets)
    return Intersection(distance, np.broadcast_to([0.0, 0.0, 1.0], d_S.shape))


def meet_sphere(p_SO: Array, d_S: Array, radius: float) -> Intersection:
    """With a ball.

    The textbook root -b - sqrt(b^2 - c), with b = p.d and c = p.p - r^2, subtracts squares of the
    distance from the start: from 10 km it loses 8 digits. Here the discriminant is r^2 - |q|^2,
    factored, with the foot q of the perpendicular from the centre to the ray: numbers of the size
    of the sphere.
    """
    along = np.einsum("ij,ij->i", p_SO, d_S)  # b
    foot = p_SO - along[:, np.newaxis] * d_S
    miss_by = np.linalg.norm(foot, axis=1)
    half_chord = np.sqrt(np.maximum((radius - miss_by) * (radius + miss_by), 0))
    inside = np.linalg.norm(p_SO, axis=1) <= radius
    meets = ~inside & (miss_by <= radius) & (along < 0)

    distance = np.where(inside, 0.0, np.where(meets, -along - half_chord, np.inf))
    p_SH = foot - half_chord[:, np.newaxis] * d_S
    n_S = p_SH / np.linalg.norm(p_SH, axis=1, keepdims=True)
    return Intersection(distance, np.where(inside[:, np.newaxis], -d_S, n_S))


def meet_box(p_SO: Array, d_S: Array, size: tuple[float, float, float]) -> Intersection:
    """With a box: the ray is inside it while it is inside all three slabs |x_i| <= size_i / 2."""
    half = np.asarray(size) / 2
    within: NDArray[np.bool_] = np.abs(p_SO) <= half
    # A ray parallel to a slab is inside it always or never.
    enter, leave = np.where(within, -np.inf, np.inf), np.where(within, np.inf, -np.inf)
    crosses = d_S != 0
    side = np.sign(d_S)
    # A direction component of 1e-310 gives an infinite distance, which is the right answer.
    with np.errstate(over="ignore"):
        np.divide(-side * half - p_SO, d_S, out=enter, where=crosses)
        np.divide(side * half - p_SO, d_S, out=leave, where=crosses)

    entered = np.arange(3) == enter.argmax(axis=1, keepdims=True)  # the slab entered last
    first, last = enter.max(axis=1), leave.min(axis=1)
    inside: NDArray[np.bool_] = (np.abs(p_SO) - half).max(axis=1) <= 0
    meets = ~inside & (first <= last) & (first >= 0)
    distance = np.where(inside, 0.0, np.where(meets, first, np.inf))
    n_S = np.where(entered, -side, 0.0)
    return Intersection(distance, np.where(inside[:, np.newaxis], -d_S, n_S))
