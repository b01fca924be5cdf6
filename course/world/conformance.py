"""Conformance: the same cases for every caster, judged by what it declares.

    assert_caster_conforms(EmbreeCaster)

A case takes `make_caster`, builds small scenes with it, and asserts. Answers are either known in
closed form, or those of the analytic caster. A difference that the capabilities declare is
expected; any other fails, and says in which case.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from course.world.agreement import assert_equal, assert_hits, clear_rays, random_rays, random_scene
from course.world.analytic import AnalyticCaster
from course.world.capabilities import InsideStart
from course.world.casters import Caster
from course.world.poses import IDENTITY, pose
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Plane, Shape, Sphere

MakeCaster = Callable[[Scene], Caster]
Vector = tuple[float, float, float]

PLACED = pose(translation=(1.0, -2.0, 0.5), rotation=Rotation.from_rotvec((0.3, -0.5, 0.8)))
"""Where the shapes of the closed-form cases stand: a caster that forgets a pose fails."""

UP, DOWN, NONE = (0, 0, 1), (0, 0, -1), (math.nan, math.nan, math.nan)

KnownHit = tuple[Shape, Vector, Vector, float, Vector]
"""Shape; start, m; direction; distance, m; normal. All in the frame of the shape."""

KNOWN_HITS: dict[str, KnownHit] = {
    "plane, straight down": (Plane(), (0, 0, 3), DOWN, 3.0, UP),
    "plane, at an angle": (Plane(), (0, 0, 3), (4, 0, -3), 5.0, UP),
    "plane, far from its origin": (Plane(), (300, 400, 3), DOWN, 3.0, UP),
    "plane, climbing": (Plane(), (0, 0, 3), (4, 0, 3), math.inf, NONE),
    "plane, away from it": (Plane(), (0, 0, 3), UP, math.inf, NONE),
    "box, straight down": (Box((1, 2, 3)), (0, 0, 4), DOWN, 2.5, UP),
    "box, at an angle": (Box((1, 2, 3)), (-3.8, 0, 4.5), (4, 0, -3), 5.0, UP),
    "box, its side": (Box((1, 2, 3)), (0.2, 3, 0.3), (0, -1, 0), 2.0, (0, 1, 0)),
    "box, passing beside it": (Box((1, 2, 3)), (0.6, 0, 4), DOWN, math.inf, NONE),
    "box, away from it": (Box((1, 2, 3)), (0, 0, 4), UP, math.inf, NONE),
    "sphere, to its centre": (Sphere(0.5), (0, 0, 2), DOWN, 1.5, UP),
    "sphere, off its centre": (Sphere(0.5), (0.3, 0, 2), DOWN, 1.6, (0.6, 0, 0.8)),
    "sphere, passing beside it": (Sphere(0.5), (0.6, 0, 2), DOWN, math.inf, NONE),
    "sphere, away from it": (Sphere(0.5), (0, 0, 2), UP, math.inf, NONE),
}


def assert_caster_conforms(make_caster: MakeCaster) -> None:
    """Run every case.

    Args:
        make_caster: makes a caster for a scene, such as the class `AnalyticCaster`.

    Raises:
        AssertionError: names the caster, the case, and what differs.
    """
    name = make_caster(Scene()).capabilities.name
    for case in CASES:
        try:
            case(make_caster)
        except AssertionError as error:
            title = case.__name__.replace("_", " ")
            raise AssertionError(f"{name} caster, case {title!r}: {error}") from error


# --- cases ------------------------------------------------------------------------------------


def known_hits(make_caster: MakeCaster) -> None:
    """Closed forms: hits with distance, normal and body; and misses."""
    for title, (shape, start, direction, distance, normal) in KNOWN_HITS.items():
        if _supports(make_caster, shape):
            caster = make_caster(Scene([Body(name=title, shape=shape, X_WB=PLACED)]))
            starts, directions = PLACED.apply([start]), PLACED.rotation.apply([direction])
            hits = caster.cast_first(Rays.through(starts, directions))
            n_W = PLACED.rotation.apply([normal])
            body = [0 if math.isfinite(distance) else NO_BODY]
            assert_hits(caster, hits, distance=[distance], n_W=n_W, body=body, title=title)


def undeclared_shapes(make_caster: MakeCaster) -> None:
    """A TypeError, rather than a scene that lacks a body."""
    shapes: list[Shape] = [Plane(), Box((1, 1, 1)), Sphere(1)]
    for shape in shapes:
        if not _supports(make_caster, shape):
            try:
                make_caster(Scene([Body(name="refused", shape=shape, X_WB=IDENTITY)]))
            except TypeError:
                continue
            raise AssertionError(f"{shape} is not declared, but was taken")


def empty_scene(make_caster: MakeCaster) -> None:
    """Every ray misses."""
    caster = make_caster(Scene())
    hits = _cast(caster, [(0, 0, 0)], [UP])
    assert_hits(caster, hits, distance=[math.inf], n_W=[NONE], body=[NO_BODY], title="no body")


def no_rays(make_caster: MakeCaster) -> None:
    """No rows, but the same rank and types as ever."""
    caster = make_caster(_boxes((0, 0, 3)))
    _assert_form(caster, _cast(caster, np.zeros((0, 3)), np.zeros((0, 3))), rows=0)


def several_rays_and_bodies(make_caster: MakeCaster) -> None:
    """The nearest body counts, not the first; rows keep the order of the rays."""
    caster = make_caster(_boxes((0, 0, 9), (0, 0, 3), (0, 0, 6), (5, 0, 3)))
    starts = [(5, 0, 0), (0, 0, 0), (2, 0, 0), (0, 0, 12), (0, 0, 4.5)]
    hits = _cast(caster, starts, [UP, UP, UP, DOWN, UP])
    assert_equal("body", hits.body, [3, 1, NO_BODY, 0, 2])
    _assert_form(caster, hits, rows=5)


def inside_start(make_caster: MakeCaster) -> None:
    """Zero, miss, or exit: as declared, for each closed solid."""
    for shape in (Box((2, 2, 2)), Sphere(1)):
        if _supports(make_caster, shape):
            declared = make_caster(Scene()).capabilities.inside_start
            _assert_inside(make_caster, shape, declared, start=(0, 0, 0), exit_at=1.0)


def below_plane(make_caster: MakeCaster) -> None:
    """The same for a plane, whose half space a ray can leave only going up."""
    if _supports(make_caster, Plane()):
        declared = make_caster(Scene()).capabilities.below_plane
        _assert_inside(make_caster, Plane(), declared, start=(0, 0, -2), exit_at=2.0)
        caster = make_caster(Scene([Body(name="floor", shape=Plane(), X_WB=IDENTITY)]))
        expected = declared is InsideStart.ZERO
        assert_equal("hit going down", _cast(caster, [(0, 0, -2)], [DOWN]).hit, [expected])


def end_of_the_ray(make_caster: MakeCaster) -> None:
    """Beyond `max_distance` there is nothing; whether at it is declared. All numbers are exact."""
    for shape, top in ((Box((1, 1, 1)), 0.5), (Plane(), 0.0)):
        if _supports(make_caster, shape):
            caster = make_caster(Scene([Body(name="target", shape=shape, X_WB=IDENTITY)]))
            inclusive = caster.capabilities.end_inclusive
            for reach, expected in ((2.49, False), (2.5, inclusive), (2.51, True)):
                hits = _cast(caster, [(0.125, 0.25, top + 2.5)], [DOWN], max_distance=reach)
                what = f"whether {shape} at 2.5 m is hit by a ray that reaches {reach} m"
                assert_equal(what, hits.hit, [expected])


def sag_is_real(make_caster: MakeCaster) -> None:
    """Of rays to the centre of a sphere, some err as much as declared, and none more."""
    if _supports(make_caster, Sphere(1)):
        caster = make_caster(Scene([Body(name="ball", shape=Sphere(1), X_WB=IDENTITY)]))
        outward = np.random.default_rng(1).normal(size=(4000, 3))
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        worst = np.abs(_cast(caster, 3 * outward, -outward).distance - 2.0).max()
        sag, rounding = caster.capabilities.sag, caster.capabilities.distance_tolerance * 6
        assert sag / 2 - rounding <= worst <= sag + rounding, (
            f"a sphere of radius 1 m is off by {worst:.3g} m at worst, declared is {sag:.3g} m"
        )


def random_scenes(make_caster: MakeCaster) -> None:
    """Against the analytic caster, wherever a slightly larger or smaller scene answers alike."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        caster = make_caster(random_scene(rng, make_caster(Scene()).capabilities.shapes))
        rays = random_rays(rng, 600)
        truth = AnalyticCaster(caster.scene).cast_first(rays)
        clear = clear_rays(caster, rays)
        assert clear.mean() > 0.7, f"seed {seed}: only {clear.mean():.0%} of the rays are clear"
        assert_hits(
            caster,
            caster.cast_first(rays),
            distance=truth.distance,
            n_W=truth.n_W,
            body=truth.body,
            where=clear,
            title=f"seed {seed}",
        )


CASES = (
    known_hits,
    undeclared_shapes,
    empty_scene,
    no_rays,
    several_rays_and_bodies,
    inside_start,
    below_plane,
    end_of_the_ray,
    sag_is_real,
    random_scenes,
)


# --- what the cases are made of ---------------------------------------------------------------


def _supports(make_caster: MakeCaster, shape: Shape) -> bool:
    return type(shape) in make_caster(Scene()).capabilities.shapes


def _boxes(*places: Vector) -> Scene:
    """Unit cubes at places in the world, m."""
    cube, named = Box((1, 1, 1)), enumerate(places)
    return Scene([Body(name=f"cube {i}", shape=cube, X_WB=pose(translation=p)) for i, p in named])


def _cast(
    caster: Caster, p_WO: ArrayLike, directions: ArrayLike, max_distance: float = math.inf
) -> RayHits:
    return caster.cast_first(Rays.through(p_WO, directions, max_distance=max_distance))


def _assert_form(caster: Caster, hits: RayHits, *, rows: int) -> None:
    """Rank and types do not depend on the data."""
    precision = caster.capabilities.precision
    for name, array, shape, dtype in (
        ("distance", hits.distance, (rows,), precision),
        ("n_W", hits.n_W, (rows, 3), precision),
        ("body", hits.body, (rows,), "int32"),
    ):
        assert_equal(f"shape of {name}", array.shape, shape)
        assert_equal(f"type of {name}", str(array.dtype), dtype)


def _assert_inside(
    make_caster: MakeCaster,
    shape: Shape,
    declared: InsideStart,
    *,
    start: Vector,
    exit_at: float,
) -> None:
    """A ray going up from inside a shape does as declared; a cube above shows if it goes on."""
    cube = Body(name="cube above", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 5)))
    caster = make_caster(Scene([Body(name="solid", shape=shape, X_WB=IDENTITY), cube]))
    distance, normal, body = {
        InsideStart.ZERO: (0.0, DOWN, 0),
        InsideStart.EXIT: (exit_at, UP, 0),
        InsideStart.MISS: (4.5 - start[2], DOWN, 1),
    }[declared]
    hits = _cast(caster, [start], [UP])
    title = f"start inside {shape}, declared {declared.name}"
    assert_hits(caster, hits, distance=[distance], n_W=[normal], body=[body], title=title)
