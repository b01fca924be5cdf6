"""Cases of all hits along a ray, for casters that declare them."""

import math

import numpy as np

from course.world.agreement import assert_equal
from course.world.casters import AllHitsCaster
from course.world.conformance.tools import DOWN, UP, MakeCaster, boxes, supports
from course.world.poses import IDENTITY
from course.world.random_scenes import random_rays, random_scene
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.triangle_mesh import TriangleMesh

LAYERS = TriangleMesh(
    np.array([(x, y, z) for z in (11, 10) for x, y in ((-1, -1), (0, 1), (1, -1))]),
    np.array([(0, 1, 2), (3, 4, 5), (3, 5, 4)]),
)
"""Face 0 at z = 11 and face 1 at z = 10, fronts down; face 2 is the back of face 1."""


def all_hits(make_caster: MakeCaster) -> None:
    """Each body once, by distance and then as in the scene; each front of a mesh if asked for."""
    caster = make_caster(Scene())
    offers = isinstance(caster, AllHitsCaster)
    declared = caster.capabilities.all_hits
    assert offers == declared, f"cast_all declared {declared}, offered {offers}"
    if not isinstance(caster, AllHitsCaster):
        return

    cubes = boxes((0, 0, 9), (0, 0, 3), (5, 0, 3), (0, 0, 6), (0, 0, 3.0))
    starts, directions = [(5, 0, 0), (0, 0, 0), (2, 0, 0), (0, 0, 12)], [UP, UP, UP, DOWN]
    bodies = [[2], [1, 4, 3, 0], [], [0, 3, 1, 4]]
    distances = [[2.5], [2.5, 2.5, 5.5, 8.5], [], [2.5, 5.5, 8.5, 8.5]]
    _assert_all(make_caster, cubes, Rays.through(starts, directions), bodies, distances)
    shorter = Rays.through(starts, directions, max_distance=6)
    bodies, distances = [[2], [1, 4, 3], [], [0, 3]], [[2.5], [2.5, 2.5, 5.5], [], [2.5, 5.5]]
    _assert_all(make_caster, cubes, shorter, bodies, distances)
    _assert_all(make_caster, cubes, Rays.through(np.zeros((0, 3)), np.zeros((0, 3))), [], [])
    _assert_all(make_caster, Scene(), shorter, [[]] * 4, [[]] * 4)

    if supports(make_caster, TriangleMesh):
        mesh = Body(name="layers", shape=LAYERS, X_WB=IDENTITY)
        layered = Scene([mesh, *cubes.bodies])
        ray = Rays.through([(0, 0, 7)], [UP])
        _assert_all(make_caster, layered, ray, [[1, 0]], [[1.5, 3]], faces=[-1, 1])
        if not caster.capabilities.mesh_back_faces:
            fronts = [-1, 1, 0]
            _assert_all(
                make_caster, layered, ray, [[1, 0, 0]], [[1.5, 3, 4]], faces=fronts, every_face=True
            )


def first_of_all_hits(make_caster: MakeCaster) -> None:
    """It is what `cast_first` answers, to the last bit, whether or not every face counts."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        caster = make_caster(random_scene(rng, make_caster(Scene()).capabilities.shapes))
        if isinstance(caster, AllHitsCaster):
            rays = random_rays(rng, 300)
            first = caster.cast_first(rays)
            for every_face in (False, True):
                among_all = caster.cast_all(rays, every_face=every_face).first()
                for name in ("distance", "n_W", "body", "face", "uv"):
                    assert_equal(
                        name, _no_nan(getattr(among_all, name)), _no_nan(getattr(first, name))
                    )


def _no_nan(array: np.ndarray) -> np.ndarray:
    return np.asarray(np.nan_to_num(array, nan=math.inf, posinf=math.inf))


def _assert_all(
    make_caster: MakeCaster,
    scene: Scene,
    rays: Rays,
    bodies: list[list[int]],
    distances: list[list[float]],
    *,
    faces: list[int] | None = None,
    every_face: bool = False,
) -> None:
    """Bodies and distances are expected ray by ray, faces in one row; distances are exact."""
    caster = make_caster(scene)
    assert isinstance(caster, AllHitsCaster)
    hits = caster.cast_all(rays, every_face=every_face)
    assert_equal("offsets", hits.offsets, np.cumsum([0, *map(len, bodies)]))
    assert_equal("bodies of all hits", hits.body, [x for row in bodies for x in row])
    assert_equal("distances of all hits", hits.distance, [x for row in distances for x in row])
    if caster.capabilities.face_and_uv:
        assert_equal("faces of all hits", hits.face, faces or [-1] * len(hits))
