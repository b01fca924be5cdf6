"""The Embree caster: triangles in a tree, float32, millions of rays a second. For images and scans.

Embree knows triangles only, so a sphere becomes an icosphere, which lies inside it; the
capabilities say by how much. A plane has no end and stays a plane: its distance is computed first
and given to Embree as the end of the ray, so that whatever Embree still finds is in front of it.

One mesh a body. All faces, of meshes in order of construction and then of planes, are rows of one
table with a normal and a body; its last row stands for a miss. An answer of Embree is a mesh and a
face in it, that is, a row.

A ray that starts inside a solid reports where it leaves it: triangles have no inside. In float32 a
coordinate of 1 km is known to 0.06 mm; the declared tolerance, relative to the reach of the
coordinates, covers that.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import trimesh
from numpy.typing import NDArray

from course.world.capabilities import Capabilities, InsideStart
from course.world.casters import refuse_unsupported
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Plane, Sphere

try:
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene
except ImportError as error:
    raise ImportError("the Embree caster needs the package embreex: pip install embreex") from error

Float32 = NDArray[np.float32]

SPHERE_SUBDIVISIONS = 4
"""5120 triangles a sphere: one step more halves the angle of a facet and quarters its sag."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh:
    """A closed surface of triangles around the origin.

    Attributes:
        vertices: (V, 3) m.
        faces: (F, 3) int32, places in `vertices`.
        normals: (F, 3) unit, out of the solid.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    normals: NDArray[np.float64]

    @classmethod
    def of(cls, mesh: trimesh.Trimesh) -> "Mesh":
        """Take over what Embree needs from a trimesh mesh."""
        faces = mesh.faces.astype(np.int32)
        return cls(vertices=mesh.vertices.copy(), faces=faces, normals=mesh.face_normals.copy())


@cache
def unit_sphere() -> Mesh:
    """What stands for a sphere of radius 1: the vertices lie on it."""
    return Mesh.of(trimesh.creation.icosphere(subdivisions=SPHERE_SUBDIVISIONS))


@cache
def unit_cube() -> Mesh:
    """A box of size (1, 1, 1): 12 triangles."""
    return Mesh.of(trimesh.creation.box((1, 1, 1)))


@cache
def embree_capabilities() -> Capabilities:
    """What the Embree caster declares; the sag is measured on the mesh."""
    sphere = unit_sphere()
    corners = sphere.vertices[sphere.faces[:, 0]]
    facet_distance = np.einsum("ij,ij->i", sphere.normals, corners)
    return Capabilities(
        name="embree",
        precision="float32",
        shapes=frozenset({Plane, Box, Sphere}),
        inside_start=InsideStart.EXIT,
        below_plane=InsideStart.MISS,
        end_inclusive=True,
        distance_tolerance=5e-7,  # four roundings
        sag=float(1 - facet_distance.min()),
    )


class EmbreeCaster:
    """Builds Embree's tree for a scene once: 40 bodies take some 50 ms, and a moved body needs
    another caster.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.capabilities = embree_capabilities()
        refuse_unsupported(scene, self.capabilities)

        planes = [i for i, body in enumerate(scene.bodies) if isinstance(body.shape, Plane)]
        solids = [i for i, body in enumerate(scene.bodies) if not isinstance(body.shape, Plane)]
        self._embree = EmbreeScene(robust=True)  # no ray slips through between two triangles
        meshes = [_add_mesh(self._embree, scene.bodies[i]) for i in solids]
        planes_n_W = [scene.bodies[i].X_WB.rotation.as_matrix()[:, 2] for i in planes]

        face_counts = [len(normals) for normals in meshes]
        self._first_face = np.cumsum([0, *face_counts], dtype=np.int32)
        self._first_plane = int(self._first_face[-1])
        self._no_face = self._first_plane + len(planes)
        # The table of faces: meshes, planes, and the miss.
        self._n_W = np.vstack([*meshes, *planes_n_W, np.full(3, np.nan)]).astype(np.float32)
        owners = [*np.repeat(solids, face_counts), *planes, NO_BODY]
        self._body = np.array(owners, np.int32)
        self._p_WP = [scene.bodies[i].X_WB.translation for i in planes]

    def cast_first(self, rays: Rays) -> RayHits:
        """The nearest hit of each ray; see `course.world.casters.Caster`."""
        p_WO = np.ascontiguousarray(rays.p_WO, np.float32)
        d_W = np.ascontiguousarray(rays.d_W, np.float32)
        end, end_face = self._meet_planes(p_WO, d_W, rays.max_distance)

        found = self._embree.run(p_WO, d_W, dists=end, output=True)
        mesh = found["geomID"]
        # Where no mesh is hit (-1), `take` wraps around to some row, and the end of the ray
        # replaces it.
        face = self._first_face.take(mesh, mode="wrap") + found["primID"]
        face = np.where(mesh >= 0, face, end_face)
        distance = np.where(face == self._no_face, np.float32(np.inf), found["tfar"])
        return RayHits(
            rays=rays,
            distance=distance,
            n_W=self._n_W.take(face, axis=0),
            body=self._body.take(face),
        )

    def _meet_planes(
        self, p_WO: Float32, d_W: Float32, max_distance: float
    ) -> tuple[Float32, NDArray[np.int32]]:
        """Where each ray ends, m, and the face that ends it: a plane, or none at its
        `max_distance`.
        """
        end = np.full(len(d_W), max_distance, np.float32)
        end_face = np.full(len(d_W), self._no_face, np.int32)
        for face, p_WP in enumerate(self._p_WP, start=self._first_plane):
            n_W = self._n_W[face]
            height, slope = p_WO @ n_W - np.float32(p_WP @ n_W), d_W @ n_W
            to_plane = np.full(len(d_W), np.inf, np.float32)
            meets = (height >= 0) & (slope < 0)
            np.divide(height, -slope, out=to_plane, where=meets)
            nearer = meets & (to_plane <= end)
            end[nearer], end_face[nearer] = to_plane[nearer], face
        return end, end_face


def _add_mesh(embree: EmbreeScene, body: Body) -> NDArray[np.float64]:
    """Put triangles for a box or sphere into Embree's scene; gives their normals n_W (F, 3), out of
    the solid.
    """
    match body.shape:
        case Box(size):
            mesh, scale = unit_cube(), np.array(size)
        case Sphere(radius):
            mesh, scale = unit_sphere(), np.full(3, radius)
    p_WV = body.X_WB.apply(mesh.vertices * scale)
    TriangleMesh(embree, p_WV.astype(np.float32), mesh.faces)
    # Scaling keeps these normals: a box's are along its axes, and a sphere is scaled alike in all
    # directions.
    return np.asarray(mesh.normals @ body.X_WB.rotation.as_matrix().T)
