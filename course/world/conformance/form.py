"""Cases of what comes back: for any scene and any number of rays, rows of the same form."""

import math

import numpy as np

from course.world.agreement import assert_equal, assert_hits
from course.world.casters import Caster
from course.world.conformance.tools import DOWN, NONE, UP, MakeCaster, boxes, cast, supports
from course.world.poses import IDENTITY
from course.world.rays import RayHits
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

ONE_OF_EACH: tuple[Shape, ...] = (
    Plane(),
    Box((1, 1, 1)),
    Sphere(1),
    Capsule(1, 1),
    Cylinder(1, 1),
    TriangleMesh(np.eye(3), np.array([(0, 1, 2)])),
)


def undeclared_shapes(make_caster: MakeCaster) -> None:
    """A TypeError, rather than a scene that lacks a body."""
    for shape in ONE_OF_EACH:
        if not supports(make_caster, type(shape)):
            try:
                make_caster(Scene([Body(name="refused", shape=shape, X_WB=IDENTITY)]))
            except TypeError:
                continue
            raise AssertionError(f"{shape} is not declared, but was taken")


def empty_scene(make_caster: MakeCaster) -> None:
    """Every ray misses."""
    caster = make_caster(Scene())
    hits = cast(caster, [(0, 0, 0)], [UP])
    assert_hits(caster, hits, distance=[math.inf], n_W=[NONE], body=[NO_BODY], title="no body")


def no_rays(make_caster: MakeCaster) -> None:
    """No rows, but the same rank and types as ever."""
    caster = make_caster(boxes((0, 0, 3)))
    _assert_form(caster, cast(caster, np.zeros((0, 3)), np.zeros((0, 3))), rows=0)


def several_rays_and_bodies(make_caster: MakeCaster) -> None:
    """The nearest body counts, not the first; rows keep the order of the rays."""
    caster = make_caster(boxes((0, 0, 9), (0, 0, 3), (0, 0, 6), (5, 0, 3)))
    starts = [(5, 0, 0), (0, 0, 0), (2, 0, 0), (0, 0, 12), (0, 0, 4.5)]
    hits = cast(caster, starts, [UP, UP, UP, DOWN, UP])
    assert_equal("body", hits.body, [3, 1, NO_BODY, 0, 2])
    _assert_form(caster, hits, rows=5)


def _assert_form(caster: Caster, hits: RayHits, *, rows: int) -> None:
    """Rank and types do not depend on the data."""
    precision = caster.capabilities.precision
    for name, array, shape, dtype in (
        ("distance", hits.distance, (rows,), precision),
        ("n_W", hits.n_W, (rows, 3), precision),
        ("body", hits.body, (rows,), "int32"),
        ("face", hits.face, (rows,), "int32"),
        ("uv", hits.uv, (rows, 2), precision),
    ):
        assert_equal(f"shape of {name}", array.shape, shape)
        assert_equal(f"type of {name}", str(array.dtype), dtype)
