"""A shape of triangles: a surface, open or closed, as given by its corners.

A mesh has no inside, even where its surface is closed: what there is are faces, each with a front,
from where its corners are seen counterclockwise, and a back. Its normal points to the front.

A point of a face is known by barycentric coordinates: (u, v) is `(1 - u - v) a + u b + v c`, with
the corners a, b, c in the order of `faces`.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.checks import finite, floats, read_only, shaped

THINNEST = 1e-12
"""Height of a face as a part of its longest edge: below it, rounding decides where it points."""


@dataclass(frozen=True, eq=False, repr=False)
class TriangleMesh:
    """A surface of triangles. Arrays are copied, and read-only; equal to no other but itself.

    Attributes:
        vertices: (V, 3) m, finite.
        faces: (F, 3) int32, places in `vertices`, counterclockwise as seen from the front (for a
            solid: from outside). Any integers are taken.
        normals: (F, 3) unit, to the front.

    Raises:
        TypeError: other numbers than these.
        ValueError: other shapes, no face, nan or infinity, or a face that names no vertex or has
            no area; says which.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.integer[Any]]
    normals: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        given = floats(self.vertices, name="TriangleMesh.vertices").astype(np.float64)
        vertices = shaped(given, ("V", 3), name="TriangleMesh.vertices")
        finite(vertices, name="TriangleMesh.vertices")
        faces = _places(self.faces, count=len(vertices))
        normals = _normals(vertices[faces], faces)
        for name, array in (("vertices", vertices), ("faces", faces), ("normals", normals)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        return f"TriangleMesh({len(self.vertices)} vertices, {len(self.faces)} faces)"

    @property
    def bounding_radius(self) -> float:
        """Distance from the frame's origin to the farthest point of a face, m."""
        return float(np.linalg.norm(self.vertices[np.unique(self.faces)], axis=1).max())

    def points(self, face: ArrayLike, uv: ArrayLike) -> NDArray[np.float64]:
        """Where barycentric coordinates are, in the frame of the mesh.

        Args:
            face: (N,) places in `faces`; -1 for none.
            uv: (N, 2).

        Returns:
            (N, 3) m; nan where there is no face.

        Raises:
            TypeError, ValueError, IndexError: no whole numbers, other shapes, or no such face.
        """
        places = shaped(np.asarray(face), ("N",), name="face")
        uv = shaped(floats(uv, name="uv").astype(np.float64), (len(places), 2), name="uv")
        u, v = uv[:, :1], uv[:, 1:]
        a, b, c = np.moveaxis(self.vertices[self.faces[places]], 1, 0)
        points = (1 - u - v) * a + u * b + v * c
        return read_only(np.where(places[:, np.newaxis] >= 0, points, np.nan))


def _places(value: ArrayLike, *, count: int) -> NDArray[np.int32]:
    """Faces as a new array of int32, all of which are places among `count` vertices."""
    try:
        faces = np.asarray(value)
    except ValueError:
        raise ValueError("TriangleMesh.faces: got rows of different lengths; triangles only") from (
            None
        )
    if faces.size and faces.dtype.kind not in "iu":
        raise TypeError(
            f"TriangleMesh.faces: expected whole numbers, got {faces.dtype}; try faces.astype(int)"
        )
    shaped(faces, ("F", 3), name="TriangleMesh.faces", hint="; triangles only")
    if not len(faces):
        raise ValueError("TriangleMesh.faces: expected at least one face, got none")
    outside = ((faces < 0) | (faces >= count)).any(axis=1)
    if outside.any():
        face = int(outside.argmax())
        raise ValueError(
            f"TriangleMesh.faces: face {face} is {faces[face].tolist()}, expected places among "
            f"{count} vertices: 0 to {count - 1} (some formats count from 1)"
        )
    return faces.astype(np.int32)


def _normals(corners: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.float64]:
    """(F, 3) unit normals of faces whose corners are (F, 3, 3) m."""
    edges = np.roll(corners, -1, axis=1) - corners
    with np.errstate(invalid="ignore"):  # 0 / 0: all corners are at one place
        # To a length near 1, as the squares of very short and very long edges are 0 or infinite.
        edges /= np.abs(edges).max(axis=(1, 2), keepdims=True)
    lengths = np.linalg.norm(edges, axis=2)
    # From the corner opposite to the longest edge: the two edges there are known best.
    second, first = ((lengths.argmax(axis=1)[:, np.newaxis] + (1, 2)) % 3).T
    rows = np.arange(len(edges))
    across = np.cross(edges[rows, second], edges[rows, first])
    height = np.linalg.norm(across, axis=1) / lengths.max(axis=1)
    thin = ~(height > THINNEST * lengths.max(axis=1))
    if thin.any():
        face = int(thin.argmax())
        raise ValueError(
            f"TriangleMesh.faces: face {face} is {faces[face].tolist()} and has no area: its "
            "corners lie on one line, so it has no normal; leave it out"
        )
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))
