"""Cooking: an engine stores the faces of a mesh in an order of its own, and counts them in that.

It sorts them so that faces that lie together stand together, and a hit then names a place in the
sorted list. Who gave colours or materials to the faces of the file needs the way back, and must
keep it at cooking time. (Of a cube with 12 faces, PhysX 5.3.1 said 9 for face 11 of the source.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.query.bounds import Bounds
from course.query.traversal import Tree
from course.world.checks import whole
from course.world.triangle_mesh import TriangleMesh


@dataclass(frozen=True, kw_only=True, eq=False)
class CookedMesh:
    """A mesh as an engine keeps it.

    Attributes:
        mesh: the same faces in the engine's order.
        source_faces: (F,) place of a face here -> its place in the source.
    """

    mesh: TriangleMesh
    source_faces: NDArray[np.int32]

    def source_face(self, face: int) -> int:
        """Where the face of a hit stands in the source.

        Raises:
            TypeError, ValueError: no such face.
        """
        place = whole(face, name="face", at_least=0)
        if place >= len(self.source_faces):
            raise ValueError(f"face: expected 0 to {len(self.source_faces) - 1}, got {place}")
        return int(self.source_faces[place])


def cooked(mesh: TriangleMesh) -> CookedMesh:
    """A mesh whose faces are in the order in which the tree of this package offers them."""
    corners = mesh.vertices[mesh.faces]
    boxes = [
        Bounds(lower=lower, upper=upper)
        for lower, upper in zip(corners.min(axis=1), corners.max(axis=1), strict=True)
    ]
    order = list(Tree.over(range(len(boxes)), boxes).offer(lambda _: True))
    source_faces = np.array(order, np.int32)
    source_faces.flags.writeable = False
    return CookedMesh(
        mesh=TriangleMesh(mesh.vertices, mesh.faces[order]), source_faces=source_faces
    )
