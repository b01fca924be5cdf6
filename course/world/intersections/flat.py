"""Rays and solids with flat faces: a plane, and a box as three slabs."""

import numpy as np
from numpy.typing import NDArray

from course.world.intersections.records import Array, Intersection, met, met_at_once


def meet_plane(p_SO: Array, d_S: Array) -> Intersection:
    """With the half space z <= 0: only from above, and only going down."""
    height, slope = p_SO[:, 2], d_S[:, 2]
    meets = (height >= 0) & (slope < 0)
    distance = np.full(len(d_S), np.inf)
    np.divide(height, -slope, out=distance, where=meets)
    return Intersection(distance, np.broadcast_to([0.0, 0.0, 1.0], d_S.shape))


def meet_box(p_SO: Array, d_S: Array, size: tuple[float, float, float]) -> Intersection:
    """With a box: the ray is inside it while it is inside all three slabs |x_i| <= size_i / 2."""
    half = np.asarray(size) / 2
    enter, leave = slab(p_SO, d_S, half)
    side = np.sign(d_S)

    entered = np.arange(3) == enter.argmax(axis=1, keepdims=True)  # the slab entered last
    first, last = enter.max(axis=1), leave.min(axis=1)
    inside: NDArray[np.bool_] = (np.abs(p_SO) - half).max(axis=1) <= 0
    outcome = met((first <= last) & (first >= 0), first, np.where(entered, -side, 0.0))
    return met_at_once(inside, outcome, d_S)


def slab(x: Array, slope: Array, half: Array | float) -> tuple[Array, Array]:
    """Where coordinates `x + distance * slope` enter the interval from -half to half, and leave it.

    A ray parallel to a slab is inside it always, or never.
    """
    within: NDArray[np.bool_] = np.abs(x) <= half
    enter, leave = np.where(within, -np.inf, np.inf), np.where(within, np.inf, -np.inf)
    crosses, side = slope != 0, np.sign(slope)
    # A direction component of 1e-310 gives an infinite distance, which is the right answer.
    with np.errstate(over="ignore"):
        np.divide(-side * half - x, slope, out=enter, where=crosses)
        np.divide(side * half - x, slope, out=leave, where=crosses)
    return enter, leave
