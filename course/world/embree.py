"""The Embree caster: triangles in a tree, float32, millions of rays a second. For images and scans.

Embree knows triangles only, so a curved surface becomes facets, which lie inside it; the
capabilities say by how much. A plane has no end and stays a plane: its distance is computed first
and given to Embree as the end of the ray, so that whatever Embree still finds is in front of it.

One mesh a body. All faces, of meshes in order of construction and then of planes, are rows of one
table with a normal and a body; its last row stands for a miss. An answer of Embree is a mesh and a
face in it, that is, a row.

A ray that starts inside a solid reports where it leaves it: triangles have no inside. In float32 a
coordinate of 1 km is known to 0.06 mm; the declared tolerance, relative to the reach of the
coordinates, covers that.

Which face of a triangle mesh was hit, and where on it, is looked up only if the scene has a mesh.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from course.world.capabilities import Capabilities, InsideStart
from course.world.casters import refuse_unsupported
from course.world.rays import NO_FACE, RayHits, Rays
from course.world.scene import NO_BODY, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world, sag_of_curves

try:
    from embreex.mesh_construction import TriangleMesh as EmbreeMesh
    from embreex.rtcore_scene import EmbreeScene
except ImportError as error:
    raise ImportError("the Embree caster needs the package embreex: pip install embreex") from error

Float32 = NDArray[np.float32]

BLOCK = 32_768
"""Rays that are cast at a time: their temporary arrays stay in the cache, and in used memory."""


@cache
def embree_capabilities() -> Capabilities:
    """What the Embree caster declares."""
    return Capabilities(
        name="embree",
        precision="float32",
        shapes=frozenset({Plane, Box, Sphere, Capsule, Cylinder, TriangleMesh}),
        inside_start=InsideStart.EXIT,
        below_plane=InsideStart.MISS,
        mesh_back_faces=True,
        end_inclusive=True,
        distance_tolerance=5e-7,  # four roundings
        sag=sag_of_curves(),
        face_and_uv=True,
        all_hits=False,
    )


class EmbreeCaster:
    """Builds Embree's tree once: that takes some 50 ms for 40 bodies, and again if a body moves."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.capabilities = embree_capabilities()
        refuse_unsupported(scene, self.capabilities)

        planes = [i for i, body in enumerate(scene.bodies) if isinstance(body.shape, Plane)]
        solids = [i for i, body in enumerate(scene.bodies) if not isinstance(body.shape, Plane)]
        meshes = [mesh_in_world(scene.bodies[i]) for i in solids]
        X_WP = [scene.bodies[i].X_WB for i in planes]

        self._embree = EmbreeScene(robust=True)  # no ray slips through between two triangles
        for mesh in meshes:
            EmbreeMesh(self._embree, mesh.vertices.astype(np.float32), mesh.faces)
        self._p_WP = [X.translation for X in X_WP]

        # The table of faces: those of the meshes, the planes, and the miss.
        face_counts = [len(mesh.faces) for mesh in meshes]
        self._first_face = np.cumsum([0, *face_counts], dtype=np.int32)  # of each mesh
        self._first_plane = int(self._first_face[-1])
        self._no_face = self._first_plane + len(planes)
        mesh_normals = [mesh.normals for mesh in meshes]
        plane_normals = [X.rotation.as_matrix()[:, 2] for X in X_WP]
        n_W = np.vstack([*mesh_normals, *plane_normals, np.full(3, np.nan)])
        self._n_W = n_W.astype(np.float32)
        self._body = np.array([*np.repeat(solids, face_counts), *planes, NO_BODY], np.int32)

        # And which face of a mesh of the scene it is.
        self._face = np.full(len(self._body), NO_FACE, np.int32)
        self._has_mesh = False
        for i, first, count in zip(solids, self._first_face, face_counts, strict=False):
            if isinstance(scene.bodies[i].shape, TriangleMesh):
                self._face[first : first + count] = np.arange(count)
                self._has_mesh = True

    def cast_first(self, rays: Rays) -> RayHits:
        """The nearest hit of each ray; see `course.world.casters.Caster`."""
        distance = np.empty(len(rays), np.float32)
        n_W = np.empty((len(rays), 3), np.float32)
        body = np.empty(len(rays), np.int32)
        face = np.full(len(rays) if self._has_mesh else (), NO_FACE, np.int32)
        uv = np.full((len(rays), 2) if self._has_mesh else (), np.nan, np.float32)
        for start in range(0, len(rays), BLOCK):
            block = slice(start, start + BLOCK)
            p_WO = np.ascontiguousarray(rays.p_WO[block], np.float32)
            d_W = np.ascontiguousarray(rays.d_W[block], np.float32)
            uv_found = uv[block] if self._has_mesh else None
            distance[block], row = self._first_faces(p_WO, d_W, rays.max_distance, uv_found)
            # All faces are in the table. "clip" says so: without it, `take` fills a copy first.
            self._n_W.take(row, axis=0, out=n_W[block], mode="clip")
            self._body.take(row, out=body[block], mode="clip")
            if self._has_mesh:
                self._face.take(row, out=face[block], mode="clip")
                uv[block][face[block] == NO_FACE] = np.nan
        return RayHits(rays=rays, distance=distance, n_W=n_W, body=body, face=face, uv=uv)

    def _first_faces(
        self, p_WO: Float32, d_W: Float32, max_distance: float, uv: Float32 | None
    ) -> tuple[Float32, NDArray[np.int32]]:
        """Distance (N,) m and row in the table of faces (N,), for each ray.

        `uv` (N, 2) is filled with where on it, if it is the face of a mesh.
        """
        end, end_face = self._meet_planes(p_WO, d_W, max_distance)
        found = self._embree.run(p_WO, d_W, dists=end, output=True)
        if uv is not None:
            uv[:, 0], uv[:, 1] = found["u"], found["v"]
        mesh = found["geomID"]
        # Where no mesh is hit (-1), any row will do: what ends the ray replaces it.
        row = self._first_face.take(mesh, mode="clip") + found["primID"]
        row = np.where(mesh >= 0, row, end_face)
        return np.where(row == self._no_face, np.float32(np.inf), found["tfar"]), row

    def _meet_planes(
        self, p_WO: Float32, d_W: Float32, max_distance: float
    ) -> tuple[Float32, NDArray[np.int32]]:
        """Where each ray ends (N,) m, at a plane or at its `max_distance`, and that face or none."""
        with np.errstate(over="ignore"):  # a reach of 1e300 m is infinite in float32
            end = np.full(len(d_W), max_distance, np.float32)
        end_face = np.full(len(d_W), self._no_face, np.int32)
        for face, p_WP in enumerate(self._p_WP, start=self._first_plane):
            n_W = self._n_W[face]
            height, slope = _along(p_WO, n_W) - np.float32(p_WP @ n_W), _along(d_W, n_W)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                to_plane = height / -slope  # means something only where the ray goes down to it
            nearer = (height >= 0) & (slope < 0) & (to_plane <= end)
            np.copyto(end, to_plane, where=nearer)
            np.copyto(end_face, face, where=nearer)
        return end, end_face


def _along(v_W: Float32, n_W: Float32) -> Float32:
    """(N,) dot products; without BLAS, whose threads take longer to wake than this takes."""
    x, y, z = v_W.T
    dot: Float32 = x * n_W[0] + y * n_W[1] + z * n_W[2]
    return dot
