"""Rays and triangles: no ray slips through between two of them.

The test is that of Woop, Benthin and Wald (Watertight Ray/Triangle Intersection, 2013): corners are
sheared so that the ray runs along an axis, and the signs of three edge functions say whether it
passes within. Two faces that share an edge share those numbers, and a rounded product is never on
the wrong side of another: at worst a sign becomes 0, which counts as within. So a ray at an edge
may meet both faces there, and always meets one.

Corners and rays are taken from the foot of the perpendicular from the centre of the mesh to the
ray: numbers of the size of the mesh, however far away the ray starts.
"""

import numpy as np
from numpy.typing import NDArray

from course.world.intersections.records import Array, Touches
from course.world.triangle_mesh import TriangleMesh

BLOCK = 2**16
"""Pairs of ray and face that are looked at together: few, so that they stay in the cache."""


def meet_mesh(p_SO: Array, d_S: Array, mesh: TriangleMesh) -> Touches:
    """With the fronts of all faces; one seen from behind is as if it were not there."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    centre = low + (high - low) / 2
    corners = mesh.vertices - centre
    reach = np.linalg.norm(corners, axis=1).max()

    along = np.einsum("ij,ij->i", p_SO - centre, d_S)
    foot = (p_SO - centre) - along[:, np.newaxis] * d_S
    margin = 1e-9 * reach + 1e-15 * np.abs(along)  # rounding loses no ray here
    near = (np.linalg.norm(foot, axis=1) <= reach + margin) & (along <= reach + margin)
    rays = np.flatnonzero(near)
    step = max(1, BLOCK // max(len(mesh.faces), len(corners)))
    blocks = [rays[i : i + step] for i in range(0, len(rays), step)] or [rays]
    found = [_meet_block(foot[b], d_S[b], along[b], b, corners, mesh) for b in blocks]
    touches = Touches.joined(found)
    return touches.rows(np.lexsort((touches.face, touches.distance, touches.ray)))


def _meet_block(
    foot: Array,
    d_S: Array,
    along: Array,
    rays: NDArray[np.intp],
    corners: Array,
    mesh: TriangleMesh,
) -> Touches:
    """The same for some rays, which start `along` m ahead of their foot; `corners` from the centre."""
    x, y = _sheared(foot, d_S, corners)
    a, b, c = mesh.faces.T
    ax, bx, cx, ay, by, cy = x[:, a], x[:, b], x[:, c], y[:, a], y[:, b], y[:, c]
    to_a, to_b, to_c = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
    area = to_a + to_b + to_c  # of the face as the ray sees it, twice; negative from behind
    row, face = np.nonzero((to_a >= 0) & (to_b >= 0) & (to_c >= 0) & (area > 0))
    uv = np.stack([to_b[row, face], to_c[row, face]], axis=1) / area[row, face, np.newaxis]

    # From the plane of the face, as `area` is of few digits where the ray grazes it.
    n_S = mesh.normals[face]
    slope = np.einsum("ij,ij->i", n_S, d_S[row])
    height = np.einsum("ij,ij->i", n_S, foot[row] - corners[a[face]])
    ahead = slope < 0
    distance = np.full(len(row), -np.inf)
    np.divide(height, -slope, out=distance, where=ahead)
    distance -= along[row]
    touches = Touches(rays[row], distance, n_S, face.astype(np.int32), uv)
    return touches.rows(distance >= 0)


def _sheared(foot: Array, d_S: Array, corners: Array) -> tuple[Array, Array]:
    """(N, V) m twice: how far each corner is aside of each ray, in two directions.

    They are two coordinate axes, the third being that along which the ray advances most. Their
    order is such that the front of a face has a positive area.
    """
    rows = np.arange(len(d_S))
    forward = np.abs(d_S).argmax(axis=1)
    backwards = d_S[rows, forward] < 0
    first = (forward + np.where(backwards, 2, 1)) % 3
    second = (forward + np.where(backwards, 1, 2)) % 3
    ahead = corners.T[forward] - foot[rows, forward, np.newaxis]
    x, y = (
        (corners.T[axis] - foot[rows, axis, np.newaxis])
        - (d_S[rows, axis] / d_S[rows, forward])[:, np.newaxis] * ahead
        for axis in (first, second)
    )
    return x, y
