"""Solids as triangles, for those who know nothing else: casters on triangles, and displays.

A box is 12 triangles, exactly. A sphere becomes an icosphere, whose vertices lie on it and whose
facets lie inside; the sag is how far inside, as a part of the radius. A plane has no end, and is no
mesh.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import trimesh
from numpy.typing import NDArray

from course.world.scene import Body
from course.world.shapes import Box, Plane, Sphere

SPHERE_SUBDIVISIONS = 4
"""5120 triangles; one step more has four times as many, and a quarter of the sag."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh:
    """A closed surface of triangles.

    Attributes:
        vertices: (V, 3) m.
        faces: (F, 3) int32, places in `vertices`, counterclockwise as seen from outside.
        normals: (F, 3) unit, out of the solid.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    normals: NDArray[np.float64]


def mesh_in_world(body: Body) -> Mesh:
    """The surface of a box or a sphere, in the world.

    Raises:
        TypeError: a plane.
    """
    match body.shape:
        case Box(size):
            mesh, scale = _unit_cube(), np.array(size)
        case Sphere(radius):
            mesh, scale = _unit_sphere(), np.full(3, radius)
        case Plane():
            raise TypeError(f"body {body.name!r}: a plane has no end, so it is no mesh")
    return Mesh(
        vertices=body.X_WB.apply(mesh.vertices * scale),
        faces=mesh.faces,
        # Scaling keeps these: a box's are along its axes, and a sphere is scaled alike on all axes.
        normals=mesh.normals @ body.X_WB.rotation.as_matrix().T,
    )


@cache
def sphere_sag() -> float:
    """Farthest that the facets of a sphere of radius 1 lie inside it: measured on the mesh."""
    sphere = _unit_sphere()
    corners = sphere.vertices[sphere.faces[:, 0]]
    return float(1 - np.einsum("ij,ij->i", sphere.normals, corners).min())


@cache
def _unit_sphere() -> Mesh:
    return _taken_over(trimesh.creation.icosphere(subdivisions=SPHERE_SUBDIVISIONS))


@cache
def _unit_cube() -> Mesh:
    return _taken_over(trimesh.creation.box((1, 1, 1)))


def _taken_over(mesh: trimesh.Trimesh) -> Mesh:
    return Mesh(
        vertices=np.array(mesh.vertices),
        faces=np.array(mesh.faces, np.int32),
        normals=np.array(mesh.face_normals),
    )
