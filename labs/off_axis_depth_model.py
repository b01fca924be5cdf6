"""Scene and model of the lab off-axis depth versus range: a post, a wall, a coarse camera, and the clouds made of it.

The camera frame C is the world here: x right, y down, z forward. All that the model tells lies in the plane y = 0.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.sensors.camera import cast_image
from course.sensors.depth import depth_from_range, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.world.analytic import AnalyticCaster
from course.world.checks import positive, read_only
from course.world.poses import IDENTITY, pose
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Plane, Sphere

Array = NDArray[np.floating]

WALL_M = 3.0
POST_RADIUS_M = 0.12
COLUMNS = 17  # few, so that half a pixel can be seen; odd, so that one looks along the axis
ROWS = 13  # of the 3D view; seen from above there is the middle row only
FAN_RAD = np.deg2rad(np.linspace(-50, 50, 101))
FOV_X_DEG = 80.0
SAME_PIXELS = "half: centre at u + 0.5"
OTHER_PIXELS = "integer: centre at u"
PIXEL_CENTRES = {SAME_PIXELS: PixelCentre.HALF, OTHER_PIXELS: PixelCentre.INTEGER}

# --- scene --------------------------------------------------------------------------------------------------


def scene(*, angle_rad: float, range_m: float) -> Scene:
    """A wall at z = 3 m and a post whose near side lies `range_m` away in the direction `angle_rad`."""
    centre = (range_m + POST_RADIUS_M) * directions(angle_rad)
    towards_camera = np.diag([1.0, -1.0, -1.0])  # turns the plane's normal +z to -z
    return Scene(
        (
            Body(
                name="wall",
                shape=Plane(),
                X_WB=pose(translation=[0, 0, WALL_M], rotation=towards_camera),
                label=1,
            ),
            Body(name="post", shape=Sphere(POST_RADIUS_M), X_WB=pose(translation=centre), label=2),
        )
    )


def camera(*, fov_x_deg: float, rows: int) -> Intrinsics:
    """The camera of this lab; its pixels are square, and numbered with centres at u + 0.5.

    Args:
        fov_x_deg: angle between the left and the right edge of the image, deg.
        rows: height in pixels.

    Raises:
        TypeError, ValueError: an angle that is not between 0 and 180 deg.
    """
    fov = positive(fov_x_deg, name="fov_x_deg", unit="deg")
    if fov >= 180:
        raise ValueError(f"fov_x_deg: expected an angle between 0 and 180 deg, got {fov:g}")
    focal = COLUMNS / 2 / math.tan(math.radians(fov) / 2)
    return Intrinsics(
        width=COLUMNS,
        height=rows,
        fx=focal,
        fy=focal,
        cx=COLUMNS / 2,
        cy=rows / 2,
        pixel_centre=PixelCentre.HALF,
    )


# --- model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OffAxis:
    """What was measured, and what a program makes of it; arrays are read-only.

    Attributes:
        angle_rad: of the post, from the optical axis.
        range_m, depth_m: of the ray to the post, whether or not a pixel sees it.
        edge_rad: of the left and the right edge of the view, from the optical axis.
        edge_range_m: of the wall there, were no post in the way.
        fan_range_m: (101,) of rays from -50 to 50 degrees, at `FAN_RAD`; the post is in the way of some.
        fan_depth_m: (101,) the same hits as axial depth.
        camera: one row of pixels in the plane y = 0.
        program: the camera as the program has it that unprojects: the same numbers, and its own pixel centres.
        hits: (17, 2) m, x and z of what the pixels see, one a column.
        cloud: (17, 2) m, x and z of the points that the program makes of the depth image.
        wrong_cloud: (17, 2) m, the same if it takes the range image for one of depth.
        column_px: where the post is seen across the image, in the program's numbering.
        shift_m: how far to the left of the post the program puts a point that is seen there.
    """

    angle_rad: float
    range_m: float
    depth_m: float
    edge_rad: float
    edge_range_m: float
    fan_range_m: Array
    fan_depth_m: Array
    camera: Intrinsics
    program: Intrinsics
    hits: Array
    cloud: Array
    wrong_cloud: Array
    column_px: float
    shift_m: float

    @property
    def in_view(self) -> bool:
        """Whether the ray to the post passes through the image."""
        return abs(self.angle_rad) <= self.edge_rad

    @property
    def bow_m(self) -> float:
        """How much deeper than the wall its edge lies in a cloud that takes range for depth."""
        return self.edge_range_m - WALL_M


def model(
    *,
    angle_deg: float,
    distance_m: float,
    fov_x_deg: float = FOV_X_DEG,
    pixel_centre: str = SAME_PIXELS,
) -> OffAxis:
    """Cast a ray to the post, a fan of rays across the scene and one ray a pixel; then unproject.

    Args:
        angle_deg: of the post, from the optical axis to the right.
        distance_m: length of the ray to its near side.
        fov_x_deg: horizontal field of view.
        pixel_centre: how the program that unprojects numbers pixel centres; the camera's own are at u + 0.5.

    Raises:
        TypeError, ValueError: no angle of view, or no way to number pixels.
    """
    if pixel_centre not in PIXEL_CENTRES:
        raise ValueError(
            f"pixel_centre: got {pixel_centre!r}, expected one of {list(PIXEL_CENTRES)}"
        )
    row = camera(fov_x_deg=fov_x_deg, rows=1)
    program = replace(row, pixel_centre=PIXEL_CENTRES[pixel_centre])
    angle, edge = np.deg2rad(angle_deg), np.deg2rad(fov_x_deg) / 2
    wall_and_post = scene(angle_rad=angle, range_m=distance_m)
    caster = AnalyticCaster(wall_and_post)

    d_C = directions(np.append(FAN_RAD, angle))
    range_m = caster.cast_first(Rays(p_WO=np.zeros(3), d_W=d_C)).distance
    depth_m = depth_from_range(range_m, d_C)
    wall = AnalyticCaster(Scene([wall_and_post.bodies[wall_and_post.index_of("wall")]]))
    to_edge = wall.cast_first(Rays(p_WO=np.zeros(3), d_W=directions(np.array([edge]))))

    image = cast_image(caster, row, IDENTITY)
    depth_image = depth_from_range(image.range_m, unit_rays(row))

    p_C = range_m[-1] * d_C[-1]
    column = row.project(p_C)[0] - row.pixel_centre.value + program.pixel_centre.value
    x_program = (column - program.cx) / program.fx * depth_m[-1]
    return OffAxis(
        angle_rad=float(angle),
        range_m=float(range_m[-1]),
        depth_m=float(depth_m[-1]),
        edge_rad=float(edge),
        edge_range_m=float(to_edge.distance[0]),
        fan_range_m=read_only(range_m[:-1]),
        fan_depth_m=read_only(depth_m[:-1]),
        camera=row,
        program=program,
        hits=_from_above(depth_image, row),
        cloud=_from_above(depth_image, program),
        wrong_cloud=_from_above(image.range_m, program),
        column_px=float(column),
        shift_m=float(p_C[0] - x_program),
    )


def directions(angle_rad: Array | float) -> Array:
    """(..., 3) unit directions in the plane y = 0, turned from the optical axis towards x."""
    return np.stack([np.sin(angle_rad), np.zeros_like(angle_rad), np.cos(angle_rad)], axis=-1)


def _from_above(depth_m: Array, intrinsics: Intrinsics) -> Array:
    """(W, 2) m, x and z of the points of a depth image of one row."""
    return read_only(unproject(depth_m, intrinsics)[0][:, [0, 2]])
