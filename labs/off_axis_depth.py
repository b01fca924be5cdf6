"""Lab: off-axis depth versus range.

A post stands in front of a wall that faces the camera. Turn its angle and its distance, and read what a ray reports
(range) beside what a depth camera reports (axial depth). Then see what becomes of the wall if one is taken for
the other.

The camera frame C is the world here: x right, y down, z forward. All is drawn from above, in the plane y = 0.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray
from scipy.spatial.transform import RigidTransform, Rotation

from course.display import scene3d as view
from course.sensors.camera import cast_image
from course.sensors.depth import depth_from_range, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.teaching.lab import Lab, Parameter, Readout
from course.world.analytic import AnalyticCaster
from course.world.checks import read_only
from course.world.poses import IDENTITY, pose
from course.world.rays import Rays
from course.world.scene import Body, Scene
from course.world.shapes import Plane, Sphere
from labs.depth_exercises import AXIAL_DEPTH, DEPTH_IMAGE, QUIZ, TWO_METRES_AT_30_DEGREES

Array = NDArray[np.floating]

WALL_M = 3.0
POST_RADIUS_M = 0.12
FAN_RAD = np.deg2rad(np.linspace(-50, 50, 101))
REACH_M = 20.0

# --- scene --------------------------------------------------------------------------------------------------


def scene(*, angle_rad: float, range_m: float) -> Scene:
    """A wall at z = 3 m and a post whose near side lies `range_m` away in the direction `angle_rad`."""
    centre = (range_m + POST_RADIUS_M) * _directions(angle_rad)
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


# --- model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OffAxis:
    """What the rays measured; arrays are read-only.

    Attributes:
        angle_rad: of the post, from the optical axis.
        range_m, depth_m: of the ray to the post.
        fan_range_m: (101,) of rays from -50 to 50 degrees, at `FAN_RAD`; the post is in the way of some.
        fan_depth_m: (101,) the same hits as axial depth.
        cloud: (101, 2) m, x and z of the hits.
        wrong_cloud: (101, 2) m, x and z if range is unprojected as if it were depth.
    """

    angle_rad: float
    range_m: float
    depth_m: float
    fan_range_m: Array
    fan_depth_m: Array
    cloud: Array
    wrong_cloud: Array


def model(*, angle_deg: float, distance_m: float) -> OffAxis:
    """Cast one ray to the post and a fan of rays across the view."""
    angle = np.deg2rad(angle_deg)
    caster = AnalyticCaster(scene(angle_rad=angle, range_m=distance_m))
    angles = np.append(FAN_RAD, angle)
    d_C = _directions(angles)
    hits = caster.cast_first(Rays(p_WO=np.zeros(3), d_W=d_C, max_distance=REACH_M))
    range_m = np.asarray(hits.distance, dtype=float)
    depth_m = depth_from_range(range_m, d_C)
    fan_range, fan_depth = range_m[:-1], depth_m[:-1]
    sideways = np.tan(FAN_RAD)  # x / z of each ray
    return OffAxis(
        angle_rad=float(angle),
        range_m=float(range_m[-1]),
        depth_m=float(depth_m[-1]),
        fan_range_m=read_only(fan_range),
        fan_depth_m=read_only(fan_depth),
        cloud=read_only(np.stack([sideways * fan_depth, fan_depth], axis=1)),
        wrong_cloud=read_only(np.stack([sideways * fan_range, fan_range], axis=1)),
    )


def _directions(angle_rad: Array | float) -> Array:
    """(..., 3) unit directions in the plane y = 0, turned from the optical axis towards x."""
    return np.stack([np.sin(angle_rad), np.zeros_like(angle_rad), np.cos(angle_rad)], axis=-1)


# --- picture and readout ------------------------------------------------------------------------------------

RANGE_COLOUR, DEPTH_COLOUR = "#b3541e", "#1f5fa8"


class FromAbove:
    """The scene from above on the left; on the right what each ray of the fan reads."""

    def __init__(self) -> None:
        self.figure = Figure(figsize=(8.4, 3.7), dpi=100, facecolor="white")
        above, reading = self.figure.subplots(1, 2, width_ratios=[1.75, 1])
        # Fixed margins: a layout engine would measure all texts anew at every move of a slider.
        self.figure.subplots_adjust(left=0.06, right=0.985, bottom=0.135, top=0.97, wspace=0.17)
        above.set(
            xlim=(-5.8, 5.8), ylim=(-0.5, 6.3), xlabel="x, right (m)", ylabel="z, forward (m)"
        )
        above.set_aspect("equal")
        above.axvline(0, color="0.75", linewidth=0.8)
        above.plot(0, 0, marker="^", color="black", markersize=9)
        (self._wrong,) = above.plot(
            [], [], "x", color=RANGE_COLOUR, markersize=3.5, label="cloud from range"
        )
        (self._cloud,) = above.plot(
            [], [], ".", color=DEPTH_COLOUR, markersize=4, label="cloud from depth"
        )
        self._post = above.add_patch(Circle((0, 0), POST_RADIUS_M, fill=False, color="0.6"))
        (self._ray,) = above.plot([], [], "--", color=RANGE_COLOUR, linewidth=2, label="range")
        (self._axial,) = above.plot(
            [], [], "-", color=DEPTH_COLOUR, linewidth=3, label="axial depth"
        )
        (self._level,) = above.plot([], [], ":", color=DEPTH_COLOUR, linewidth=1.2)
        above.legend(loc="upper center", ncols=2, fontsize=8, framealpha=1)

        degrees = np.rad2deg(FAN_RAD)
        reading.set(
            xlim=(-50, 50), ylim=(0, 5), xlabel="angle of the ray (deg)", ylabel="reading (m)"
        )
        (self._range_curve,) = reading.plot(
            degrees, np.zeros_like(degrees), "--", color=RANGE_COLOUR, linewidth=2, label="range"
        )
        (self._depth_curve,) = reading.plot(
            degrees,
            np.zeros_like(degrees),
            "-",
            color=DEPTH_COLOUR,
            linewidth=2,
            label="axial depth",
        )
        self._here = reading.axvline(0, color="0.6", linewidth=0.8, linestyle=":")
        reading.legend(loc="lower left", fontsize=8, framealpha=1)

    def show(self, data: OffAxis) -> None:
        """Move everything to where the model says."""
        x = data.range_m * np.sin(data.angle_rad)
        self._post.center = tuple(
            (data.range_m + POST_RADIUS_M) * _directions(data.angle_rad)[[0, 2]]
        )
        self._ray.set_data([0, x], [0, data.depth_m])
        self._axial.set_data([0, 0], [0, data.depth_m])
        self._level.set_data([0, x], [data.depth_m, data.depth_m])
        self._cloud.set_data(*data.cloud.T)
        self._wrong.set_data(*data.wrong_cloud.T)
        self._range_curve.set_ydata(data.fan_range_m)
        self._depth_curve.set_ydata(data.fan_depth_m)
        self._here.set_xdata([np.rad2deg(data.angle_rad)] * 2)


def readout(data: OffAxis) -> Readout:
    """The numbers of the post, and how far the wall bows if range is taken for depth."""
    return {
        "range": (data.range_m, "m"),
        "axial depth": (data.depth_m, "m"),
        "range - depth": (data.range_m - data.depth_m, "m"),
        "bow of the wall at 50 deg": (_bow(data), "m"),
    }


def alt(data: OffAxis) -> str:
    """The picture in words."""
    return (
        f"From above: a post {np.rad2deg(data.angle_rad):.0f} degrees off the axis. The ray to it is "
        f"{data.range_m:.2f} m long and its depth along the axis is {data.depth_m:.2f} m. The wall behind it is "
        f"flat where the hits are, and bends away by {_bow(data):.2f} m where range is used as depth."
    )


def _bow(data: OffAxis) -> float:
    """How much deeper than the wall the wrong cloud's outermost point lies, m."""
    return float(data.fan_range_m.max() - WALL_M)


def view_3d(data: OffAxis) -> view.Scene:
    """The same seen from anywhere: a camera's image of the scene as two clouds, one unprojected rightly, one not."""
    camera = Intrinsics.from_vertical_fov(
        width=33, height=25, fov_y_rad=np.deg2rad(60), pixel_centre=PixelCentre.HALF
    )
    caster = AnalyticCaster(scene(angle_rad=data.angle_rad, range_m=data.range_m))
    image = cast_image(caster, camera, IDENTITY, max_range=REACH_M)
    right = unproject(depth_from_range(image.range_m, unit_rays(camera)), camera)
    wrong = unproject(image.range_m, camera)
    # MeshCat's z points up and ours forward, so all is turned about x.
    X_WC = pose(rotation=Rotation.from_euler("x", -90, degrees=True))
    post = X_WC * pose(translation=(data.range_m + POST_RADIUS_M) * _directions(data.angle_rad))
    # An outline, as a solid wall would hide what lies behind it.
    x, y = 3.2, 1.9
    wall = np.array([[-x, -y, WALL_M], [x, -y, WALL_M], [x, y, WALL_M], [-x, y, WALL_M]])
    return view.Scene(
        eye_W=(-1.0, -0.55, 0.6),
        shapes=(
            view.Lines(
                name="wall",
                starts_B=wall,
                ends_B=np.roll(wall, 1, axis=0),
                color="#3d4a57",
                X_WB=X_WC,
            ),
            view.Lines(
                name="view", starts_B=np.zeros((4, 3)), ends_B=wall, color="#9fb3c8", X_WB=X_WC
            ),
            view.Sphere(name="camera", radius=0.1, color="#000000"),
            view.Sphere(name="post", radius=POST_RADIUS_M, color="#3d4a57", X_WB=post),
            _cloud("depth", right[image.valid], DEPTH_COLOUR, X_WC),
            _cloud("range", wrong[image.valid], RANGE_COLOUR, X_WC),
        ),
    )


def _cloud(name: str, p_C: Array, color: str, X_WC: RigidTransform) -> view.Points:
    return view.Points(name=name, points_B=p_C, color=color, size=0.07, X_WB=X_WC)


# --- the lab ------------------------------------------------------------------------------------------------

LAB = Lab(
    name="off-axis-depth",
    title="Depth and range",
    parameters=(
        Parameter(
            name="angle_deg",
            label="angle off the axis",
            unit="deg",
            values=tuple(range(46)),
            default=30,
            every=3,
        ),
        Parameter(
            name="distance_m",
            label="length of the ray",
            unit="m",
            values=tuple(float(d) for d in np.arange(0.5, 2.8, 0.25)),
            default=2.0,
        ),
    ),
    model=model,
    picture=FromAbove,
    readout=readout,
    alt=alt,
    exercises=(AXIAL_DEPTH, DEPTH_IMAGE),
    predictions=(TWO_METRES_AT_30_DEGREES,),
    quiz=QUIZ,
)
