"""Cases with a closed form: hits with distance, normal and body; and misses."""

import math

from scipy.spatial.transform import Rotation

from course.world.agreement import assert_hits
from course.world.conformance.tools import DOWN, NONE, UP, MakeCaster, Vector, cast, supports
from course.world.poses import pose
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere

PLACED = pose(translation=(1.0, -2.0, 0.5), rotation=Rotation.from_rotvec((0.3, -0.5, 0.8)))
"""Where the shapes stand: a caster that forgets a pose fails."""

KnownHit = tuple[Shape, Vector, Vector, float, Vector]
"""Shape; start, m; direction; distance, m; normal. All in the frame of the shape."""

BOX, BALL, CAPSULE, CYLINDER = Box((1, 2, 3)), Sphere(0.5), Capsule(0.5, 2), Cylinder(0.5, 2)

KNOWN_HITS: dict[str, KnownHit] = {
    "plane, straight down": (Plane(), (0, 0, 3), DOWN, 3.0, UP),
    "plane, at an angle": (Plane(), (0, 0, 3), (4, 0, -3), 5.0, UP),
    "plane, far from its origin": (Plane(), (300, 400, 3), DOWN, 3.0, UP),
    "plane, climbing": (Plane(), (0, 0, 3), (4, 0, 3), math.inf, NONE),
    "plane, away from it": (Plane(), (0, 0, 3), UP, math.inf, NONE),
    "box, straight down": (BOX, (0, 0, 4), DOWN, 2.5, UP),
    "box, at an angle": (BOX, (-3.8, 0, 4.5), (4, 0, -3), 5.0, UP),
    "box, its side": (BOX, (0.2, 3, 0.3), (0, -1, 0), 2.0, (0, 1, 0)),
    "box, passing beside it": (BOX, (0.6, 0, 4), DOWN, math.inf, NONE),
    "box, away from it": (BOX, (0, 0, 4), UP, math.inf, NONE),
    "sphere, to its centre": (BALL, (0, 0, 2), DOWN, 1.5, UP),
    "sphere, off its centre": (BALL, (0.3, 0, 2), DOWN, 1.6, (0.6, 0, 0.8)),
    "sphere, passing beside it": (BALL, (0.6, 0, 2), DOWN, math.inf, NONE),
    "sphere, away from it": (BALL, (0, 0, 2), UP, math.inf, NONE),
    "capsule, its side": (CAPSULE, (3, 0, 0.4), (-1, 0, 0), 2.5, (1, 0, 0)),
    "capsule, its side at an angle": (CAPSULE, (0.3, 4.4, 3.2), (0, -4, -3), 5.0, (0.6, 0.8, 0)),
    "capsule, its tip": (CAPSULE, (0, 0, 4), DOWN, 2.5, UP),
    "capsule, its cap off the axis": (CAPSULE, (0.3, 0, 3.4), DOWN, 2.0, (0.6, 0, 0.8)),
    "capsule, its other cap": (CAPSULE, (3, 0, -1.3), (-1, 0, 0), 2.6, (0.8, 0, -0.6)),
    "capsule, passing beside its side": (CAPSULE, (0.6, 0, 4), DOWN, math.inf, NONE),
    "capsule, passing beside its cap": (CAPSULE, (3, 0.3, 1.45), (-1, 0, 0), math.inf, NONE),
    "capsule, away from it": (CAPSULE, (0, 0, 4), UP, math.inf, NONE),
    "cylinder, its end": (CYLINDER, (0.2, 0.1, 3), DOWN, 2.0, UP),
    "cylinder, its end near the edge": (CYLINDER, (0.48, 0, 3), DOWN, 2.0, UP),
    "cylinder, its other end": (CYLINDER, (0.2, 0.1, -3), UP, 2.0, DOWN),
    "cylinder, its side": (CYLINDER, (3, 0, 0.4), (-1, 0, 0), 2.5, (1, 0, 0)),
    "cylinder, its side near the edge": (CYLINDER, (3, 0, 0.98), (-1, 0, 0), 2.5, (1, 0, 0)),
    "cylinder, its side at an angle": (CYLINDER, (0.3, 4.4, 3.2), (0, -4, -3), 5.0, (0.6, 0.8, 0)),
    "cylinder, passing where a box is": (CYLINDER, (0.4, 0.4, 3), DOWN, math.inf, NONE),
    "cylinder, passing over its end": (CYLINDER, (3, 0, 1.1), (-1, 0, 0), math.inf, NONE),
    "cylinder, away from it": (CYLINDER, (0, 0, 4), UP, math.inf, NONE),
}


def known_hits(make_caster: MakeCaster) -> None:
    """All of them, for the shapes that the caster declares."""
    for title, (shape, start, direction, distance, normal) in KNOWN_HITS.items():
        if supports(make_caster, type(shape)):
            caster = make_caster(Scene([Body(name=title, shape=shape, X_WB=PLACED)]))
            starts, directions = PLACED.apply([start]), PLACED.rotation.apply([direction])
            hits = cast(caster, starts, directions)
            n_W = PLACED.rotation.apply([normal])
            body = [0 if math.isfinite(distance) else NO_BODY]
            assert_hits(caster, hits, distance=[distance], n_W=n_W, body=body, title=title)
