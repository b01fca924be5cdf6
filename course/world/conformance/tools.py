"""What the cases are made of."""

import math
from collections.abc import Callable

from numpy.typing import ArrayLike

from course.world.casters import Caster
from course.world.poses import pose
from course.world.rays import RayHits, Rays
from course.world.scene import Body, Scene
from course.world.shapes import Box, Shape

MakeCaster = Callable[[Scene], Caster]
Vector = tuple[float, float, float]

UP, DOWN, NONE = (0, 0, 1), (0, 0, -1), (math.nan, math.nan, math.nan)


def supports(make_caster: MakeCaster, kind: type[Shape]) -> bool:
    """Whether it declares this kind of shape."""
    return kind in make_caster(Scene()).capabilities.shapes


def boxes(*places: Vector) -> Scene:
    """Unit cubes at places in the world, m."""
    cube, named = Box((1, 1, 1)), enumerate(places)
    return Scene([Body(name=f"cube {i}", shape=cube, X_WB=pose(translation=p)) for i, p in named])


def cast(
    caster: Caster, p_WO: ArrayLike, directions: ArrayLike, max_distance: float = math.inf
) -> RayHits:
    """First hits of rays along directions of any length."""
    return caster.cast_first(Rays.through(p_WO, directions, max_distance=max_distance))
