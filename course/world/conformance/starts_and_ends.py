"""Cases of where a ray starts and ends: inside a solid, below a plane, exactly at a surface."""

from course.world.agreement import assert_equal, assert_hits
from course.world.capabilities import InsideStart
from course.world.conformance.tools import DOWN, UP, MakeCaster, Vector, cast, supports
from course.world.poses import IDENTITY, pose
from course.world.scene import Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere


def inside_start(make_caster: MakeCaster) -> None:
    """Zero, miss, or exit: as declared, for each closed solid."""
    declared = make_caster(Scene()).capabilities.inside_start
    for shape in (Box((2, 2, 2)), Sphere(1), Capsule(0.5, 1), Cylinder(0.5, 2)):
        if supports(make_caster, type(shape)):
            _assert_inside(make_caster, shape, declared, start=(0, 0, 0), exit_at=1.0)


def below_plane(make_caster: MakeCaster) -> None:
    """The same for a plane, whose half space a ray can leave only going up."""
    if supports(make_caster, Plane):
        declared = make_caster(Scene()).capabilities.below_plane
        _assert_inside(make_caster, Plane(), declared, start=(0, 0, -2), exit_at=2.0)
        caster = make_caster(Scene([Body(name="floor", shape=Plane(), X_WB=IDENTITY)]))
        expected = declared is InsideStart.ZERO
        assert_equal("hit going down", cast(caster, [(0, 0, -2)], [DOWN]).hit, [expected])


def end_of_the_ray(make_caster: MakeCaster) -> None:
    """Beyond `max_distance` there is nothing; whether at it is declared. All numbers are exact."""
    for shape, top in ((Box((1, 1, 1)), 0.5), (Plane(), 0.0)):
        if supports(make_caster, type(shape)):
            caster = make_caster(Scene([Body(name="target", shape=shape, X_WB=IDENTITY)]))
            inclusive = caster.capabilities.end_inclusive
            for reach, expected in ((2.49, False), (2.5, inclusive), (2.51, True)):
                hits = cast(caster, [(0.125, 0.25, top + 2.5)], [DOWN], max_distance=reach)
                what = f"whether {shape} at 2.5 m is hit by a ray that reaches {reach} m"
                assert_equal(what, hits.hit, [expected])


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
    hits = cast(caster, [start], [UP])
    title = f"start inside {shape}, declared {declared.name}"
    assert_hits(caster, hits, distance=[distance], n_W=[normal], body=[body], title=title)
