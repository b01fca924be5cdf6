"""When two answers agree: what declarations allow, and which rays are fit for comparison.

Two casters that are both right differ by rounding, and at the rim of a body rounding decides which
body is hit. So random rays are compared where they are clear: where the answer stays, though every
solid grows or shrinks, and every corner of a mesh moves, by more than the error that the caster
declares.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import trimesh
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from course.world.analytic import AnalyticCaster
from course.world.casters import Caster
from course.world.poses import IDENTITY, pose
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world

FLAT_NORMAL_ERROR = 1e-5
"""Largest difference of unit normals on flat faces: a few roundings in float32."""

SHALLOW = 0.2
"""Smallest cosine of rays that are compared: below it, a bound linear in the sag is too small."""

RANDOM_SOLIDS: dict[type[Shape], Callable[[np.random.Generator], Shape]] = {
    Box: lambda rng: Box(tuple(rng.uniform(0.3, 0.8, 3))),
    Sphere: lambda rng: Sphere(rng.uniform(0.2, 0.6)),
    Capsule: lambda rng: Capsule(*rng.uniform(0.15, 0.35, 2)),
    Cylinder: lambda rng: Cylinder(*rng.uniform(0.2, 0.5, 2)),
    TriangleMesh: lambda rng: _star(rng),
}
"""How `random_scene` makes each solid: 0.4 m to 1.2 m across."""


def assert_equal(what: str, got: ArrayLike, expected: ArrayLike) -> None:
    """Raise an AssertionError that says what is not as expected."""
    received, wanted = np.asarray(got), np.asarray(expected)
    assert np.array_equal(received, wanted), f"{what}: expected {wanted}, got {received}"


def assert_hits(
    caster: Caster,
    hits: RayHits,
    *,
    distance: ArrayLike,
    n_W: ArrayLike,
    body: ArrayLike,
    title: str,
    where: NDArray[np.bool_] | None = None,
) -> None:
    """Compare hits with what is expected, within what the caster declares.

    Args:
        caster: that found the hits.
        hits: of N rays.
        distance: (N,) expected m, inf on a miss.
        n_W: (N, 3) expected normals, nan on a miss.
        body: (N,) expected bodies, -1 on a miss.
        title: said in the message.
        where: (N,) which rays to compare; all by default.

    Raises:
        AssertionError: names the first ray that differs.
    """
    compared = np.ones(len(hits.rays), np.bool_) if where is None else where
    distance, n_W, body = np.asarray(distance), np.asarray(n_W), np.asarray(body)
    _refuse("body", hits.body, body, compared & (hits.body != body), title)

    found = compared & (body != NO_BODY)
    missed = compared & (body == NO_BODY)
    _refuse("distance", hits.distance, distance, missed & ~np.isposinf(hits.distance), title)
    _refuse("normal", hits.n_W, n_W, missed & ~np.isnan(hits.n_W).all(axis=1), title)

    rows = np.flatnonzero(found)
    radius = _radii(caster.scene)[body[rows]]
    cosine = np.einsum("ij,ij->i", n_W[rows], hits.rays.d_W[rows])
    size = _size(caster.scene) + np.linalg.norm(hits.rays.p_WO[rows], axis=1)
    allowed = caster.capabilities.distance_error(
        distance[rows], size=size, cosine=cosine, radius=radius
    )
    wrong = np.zeros_like(found)
    wrong[rows] = ~(np.abs(hits.distance[rows] - distance[rows]) <= allowed)
    _refuse("distance", hits.distance, distance, wrong, title)

    # A facet is turned by up to arccos(1 - sag). It also lies elsewhere: as much again for that.
    bend = np.where(radius > 0, 2 * math.acos(1 - caster.capabilities.sag), 0)
    wrong[rows] = ~(np.linalg.norm(hits.n_W[rows] - n_W[rows], axis=1) <= FLAT_NORMAL_ERROR + bend)
    _refuse("normal", hits.n_W, n_W, wrong, title)


def clear_rays(caster: Caster, rays: Rays) -> NDArray[np.bool_]:
    """(N,) which rays have the same answer if all solids are a little larger, or smaller.

    And if all corners of meshes are a little elsewhere: where a ray passes through a face, or beside
    it, can change only if an edge crosses the ray.
    """
    scene, declared = caster.scene, caster.capabilities
    longest = 2 * (_size(scene) + float(np.linalg.norm(rays.p_WO, axis=1).max(initial=0)))
    rounding = max(declared.distance_tolerance * longest, 1e-9)
    margins = 2 * (rounding + declared.sag * _radii(scene))

    exact, larger, smaller = (
        AnalyticCaster(_resized(scene, sign * margins)).cast_first(rays) for sign in (0, 1, -1)
    )
    clear = (exact.body == larger.body) & (exact.body == smaller.body)
    clear &= ~_near_an_edge(scene, rays, 2 * rounding)
    for other in (larger, smaller):  # not at an edge, where the normal jumps; nan on a miss is fine
        clear &= ~(np.einsum("ij,ij->i", exact.n_W, other.n_W) < 0.9)
    return np.asarray(clear & ~(np.abs(np.einsum("ij,ij->i", exact.n_W, rays.d_W)) < SHALLOW))


def random_scene(rng: np.random.Generator, shapes: frozenset[type[Shape]]) -> Scene:
    """Bodies that stand apart around the origin, of the given shapes only, a tilted floor, and a
    bumpy sheet between, whose front is up.
    """
    cells = rng.permutation(np.stack(np.meshgrid(*[[-1.5, 0, 1.5]] * 3), axis=-1).reshape(-1, 3))
    solids = [make for kind, make in RANDOM_SOLIDS.items() if kind in shapes]
    bodies = []
    for index, cell in enumerate(cells[:14] if solids else ()):
        X_WB = pose(translation=cell, rotation=Rotation.from_rotvec(rng.normal(size=3)))
        solid = solids[index % len(solids)](rng)
        bodies.append(Body(name=f"body {index}", shape=solid, X_WB=X_WB))
    tilted = Rotation.from_rotvec([*rng.uniform(-0.1, 0.1, 2), 0])
    floor = pose(translation=(0, 0, -3), rotation=tilted)
    if Plane in shapes:
        bodies.append(Body(name="floor", shape=Plane(), X_WB=floor))
    if TriangleMesh in shapes:
        bodies.append(Body(name="sheet", shape=_bumpy_sheet(rng), X_WB=IDENTITY))
    return Scene(bodies)


def random_rays(rng: np.random.Generator, count: int) -> Rays:
    """Rays from 8 m away, above the floor of a random scene, to places among its bodies."""
    starts = rng.normal(size=(count, 3))
    starts[:, 2] = np.abs(starts[:, 2]) + 0.2
    starts *= 8 / np.linalg.norm(starts, axis=1, keepdims=True)
    return Rays.through(starts, rng.uniform(-2, 2, size=(count, 3)) - starts)


def _star(rng: np.random.Generator) -> TriangleMesh:
    """A closed surface around the origin, with dents that may hide one another."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    return TriangleMesh(ball.vertices * rng.uniform(0.4, 0.6, (len(ball.vertices), 1)), ball.faces)


def _bumpy_sheet(rng: np.random.Generator) -> TriangleMesh:
    """An open surface of 4 m x 4 m, some 2.45 m below the origin."""
    row, column = np.divmod(np.arange(7 * 7), 7)
    heights = rng.uniform(-2.5, -2.4, 7 * 7)
    corner = np.flatnonzero((row < 6) & (column < 6))
    squares = np.stack([corner, corner + 1, corner + 8, corner, corner + 8, corner + 7], axis=1)
    vertices = np.stack([column * 4 / 6 - 2, row * 4 / 6 - 2, heights], axis=1)
    return TriangleMesh(vertices, squares.reshape(-1, 3))


def _radii(scene: Scene) -> NDArray[np.float64]:
    """(B,) m, radius of each body that is curved; 0 for a flat one."""
    curved = Sphere | Capsule | Cylinder
    shapes = [body.shape for body in scene.bodies]
    return np.array([shape.radius if isinstance(shape, curved) else 0.0 for shape in shapes])


def _size(scene: Scene) -> float:
    """How far bodies reach from the world's origin, m; of a plane, its own origin counts."""
    reach = 0.0
    for body in scene.bodies:
        extent = 0.0 if isinstance(body.shape, Plane) else body.shape.bounding_radius
        reach = max(reach, float(np.linalg.norm(body.X_WB.translation)) + extent)
    return reach


def _resized(scene: Scene, margins: NDArray[np.float64]) -> Scene:
    """The scene with the surface of each solid moved outwards by its margin, m; planes stay."""
    return Scene(
        [
            Body(name=body.name, shape=_grown(body.shape, margin), X_WB=body.X_WB)
            for body, margin in zip(scene.bodies, margins, strict=True)
        ]
    )


def _grown(shape: Shape, margin: float) -> Shape:
    match shape:
        case Box((x, y, z)):
            return Box((x + 2 * margin, y + 2 * margin, z + 2 * margin))
        case Sphere(radius):
            return Sphere(radius + margin)
        case Capsule(radius, length):
            return Capsule(radius + margin, length)
        case Cylinder(radius, length):
            return Cylinder(radius + margin, length + 2 * margin)
        case Plane() | TriangleMesh():
            return shape


def _near_an_edge(scene: Scene, rays: Rays, margin: float) -> NDArray[np.bool_]:
    """(N,) which rays pass an edge of a triangle mesh by less than the margin, m."""
    meshes = [body for body in scene.bodies if isinstance(body.shape, TriangleMesh)]
    near = np.zeros(len(rays), np.bool_)
    for body in meshes:
        mesh = mesh_in_world(body)
        ends = np.unique(np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0)
        first, edge = (
            mesh.vertices[ends[:, 0]],
            mesh.vertices[ends[:, 1]] - mesh.vertices[ends[:, 0]],
        )
        for ray, (p_WO, d_W) in enumerate(zip(rays.p_WO, rays.d_W, strict=True)):
            # As seen along the ray, which is then a point: how far is it from each edge?
            across = edge - np.outer(edge @ d_W, d_W)
            to_first = first - p_WO
            to_first -= np.outer(to_first @ d_W, d_W)
            length = np.maximum(np.einsum("ij,ij->i", across, across), np.finfo(float).tiny)
            part = np.clip(-np.einsum("ij,ij->i", to_first, across) / length, 0, 1)
            aside = to_first + part[:, np.newaxis] * across
            near[ray] |= bool((np.einsum("ij,ij->i", aside, aside) < margin**2).any())
    return near


def _refuse(
    what: str, got: NDArray[Any], expected: NDArray[Any], wrong: NDArray[np.bool_], title: str
) -> None:
    if wrong.any():
        ray = int(wrong.argmax())
        raise AssertionError(
            f"{title}: {what} of ray {ray}: expected {expected[ray]}, got {got[ray]} "
            f"({wrong.sum()} of {wrong.size} rays differ)"
        )
