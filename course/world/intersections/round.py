"""Rays and round solids: sphere, capsule, cylinder. All start from the foot of a perpendicular.

The textbook root -b - sqrt(b^2 - c), with b = p.d and c = p.p - r^2, subtracts squares of the
distance from the start: from 10 km it loses 8 digits. Here the discriminant is r^2 - |q|^2,
factored, with the foot q of the perpendicular from the centre (or, for a mantle, from the axis) to
the ray: numbers of the size of the solid. What error remains grows as 1 / |cosine of incidence|.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.world.intersections.flat import slab
from course.world.intersections.records import Array, Intersection, met, met_at_once


def meet_sphere(p_SO: Array, d_S: Array, radius: float) -> Intersection:
    """With a ball."""
    along, foot = _foot(p_SO, d_S)
    miss_by = np.linalg.norm(foot, axis=1)
    half_chord = _half_chord(radius, miss_by)
    p_SH = foot - half_chord[:, np.newaxis] * d_S
    n_S = p_SH / np.linalg.norm(p_SH, axis=1, keepdims=True)

    outcome = met((miss_by <= radius) & (along < 0), -along - half_chord, n_S)
    return met_at_once(np.linalg.norm(p_SO, axis=1) <= radius, outcome, d_S)


def meet_cylinder(p_SO: Array, d_S: Array, radius: float, length: float) -> Intersection:
    """With a cylinder along z: inside it, a ray is inside both the mantle and a slab in z."""
    mantle = _Mantle.crossed(p_SO, d_S, radius)
    through_side, out_of_side = mantle.enter - mantle.along, mantle.leave - mantle.along
    through_cap, out_of_cap = slab(p_SO[:, 2], d_S[:, 2], length / 2)
    first, last = np.maximum(through_side, through_cap), np.minimum(out_of_side, out_of_cap)

    by_side = through_side > through_cap
    n_cap = np.zeros_like(d_S)
    n_cap[:, 2] = -np.sign(d_S[:, 2])
    n_S = np.where(by_side[:, np.newaxis], mantle.n_S, n_cap)
    outcome = met((first <= last) & (first >= 0), first, n_S)
    inside = (np.hypot(p_SO[:, 0], p_SO[:, 1]) <= radius) & (np.abs(p_SO[:, 2]) <= length / 2)
    return met_at_once(inside, outcome, d_S)


def meet_capsule(p_SO: Array, d_S: Array, radius: float, length: float) -> Intersection:
    """With a capsule along z, whose cap centres are `length` apart.

    It lies within its mantle without end. A ray that enters that beside the axis between the cap
    centres meets the side there; any other can only meet the ball at the end where it enters.
    """
    mantle = _Mantle.crossed(p_SO, d_S, radius)
    with np.errstate(invalid="ignore"):  # a ray that never enters, and stays at one height
        z_enter = mantle.foot[:, 2] + mantle.enter * d_S[:, 2]
    to_side = mantle.enter - mantle.along
    by_side = np.abs(z_enter) <= length / 2
    side = met(np.isfinite(to_side) & (to_side >= 0), to_side, mantle.n_S)

    p_cap = p_SO.copy()
    p_cap[:, 2] -= np.where(z_enter > 0, length / 2, -length / 2)
    cap = meet_sphere(p_cap, d_S, radius)
    to_cap = np.where(mantle.enter <= mantle.leave, cap.distance, np.inf)

    distance = np.where(by_side, side.distance, to_cap)
    n_S = np.where(by_side[:, np.newaxis], side.n_S, cap.n_S)
    p_axis = p_SO.copy()  # from the nearest point between the cap centres
    p_axis[:, 2] -= np.clip(p_SO[:, 2], -length / 2, length / 2)
    inside = np.linalg.norm(p_axis, axis=1) <= radius
    return met_at_once(inside, Intersection(distance, n_S), d_S)


class _Mantle(NamedTuple):
    """Where rays cross a round mantle x^2 + y^2 = r^2 without end.

    Distances count from the foot of the perpendicular from the origin: from the start it is
    `-along` to there.

    Attributes:
        along: (N,) m.
        foot: (N, 3) m.
        enter, leave: (N,) m; -inf and inf for a ray that stays inside, inf and -inf outside.
        n_S: (N, 3) normal where it enters.
    """

    along: Array
    foot: Array
    enter: Array
    leave: Array
    n_S: Array

    @classmethod
    def crossed(cls, p_SO: Array, d_S: Array, radius: float) -> "_Mantle":
        """Seen along z a ray is a line in the plane, on which it advances `pace` m a metre."""
        along, foot = _foot(p_SO, d_S)
        pace = np.hypot(d_S[:, 0], d_S[:, 1])
        crosses = pace > 0
        ahead = np.zeros_like(d_S[:, :2])
        ahead[:, 0] = 1  # any direction will do for a ray along z, which crosses nothing
        np.divide(d_S[:, :2], pace[:, np.newaxis], out=ahead, where=crosses[:, np.newaxis])
        aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)

        miss_by = np.einsum("ij,ij->i", foot[:, :2], aside)
        past = np.einsum("ij,ij->i", foot[:, :2], ahead)
        half_chord = _half_chord(radius, np.abs(miss_by))
        within = np.where(crosses, np.abs(miss_by), np.hypot(foot[:, 0], foot[:, 1])) <= radius
        enter, leave = np.where(within, -np.inf, np.inf), np.where(within, np.inf, -np.inf)
        with np.errstate(over="ignore"):  # as good as parallel: infinite is the right answer
            np.divide(-past - half_chord, pace, out=enter, where=crosses & within)
            np.divide(-past + half_chord, pace, out=leave, where=crosses & within)

        n_S = np.zeros_like(d_S)
        n_S[:, :2] = miss_by[:, np.newaxis] * aside - half_chord[:, np.newaxis] * ahead
        n_S[:, :2] /= np.where(within, np.hypot(miss_by, half_chord), radius)[:, np.newaxis]
        return cls(along=along, foot=foot, enter=enter, leave=leave, n_S=n_S)


def _foot(p_SO: Array, d_S: Array) -> tuple[Array, Array]:
    """p.d (N,) m, and the foot (N, 3) m of the perpendicular from the origin to each ray."""
    along = np.einsum("ij,ij->i", p_SO, d_S)
    return along, p_SO - along[:, np.newaxis] * d_S


def _half_chord(radius: float, miss_by: Array) -> NDArray[np.float64]:
    """Half of the way (N,) m through a circle of a line that misses its centre by `miss_by`."""
    return np.asarray(np.sqrt(np.maximum((radius - miss_by) * (radius + miss_by), 0)))
