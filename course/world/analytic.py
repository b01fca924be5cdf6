"""The analytic caster: exact shapes, float64 closed forms, no tree. Others are compared with it.

Its error is at most 1e-12 (distance + size) / |cosine of incidence|. For a ray that starts inside a
solid, and for a mesh seen from behind, it reports what PhysX does. Of two bodies at one distance it
reports the earlier in the scene; of two faces of a mesh, the earlier in the mesh.
"""

from collections.abc import Iterator

import numpy as np

from course.world.all_hits import AllHits
from course.world.capabilities import Capabilities, InsideStart
from course.world.casters import refuse_unsupported
from course.world.intersections import (
    Array,
    Touches,
    meet_box,
    meet_capsule,
    meet_cylinder,
    meet_mesh,
    meet_plane,
    meet_sphere,
)
from course.world.rays import NO_FACE, RayHits, Rays
from course.world.scene import NO_BODY, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

CAPABILITIES = Capabilities(
    name="analytic",
    precision="float64",
    shapes=frozenset({Plane, Box, Sphere, Capsule, Cylinder, TriangleMesh}),
    inside_start=InsideStart.ZERO,
    below_plane=InsideStart.MISS,
    mesh_back_faces=False,
    end_inclusive=True,
    distance_tolerance=1e-12,
    sag=0.0,
    face_and_uv=True,
    all_hits=True,
)


class AnalyticCaster:
    """Closed forms for every body in turn: each takes some 0.3 us a ray, a face of a mesh 20 ns."""

    capabilities = CAPABILITIES

    def __init__(self, scene: Scene) -> None:
        refuse_unsupported(scene, CAPABILITIES)
        self.scene = scene
        self._has_mesh = any(isinstance(body.shape, TriangleMesh) for body in scene.bodies)

    def cast_first(self, rays: Rays) -> RayHits:
        """The nearest hit of each ray; see `course.world.casters.Caster`."""
        distance = np.full(len(rays), np.inf)
        n_W = np.full((len(rays), 3), np.nan)
        body = np.full(len(rays), NO_BODY, np.int32)
        face = np.full(len(rays) if self._has_mesh else (), NO_FACE, np.int32)
        uv = np.full((len(rays), 2) if self._has_mesh else (), np.nan)
        for index, touches_W in self._touches(rays, every_face=False):
            nearer = touches_W.rows(touches_W.distance < distance[touches_W.ray])
            distance[nearer.ray] = nearer.distance
            n_W[nearer.ray] = nearer.n_S
            body[nearer.ray] = index
            if self._has_mesh:
                face[nearer.ray] = nearer.face
                uv[nearer.ray] = nearer.uv
        return RayHits(rays=rays, distance=distance, n_W=n_W, body=body, face=face, uv=uv)

    def cast_all(self, rays: Rays, *, every_face: bool = False) -> AllHits:
        """Every body along each ray; see `course.world.casters.AllHitsCaster`."""
        of_bodies = list(self._touches(rays, every_face=every_face))
        all_ = Touches.joined([Touches.none(), *(touches_W for _, touches_W in of_bodies)])
        counts = [len(touches_W.ray) for _, touches_W in of_bodies]
        body = np.repeat(np.array([index for index, _ in of_bodies], np.int32), counts)

        order = np.lexsort((all_.face, body, all_.distance, all_.ray))
        hits = all_.rows(order)
        return AllHits(
            rays=rays,
            offsets=np.searchsorted(hits.ray, np.arange(len(rays) + 1)),
            distance=hits.distance,
            n_W=hits.n_S,
            body=body[order],
            face=hits.face,
            uv=hits.uv,
        )

    def _touches(self, rays: Rays, *, every_face: bool) -> Iterator[tuple[int, Touches]]:
        """Where rays meet each body in turn within their reach, with its place in the scene.

        Normals are in the world.
        """
        p_WO = rays.p_WO.astype(np.float64, copy=False)
        # Rays in float32 are of length 1 to 1e-7 only, and a distance is along a length of 1.
        d_W = rays.d_W / np.linalg.norm(rays.d_W.astype(np.float64), axis=1, keepdims=True)
        for index, body in enumerate(self.scene.bodies):
            R_WB, p_WB = body.X_WB.rotation.as_matrix(), body.X_WB.translation
            # Rows are vectors: v_B = R_WB^T v_W is written v_W @ R_WB.
            touches_B = meet(body.shape, (p_WO - p_WB) @ R_WB, d_W @ R_WB)
            reached = touches_B.rows(touches_B.distance <= rays.max_distance)
            kept = reached if every_face else reached.nearest()
            yield index, kept._replace(n_S=kept.n_S @ R_WB.T)


def meet(shape: Shape, p_SO: Array, d_S: Array) -> Touches:
    """Where rays meet a shape, in its own frame: a mesh at each of its faces, a solid once."""
    match shape:
        case Plane():
            return Touches.of_solid(meet_plane(p_SO, d_S))
        case Box(size):
            return Touches.of_solid(meet_box(p_SO, d_S, size))
        case Sphere(radius):
            return Touches.of_solid(meet_sphere(p_SO, d_S, radius))
        case Capsule(radius, length):
            return Touches.of_solid(meet_capsule(p_SO, d_S, radius, length))
        case Cylinder(radius, length):
            return Touches.of_solid(meet_cylinder(p_SO, d_S, radius, length))
        case TriangleMesh():
            return meet_mesh(p_SO, d_S, shape)
