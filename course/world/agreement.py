"""When two answers agree: what declarations allow, and which rays are fit for comparison.

Two casters that are both right differ by rounding, and at the rim of a body rounding decides which
body is hit. So random rays are compared where they are clear: where the answer stays, though every
solid grows or shrinks, and every corner of a mesh moves, by more than the error that the caster
declares.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.analytic import AnalyticCaster
from course.world.casters import Caster
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world

FLAT_NORMAL_ERROR = 1e-5
"""Largest difference of unit normals on flat faces: a few roundings in float32."""

SHALLOW = 0.2
"""Smallest cosine of rays that are compared: below it, a bound linear in the sag is too small."""


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

    And if the corners of meshes are a little elsewhere: whether a ray passes through a face, or
    beside it, changes only if an edge of the face crosses the ray.
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
    near = np.zeros(len(rays), np.bool_)
    for body in scene.bodies:
        if not isinstance(body.shape, TriangleMesh):
            continue
        mesh = mesh_in_world(body)
        pairs = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2))
        first, last = np.moveaxis(mesh.vertices[np.unique(pairs, axis=0)], 1, 0)
        edge = last - first
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
