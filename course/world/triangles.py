"""Shapes as triangles, for those who know nothing else: casters on triangles, and displays.

A mesh stays as it is, and a box is 12 triangles, exactly. A curved surface becomes facets, whose
vertices lie on it and which lie inside; the sag is how far inside, as a part of the radius. A plane
has no end, and is no mesh.

Each kind of solid is first one mesh of a nominal size, made once. What brings it to size leaves the
normals of its faces as they are.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from course.world.scene import Body
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

SPHERE_SUBDIVISIONS = 4
"""5120 triangles; one step more has four times as many, and a quarter of the sag."""

CAPSULE_SECTIONS = (48, 96)
"""Half rings from tip to tip, and sections around: squares of 3.75 degrees, 9216 triangles."""

CYLINDER_SECTIONS = 72
"""288 triangles."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh:
    """A surface of triangles, closed if it is that of a solid.

    Attributes:
        vertices: (V, 3) m.
        faces: (F, 3) int32, places in `vertices`, counterclockwise as seen from the front, or outside.
        normals: (F, 3) unit, to the front, or out of the solid.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.integer[Any]]
    normals: NDArray[np.float64]


def mesh_in_world(body: Body) -> Mesh:
    """The surface of a shape, in the world.

    Raises:
        TypeError: a plane.
    """
    mesh: Mesh | TriangleMesh
    match body.shape:
        case TriangleMesh() as mesh:
            vertices = mesh.vertices
        case Box(size):
            mesh = _unit_cube()
            vertices = mesh.vertices * size
        case Sphere(radius):
            mesh = _unit_sphere()
            vertices = mesh.vertices * radius
        case Capsule(radius, length):
            mesh = _unit_capsule()
            centres = _cap_centres(mesh)
            vertices = centres * length + (mesh.vertices - centres) * radius
        case Cylinder(radius, length):
            mesh = _unit_cylinder()
            vertices = mesh.vertices * (radius, radius, length)
        case Plane():
            raise TypeError(f"body {body.name!r}: a plane has no end, so it is no mesh")
    return Mesh(
        vertices=body.X_WB.apply(vertices),
        faces=mesh.faces,
        normals=mesh.normals @ body.X_WB.rotation.as_matrix().T,
    )


@cache
def sag_of_curves() -> float:
    """Farthest that facets lie inside a curved surface of radius 1: measured on the meshes."""
    sphere, capsule, cylinder = _unit_sphere(), _unit_capsule(), _unit_cylinder()
    return max(
        _sag(sphere, sphere.vertices),
        _sag(capsule, capsule.vertices - _cap_centres(capsule)),
        _sag(cylinder, cylinder.vertices * (1, 1, 0)),
    )


def _sag(mesh: Mesh, from_centre: NDArray[np.float64]) -> float:
    """The same of one mesh, whose vertices are at (V, 3) m from their centre or axis."""
    height = np.einsum("ij,ij->i", mesh.normals, from_centre[mesh.faces[:, 0]])
    return float(1 - height[height > 0].min())  # those at height 0 are flat ends


def _cap_centres(capsule: Mesh) -> NDArray[np.float64]:
    """(V, 3) the centre of the half ball that each vertex of the unit capsule belongs to."""
    return np.sign(capsule.vertices) * (0, 0, 0.5)


@cache
def _unit_sphere() -> Mesh:
    return _taken_over(trimesh.creation.icosphere(subdivisions=SPHERE_SUBDIVISIONS))


@cache
def _unit_cube() -> Mesh:
    return _taken_over(trimesh.creation.box((1, 1, 1)))


@cache
def _unit_capsule() -> Mesh:
    """Radius 1, and 1 between the centres; no vertex lies halfway, at z = 0."""
    return _taken_over(trimesh.creation.capsule(height=1, radius=1, count=CAPSULE_SECTIONS))


@cache
def _unit_cylinder() -> Mesh:
    return _taken_over(trimesh.creation.cylinder(radius=1, height=1, sections=CYLINDER_SECTIONS))


def _taken_over(mesh: trimesh.Trimesh) -> Mesh:
    return Mesh(
        vertices=np.array(mesh.vertices),
        faces=np.array(mesh.faces, np.int32),
        normals=np.array(mesh.face_normals),
    )
