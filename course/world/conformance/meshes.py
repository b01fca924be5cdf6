"""Cases of triangle meshes: their two sides, and which face was hit and where on it."""

import math
from collections.abc import Sequence

import numpy as np

from course.world.agreement import assert_equal, assert_hits, clear_rays
from course.world.analytic import AnalyticCaster
from course.world.casters import Caster
from course.world.conformance.known_hits import PLACED
from course.world.conformance.tools import DOWN, NONE, UP, MakeCaster, Vector, boxes, cast, supports
from course.world.poses import IDENTITY, pose
from course.world.random_scenes import random_rays, random_scene
from course.world.rays import NO_FACE, RayHits
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world

SQUARE = TriangleMesh(
    np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]), np.array([(0, 1, 2), (0, 2, 3)])
)
"""Two faces with their fronts up: (x, y) is (u + v, v) on the first, and (u, u + v) on the other."""


def mesh_sides(make_caster: MakeCaster) -> None:
    """From the front a face is hit; from behind as declared, with the same normal."""
    if supports(make_caster, TriangleMesh):
        caster = make_caster(Scene([Body(name="sheet", shape=SQUARE, X_WB=PLACED)]))
        starts = [(0.5, 0.25, 3), (0.25, 0.75, 3), (0.5, 0.25, -3), (1.25, 0.5, 3), (0.5, 0.25, 3)]
        hits = cast(caster, *_placed(starts, [DOWN, DOWN, UP, DOWN, UP]))
        counts = caster.capabilities.mesh_back_faces
        hit = np.array([True, True, counts, False, False])
        assert_hits(
            caster,
            hits,
            distance=np.where(hit, 3.0, math.inf),
            n_W=PLACED.rotation.apply(np.where(hit[:, np.newaxis], UP, NONE)),
            body=np.where(hit, 0, NO_BODY),
            title=f"sheet from above, below and beside, back faces declared {counts}",
        )


def start_inside_a_closed_mesh(make_caster: MakeCaster) -> None:
    """There is no inside: the ray meets the back of a face where it leaves, if that counts."""
    if supports(make_caster, TriangleMesh):
        cube = mesh_in_world(Body(name="cube", shape=Box((2, 2, 2)), X_WB=IDENTITY))
        closed = TriangleMesh(cube.vertices, cube.faces)
        above = Body(name="cube above", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 5)))
        caster = make_caster(Scene([Body(name="mesh", shape=closed, X_WB=IDENTITY), above]))
        counts = caster.capabilities.mesh_back_faces
        distance, normal, body = (1.0, UP, 0) if counts else (4.5, DOWN, 1)
        hits = cast(caster, [(0.25, 0.125, 0)], [UP])
        title = f"start inside a closed mesh, back faces declared {counts}"
        assert_hits(caster, hits, distance=[distance], n_W=[normal], body=[body], title=title)


def face_and_uv(make_caster: MakeCaster) -> None:
    """Which face, and where: known for a square; nothing for other shapes and misses."""
    if supports(make_caster, TriangleMesh):
        sheet = Body(name="sheet", shape=SQUARE, X_WB=PLACED)
        box = Body(name="box", shape=Box((1, 1, 1)), X_WB=PLACED * pose(translation=(4, 0, 0)))
        caster = make_caster(Scene([sheet, box]))
        starts = [(0.25, 0.75, 3), (4, 0, 3), (2, 0, 3), (0.5, 0.25, 3)]
        hits = cast(caster, *_placed(starts, [DOWN] * 4))
        face, uv = [1, NO_FACE, NO_FACE, 0], [(0.25, 0.5), NONE[:2], NONE[:2], (0.25, 0.25)]
        _assert_faces(caster, hits, face=np.array(face), uv=np.array(uv), title="square")
        hits = cast(make_caster(boxes((0, 0, 3))), [(0, 0, 0)], [UP])
        none = np.array([NO_FACE])
        _assert_faces(caster, hits, face=none, uv=np.array([NONE[:2]]), title="scene without mesh")


def face_and_uv_give_the_point(make_caster: MakeCaster) -> None:
    """The point on the face is that on the ray, and both are on the face that is really there."""
    if supports(make_caster, TriangleMesh):
        for seed in range(3):
            rng = np.random.default_rng(seed)
            caster = make_caster(random_scene(rng, frozenset({TriangleMesh})))
            rays = random_rays(rng, 300)
            hits, truth = caster.cast_first(rays), AnalyticCaster(caster.scene).cast_first(rays)
            clear = clear_rays(caster, rays)
            if not caster.capabilities.face_and_uv:
                assert_equal("face", hits.face, np.full(len(rays), NO_FACE))
                continue
            assert_equal("face", hits.face[clear], truth.face[clear])
            for index, body in enumerate(caster.scene.bodies):
                rows = clear & (hits.body == index)
                assert isinstance(body.shape, TriangleMesh)
                points = body.X_WB.apply(body.shape.points(hits.face[rows], hits.uv[rows]))
                off = np.linalg.norm(points - hits.p_WH[rows], axis=1).max(initial=0)
                allowed = 200 * caster.capabilities.distance_tolerance  # m; from 8 m away
                assert off <= allowed, f"seed {seed}: face and uv are {off:.3g} m off the ray"


def _placed(
    starts: Sequence[Vector], directions: Sequence[Vector]
) -> tuple[np.ndarray, np.ndarray]:
    """Starts and directions in the world of rays that are given in the frame of the shape."""
    return PLACED.apply(starts), PLACED.rotation.apply(directions)


def _assert_faces(
    caster: Caster, hits: RayHits, *, face: np.ndarray, uv: np.ndarray, title: str
) -> None:
    declared = caster.capabilities
    if not declared.face_and_uv:
        face, uv = np.full_like(face, NO_FACE), np.full_like(uv, math.nan)
    assert_equal(f"{title}: face", hits.face, face)
    near = np.isclose(hits.uv, uv, rtol=0, atol=100 * declared.distance_tolerance, equal_nan=True)
    assert near.all(), f"{title}: uv: expected {uv}, got {hits.uv}"
