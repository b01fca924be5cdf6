"""Random scenes and rays, from a seed, for casters to be compared on.

From where its rays come, no face of a mesh is seen from behind, and none starts in a solid: what a
caster does then is declared, and tried elsewhere.
"""

from collections.abc import Callable

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

from course.world.poses import IDENTITY, pose
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

RANDOM_SOLIDS: dict[type[Shape], Callable[[np.random.Generator], Shape]] = {
    Box: lambda rng: Box(tuple(rng.uniform(0.3, 0.8, 3))),
    Sphere: lambda rng: Sphere(rng.uniform(0.2, 0.6)),
    Capsule: lambda rng: Capsule(*rng.uniform(0.15, 0.35, 2)),
    Cylinder: lambda rng: Cylinder(*rng.uniform(0.2, 0.5, 2)),
    TriangleMesh: lambda rng: _star(rng),
}
"""How `random_scene` makes each solid: 0.4 m to 1.4 m across."""


def random_scene(rng: np.random.Generator, shapes: frozenset[type[Shape]]) -> Scene:
    """Bodies of the given shapes: solids and closed meshes around the origin, and below them a bumpy
    sheet with its front up, and a tilted floor. None touches another.
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
