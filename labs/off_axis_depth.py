"""Lab: off-axis depth versus range.

A post stands in front of a wall that faces a coarse depth camera. Read what a ray to the post reports (range) beside
what the camera reports (axial depth). Then see what becomes of the wall in a cloud if one is taken for the other, and
how far it moves sideways if the program that makes the cloud numbers pixels in another way than the camera does.

Scene and model, which a chapter may use without any picture, are in `labs.off_axis_depth_model`.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from course.display import scene3d as view
from course.sensors.camera import cast_image
from course.sensors.depth import depth_from_range, unproject
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.teaching.lab import Lab, Parameter, Readout
from course.world.analytic import AnalyticCaster
from course.world.poses import IDENTITY, pose
from labs.depth_chapter import DIAGNOSIS, EXERCISES, PREDICTIONS, QUIZ
from labs.off_axis_depth_model import (
    COLUMNS,
    FAN_RAD,
    FOV_X_DEG,
    PIXEL_CENTRES,
    POST_RADIUS_M,
    ROWS,
    SAME_PIXELS,
    WALL_M,
    OffAxis,
    camera,
    directions,
    model,
    scene,
)

Array = NDArray[np.floating]

# --- picture and readout ------------------------------------------------------------------------------------

RANGE_COLOUR, DEPTH_COLOUR = "#b3541e", "#1f5fa8"
PROGRAM = {
    PixelCentre.HALF: "centres at u + 0.5: on the rays",
    PixelCentre.INTEGER: "centres at u: left of the rays",
}


class FromAbove:
    """The scene from above; below it what a ray reads at each angle.

    One panel above the other, and large letters, as a telephone shows the figure at half its size.
    """

    def __init__(self) -> None:
        self.figure = Figure(figsize=(5.2, 5.4), dpi=110, facecolor="white")
        # Fixed places: a layout engine would measure all texts anew at every move of a slider.
        self._draw_above(self.figure.add_axes((0.095, 0.405, 0.89, 0.487)))
        self._draw_reading(self.figure.add_axes((0.095, 0.09, 0.89, 0.205)))
        _draw_key(
            self.figure,
            ((self._range, self._wrong, self._rays), (self._axial, self._cloud, self._edges)),
        )

    def _draw_above(self, above: Axes) -> None:
        above.set(xlim=(-4.4, 4.4), ylim=(-0.5, 4.5), aspect="equal")
        above.set(xticks=range(-4, 5, 2), yticks=(0, 2, 4))
        above.set(xlabel="x, right (m)", ylabel="z, forward (m)")
        above.plot([-4.4, 4.4], [WALL_M, WALL_M], color="0.85", linewidth=5)
        above.text(4.3, WALL_M - 0.15, "wall", ha="right", va="top", fontsize=9)
        above.plot(0, 0, marker="^", color="black", markersize=8)
        self._program = above.text(-4.3, -0.4, "", ha="left", va="bottom", fontsize=9)
        self._post = Circle((0, 0), POST_RADIUS_M, facecolor="0.85", edgecolor="0.4")
        above.add_patch(self._post)
        (self._rays,) = above.plot([], [], "-", color="0.7", linewidth=0.7, label="rays of pixels")
        (self._edges,) = above.plot([], [], "-.", color="0.25", linewidth=1, label="edge of view")
        (self._level,) = above.plot([], [], ":", color=DEPTH_COLOUR, linewidth=1.2)
        (self._axial,) = above.plot(
            [], [], "-", color=DEPTH_COLOUR, linewidth=3, label="axial depth"
        )
        (self._range,) = above.plot([], [], "--", color=RANGE_COLOUR, linewidth=2, label="range")
        (self._wrong,) = above.plot(
            [], [], "x", color=RANGE_COLOUR, markersize=5, label="cloud from range"
        )
        (self._cloud,) = above.plot(
            [], [], "o", color=DEPTH_COLOUR, markersize=3.5, label="cloud from depth"
        )

    def _draw_reading(self, reading: Axes) -> None:
        reading.set(xlim=(-50, 50), ylim=(0, 5), xticks=range(-40, 41, 20), yticks=(0, 2, 4))
        reading.set(xlabel="angle of the ray (deg)", ylabel="reading (m)")
        degrees = np.rad2deg(FAN_RAD)
        unknown = np.zeros_like(degrees)
        (self._depth_curve,) = reading.plot(degrees, unknown, "-", color=DEPTH_COLOUR, linewidth=2)
        (self._range_curve,) = reading.plot(degrees, unknown, "--", color=RANGE_COLOUR, linewidth=2)
        self._views = [reading.axvline(0, color="0.25", linewidth=1, linestyle="-.") for _ in "lr"]
        self._here = reading.axvline(0, color="0.5", linewidth=1, linestyle=":")

    def show(self, data: OffAxis) -> None:
        """Move everything to where the model says."""
        x, z = data.range_m * np.sin(data.angle_rad), data.depth_m
        edge = np.tan(data.edge_rad)
        far = 4.5
        self._post.center = tuple(
            (data.range_m + POST_RADIUS_M) * directions(data.angle_rad)[[0, 2]]
        )
        self._range.set_data([0, x], [0, z])
        self._axial.set_data([0, 0], [0, z])
        self._level.set_data([0, x], [z, z])
        self._edges.set_data([-far * edge, 0, far * edge], [far, 0, far])
        self._rays.set_data(*_fan(data.hits).T)
        self._cloud.set_data(*data.cloud.T)
        self._wrong.set_data(*data.wrong_cloud.T)
        self._program.set_text(PROGRAM[data.program.pixel_centre])
        self._range_curve.set_ydata(data.fan_range_m)
        self._depth_curve.set_ydata(data.fan_depth_m)
        for line, side in zip(self._views, (-1, 1), strict=True):
            line.set_xdata([side * np.rad2deg(data.edge_rad)] * 2)
        self._here.set_xdata([np.rad2deg(data.angle_rad)] * 2)


def _draw_key(figure: Figure, rows: Sequence[Sequence[Line2D]]) -> None:
    """What each line means, at the top. Matplotlib's own legend takes a quarter of the time of a whole picture."""
    for y, row in zip((0.968, 0.93), rows, strict=True):
        for x, line in zip((0.095, 0.345, 0.67), row, strict=True):
            has_marker = line.get_marker() != "None"
            sample = Line2D(
                [x + 0.03] if has_marker else [x, x + 0.06], [y] if has_marker else [y, y]
            )
            sample.update_from(line)
            sample.set(transform=figure.transFigure, clip_on=False)
            figure.add_artist(sample)
            figure.text(x + 0.08, y, str(line.get_label()), va="center_baseline", fontsize=9)


def _fan(ends: Array) -> Array:
    """(3 N, 2) for one line that goes from the camera to each end (N, 2), and is broken in between."""
    return np.stack([np.zeros_like(ends), ends, np.full_like(ends, np.nan)], axis=1).reshape(-1, 2)


def readout(data: OffAxis) -> Readout:
    """The numbers of the post, how far the wall bows if range is used as depth, and what half a pixel does."""
    return {
        "range": (data.range_m, "m"),
        "axial depth": (data.depth_m, "m"),
        "range - depth": (data.range_m - data.depth_m, "m"),
        "edge of the view": (float(np.rad2deg(data.edge_rad)), "deg"),
        "bow of the wall at that edge": (data.bow_m, "m"),
        f"pixel column of the post ({COLUMNS} in all)": (data.column_px, "px"),
        "half a pixel at the post": (data.depth_m / (2 * data.camera.fx), "m"),
        "shift of the cloud to the left": (data.shift_m, "m"),
    }


def alt(data: OffAxis) -> str:
    """The picture in words."""
    degrees, edge = np.rad2deg([data.angle_rad, data.edge_rad])
    seen = "" if data.in_view else ", outside of the view"
    if data.program.pixel_centre is data.camera.pixel_centre:
        places = "lie on the rays of the pixels"
    else:
        places = f"lie half a pixel left of the rays, at the post's depth {data.shift_m:.3f} m"
    return (
        f"From above: a post {degrees:.0f} degrees off the axis{seen}. The ray to it is {data.range_m:.2f} m long and "
        f"its depth along the axis is {data.depth_m:.2f} m. The view reaches {edge:g} degrees to each side. The wall "
        f"is flat in the cloud from depth, and bends away by {data.bow_m:.2f} m at the edge of the view where range "
        f"is used as depth. The points of both clouds {places}."
    )


def view_3d(data: OffAxis) -> view.Scene:
    """The same seen from anywhere: all rows of the camera, as the two clouds that the program makes of them.

    The wall carries the borders of the pixels. A point that is right lies in the middle of its field.
    """
    intrinsics = camera(fov_x_deg=float(np.rad2deg(2 * data.edge_rad)), rows=ROWS)
    program = replace(intrinsics, pixel_centre=data.program.pixel_centre)
    caster = AnalyticCaster(scene(angle_rad=data.angle_rad, range_m=data.range_m))
    image = cast_image(caster, intrinsics, IDENTITY)
    cloud = unproject(depth_from_range(image.range_m, unit_rays(intrinsics)), program)
    wrong_cloud = unproject(image.range_m, program)

    # MeshCat's z points up and ours forward, so all is turned about x.
    X_WC = pose(rotation=Rotation.from_euler("x", -90, degrees=True))
    post = (data.range_m + POST_RADIUS_M) * directions(data.angle_rad)
    pixel_m = WALL_M / intrinsics.fx  # what a pixel covers of the wall
    # Lines, as a solid wall would hide what lies behind it.
    starts, ends = _pixel_borders(intrinsics)
    x, y = starts[0, 0], starts[0, 1]
    corners = np.array([[x, y, WALL_M], [-x, y, WALL_M], [-x, -y, WALL_M], [x, -y, WALL_M]])
    return view.Scene(
        eye_W=(-0.75, -1.0, 0.5),
        shapes=(
            view.Lines(name="wall", starts_B=starts, ends_B=ends, color="#c3ccd5", X_WB=X_WC),
            view.Lines(
                name="view", starts_B=np.zeros((4, 3)), ends_B=corners, color="#3d4a57", X_WB=X_WC
            ),
            view.Sphere(name="camera", radius=0.1, color="#000000"),
            view.Sphere(
                name="post",
                radius=POST_RADIUS_M,
                color="#3d4a57",
                X_WB=X_WC * pose(translation=post),
            ),
            # Small points and large ones, so that they are told apart without their colours too.
            view.Points(
                name="depth",
                points_B=cloud[image.valid],
                color=DEPTH_COLOUR,
                size=0.35 * pixel_m,
                X_WB=X_WC,
            ),
            view.Points(
                name="range",
                points_B=wrong_cloud[image.valid],
                color=RANGE_COLOUR,
                size=0.6 * pixel_m,
                X_WB=X_WC,
            ),
        ),
    )


def _pixel_borders(intrinsics: Intrinsics) -> tuple[Array, Array]:
    """Where lines (N, 3) on the wall start and end that part what one pixel sees from what the next one sees."""
    x = (np.arange(intrinsics.width + 1) - intrinsics.cx) / intrinsics.fx * WALL_M
    y = (np.arange(intrinsics.height + 1) - intrinsics.cy) / intrinsics.fy * WALL_M
    upright = np.array([[(a, b, WALL_M) for a in x] for b in (y[0], y[-1])])
    level = np.array([[(a, b, WALL_M) for b in y] for a in (x[0], x[-1])])
    starts, ends = np.concatenate([upright, level], axis=1)
    return starts, ends


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
        Parameter(
            name="fov_x_deg",
            label="horizontal field of view",
            unit="deg",
            values=tuple(float(d) for d in range(50, 95, 5)),
            default=FOV_X_DEG,
        ),
        Parameter(
            name="pixel_centre",
            label="pixel centres in the program",
            unit="",
            values=tuple(PIXEL_CENTRES),
            default=SAME_PIXELS,
        ),
    ),
    model=model,
    picture=FromAbove,
    readout=readout,
    alt=alt,
    exercises=EXERCISES,
    predictions=PREDICTIONS,
    quiz=(*QUIZ, *DIAGNOSIS),
)
