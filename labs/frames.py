"""Lab: one point, two frames.

A camera stands above the origin of the world W and looks over the floor; a point hovers before it. Turn the camera,
raise it, move the point: read which of the point's numbers change in the world frame 世界坐标系, and which in the
camera frame 相机坐标系.

Axes of W: x forward, y left, z up. Axes of C: x right, y down, z forward. The camera is level, and turns about z of W.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray
from scipy.spatial.transform import RigidTransform, Rotation

from course.teaching.lab import Lab, Parameter, Readout
from course.world.checks import read_only, real
from course.world.poses import pose
from labs.frames_exercises import CUP_IN_THE_CAMERA, POINT_IN_CAMERA, QUIZ, R_WC_LEVEL

Array = NDArray[np.float64]

# --- scene --------------------------------------------------------------------------------------------------


def camera_pose(*, yaw_deg: float = 0.0, height_m: float = 1.5) -> RigidTransform:
    """X_WC of a level camera above the origin of W.

    Args:
        yaw_deg: how far it is turned to the left of x of W.
        height_m: above the floor.

    Raises:
        TypeError, ValueError: not numbers, or not finite ones.
    """
    yaw = real(yaw_deg, name="yaw_deg", unit="deg")
    height = real(height_m, name="height_m", unit="m")
    if not math.isfinite(yaw):
        raise ValueError(f"yaw_deg: expected a finite number in deg, got {yaw:g}")
    turned = Rotation.from_euler("z", yaw, degrees=True)
    return pose(translation=[0, 0, height], rotation=turned * Rotation.from_matrix(R_WC_LEVEL))


# --- model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoFrames:
    """One point in both frames; arrays are read-only.

    Attributes:
        yaw_deg: of the camera, to the left.
        X_WC: its pose.
        p_W: (3,) m, the point in the world.
        p_C: (3,) m, the same point in the camera.
    """

    yaw_deg: float
    X_WC: RigidTransform
    p_W: Array
    p_C: Array


def model(*, yaw_deg: float, height_m: float, x_m: float, y_m: float, z_m: float) -> TwoFrames:
    """Place the camera and the point, and take the point's coordinates from W to C.

    Args:
        yaw_deg: how far the camera is turned to the left of x of W.
        height_m: of the camera above the floor.
        x_m: of the point, forward in W.
        y_m: of the point, left in W.
        z_m: of the point, above the floor.

    Raises:
        TypeError, ValueError: not numbers, or not finite ones.
    """
    X_WC = camera_pose(yaw_deg=yaw_deg, height_m=height_m)
    p_W = pose(translation=[x_m, y_m, z_m]).translation  # checked there
    return TwoFrames(
        yaw_deg=float(yaw_deg),
        X_WC=X_WC,
        p_W=read_only(p_W),
        # To a picometre, so that nobody reads -0.000 m where sine and cosine cancel but for the last bit.
        p_C=read_only(X_WC.inv().apply(p_W).round(12) + 0.0),
    )


# --- picture and readout ------------------------------------------------------------------------------------

X_COLOUR, Y_COLOUR, Z_COLOUR, WORLD_COLOUR = "#b3541e", "#6b3fa0", "#1f5fa8", "0.35"
SIDE_M = 3.4  # half the width of both panels
ABOVE_M, SEEN_M = (-0.7, 3.5), (2.3, -1.5)  # their lower and upper ends


class TwoViews:
    """From above, where the camera turns and the point stays; and seen by the camera, where it is the other way.

    One panel above the other, and large letters, as a telephone shows the figure at half its size.
    """

    def __init__(self) -> None:
        self.figure = Figure(figsize=(5.2, 7.0), dpi=110, facecolor="white")
        # Fixed places: a layout engine would measure all texts anew at every move of a slider.
        self._draw_above(self.figure.add_axes((0.115, 0.516, 0.87, 0.399)))
        self._draw_seen(self.figure.add_axes((0.115, 0.07, 0.87, 0.361)))
        _draw_key(self.figure, ((self._z, self._x), (self._y, self._world)))

    def _draw_above(self, above: Axes) -> None:
        # y of W grows to the left, so that forward is up and left is left.
        above.set(xlim=(SIDE_M, -SIDE_M), ylim=ABOVE_M, aspect="equal")
        above.set(xticks=range(-3, 4), yticks=range(4))
        above.set(xlabel="y of W, left (m)", ylabel="x of W, forward (m)")
        above.text(SIDE_M - 0.1, ABOVE_M[1] - 0.1, "from above", ha="left", va="top", fontsize=9)
        (self._world,) = above.plot(
            [], [], ":", color=WORLD_COLOUR, linewidth=1.5, label="read along W"
        )
        (self._z,) = above.plot([], [], "-", color=Z_COLOUR, linewidth=3, label="z of C, forward")
        (self._x,) = above.plot([], [], "--", color=X_COLOUR, linewidth=2.5, label="x of C, right")
        (self._axes,) = above.plot([], [], "-", color="black", linewidth=1)
        (self._camera,) = above.plot([], [], "-", color="black", linewidth=2)
        (self._above,) = above.plot([], [], "o", color="black", markersize=8)
        self._letters = [above.text(0, 0, letter, ha="center", va="center") for letter in "xz"]

    def _draw_seen(self, seen: Axes) -> None:
        # y of C grows downwards, as the axis says.
        seen.set(xlim=(-SIDE_M, SIDE_M), ylim=SEEN_M, aspect="equal")
        seen.set(xticks=range(-3, 4), yticks=range(-1, 3))
        seen.set(xlabel="x of C, right (m)", ylabel="y of C, down (m)")
        seen.text(
            0.1 - SIDE_M,
            SEEN_M[1] + 0.1,
            "seen by the camera: + is straight ahead",
            ha="left",
            va="top",
            fontsize=9,
        )
        seen.plot(0, 0, "+", color="black", markersize=12)
        (self._floor,) = seen.plot([], [], "-", color="0.85", linewidth=5)
        self._floor_word = seen.text(
            0.05 - SIDE_M, 0, "floor", ha="left", va="center_baseline", fontsize=9
        )
        (self._height,) = seen.plot([], [], ":", color=WORLD_COLOUR, linewidth=1.5)
        (self._seen_x,) = seen.plot([], [], "--", color=X_COLOUR, linewidth=2.5)
        (self._y,) = seen.plot([], [], "-.", color=Y_COLOUR, linewidth=2.5, label="y of C, down")
        (self._seen,) = seen.plot([], [], "o", color="black", markersize=8)

    def show(self, data: TwoFrames) -> None:
        """Move everything to where the model says."""
        (x, y, _), (x_C, y_C, z_C) = data.p_W, data.p_C
        height = data.X_WC.translation[2]
        right, _down, forward = data.X_WC.rotation.as_matrix().T[:, :2]  # x and y of W, from above

        # Matplotlib's x is y of W here, and its y is x of W.
        foot = z_C * forward
        self._above.set_data([y], [x])
        self._world.set_data([y, y, SIDE_M], [ABOVE_M[0], x, x])
        self._z.set_data([0, foot[1]], [0, foot[0]])
        self._x.set_data([foot[1], y], [foot[0], x])
        self._axes.set_data([0.55 * right[1], 0], [0.55 * right[0], 0])
        for letter, place in zip(
            self._letters, (0.75 * right, 0.55 * forward - 0.22 * right), strict=True
        ):
            letter.set_position((place[1], place[0]))
        lens, left, right_ = np.zeros(2), -forward - right, right - forward
        self._camera.set_data(*(0.18 * np.stack([lens, left, right_, lens])[:, ::-1]).T)

        self._seen.set_data([x_C], [y_C])
        self._seen_x.set_data([0, x_C], [0, 0])
        self._y.set_data([x_C, x_C], [0, y_C])
        self._height.set_data([x_C, x_C], [y_C, height])
        self._floor.set_data([-SIDE_M, SIDE_M], [height, height])
        self._floor_word.set_position((0.05 - SIDE_M, height - 0.22))


def _draw_key(figure: Figure, rows: Sequence[Sequence[Line2D]]) -> None:
    """What each line means, at the top. Matplotlib's own legend takes a quarter of the time of a whole picture."""
    for y, row in zip((0.974, 0.943), rows, strict=True):
        for x, line in zip((0.115, 0.55), row, strict=True):
            sample = Line2D([x, x + 0.08], [y, y])
            sample.update_from(line)
            sample.set(transform=figure.transFigure, clip_on=False)
            figure.add_artist(sample)
            figure.text(x + 0.1, y, str(line.get_label()), va="center_baseline", fontsize=9)


def readout(data: TwoFrames) -> Readout:
    """The point's numbers in both frames, and its distance, which is the same in both."""
    numbers: dict[str, tuple[float, str]] = {}
    for frame, p in (("W", data.p_W), ("C", data.p_C)):
        for axis, value in zip("xyz", p, strict=True):
            numbers[f"{axis} of {frame}"] = (float(value) + 0.0, "m")
    numbers["distance from the camera"] = (float(np.linalg.norm(data.p_C)), "m")
    return numbers


def alt(data: TwoFrames) -> str:
    """The picture in words."""
    turn = f"{abs(data.yaw_deg):g} degrees to the {'left' if data.yaw_deg > 0 else 'right'}"
    turned = f"turned {turn}" if data.yaw_deg else "looking along x of the world"
    (x, y, z), (x_C, y_C, z_C) = data.p_W, data.p_C
    return (
        f"A camera {data.X_WC.translation[2]:g} m above the floor, {turned}, and a point. In the world the point lies "
        f"{x:.2f} m forward, {_sided(y, 'left', 'right')} and {z:.2f} m up. Seen by the camera it is "
        f"{z_C:.2f} m ahead, {_sided(x_C, 'to the right', 'to the left')} and {_sided(y_C, 'below', 'above')}."
    )


def _sided(number: float, positive: str, negative: str) -> str:
    """A signed length in words: `-0.5` becomes `0.50 m above`."""
    return f"{abs(number):.2f} m {positive if number >= 0 else negative}"


# --- the lab ------------------------------------------------------------------------------------------------


def _metres(start: float, end: float) -> tuple[float, ...]:
    return tuple(float(value) for value in np.arange(start, end + 0.125, 0.25))


LAB = Lab(
    name="frames",
    title="One point, two frames",
    parameters=(
        Parameter(
            name="yaw_deg",
            label="camera turned left",
            unit="deg",
            values=tuple(range(-45, 50, 5)),
            default=30,
        ),
        Parameter(
            name="height_m",
            label="height of the camera",
            unit="m",
            values=_metres(1.0, 2.0),
            default=1.5,
        ),
        Parameter(
            name="x_m", label="point: x of W", unit="m", values=_metres(1.0, 3.0), default=3.0
        ),
        Parameter(
            name="y_m", label="point: y of W", unit="m", values=_metres(-1.0, 1.0), default=0.0
        ),
        Parameter(
            name="z_m", label="point: z of W", unit="m", values=_metres(0.0, 2.0), default=0.5
        ),
    ),
    model=model,
    picture=TwoViews,
    readout=readout,
    alt=alt,
    exercises=(POINT_IN_CAMERA,),
    predictions=(CUP_IN_THE_CAMERA,),
    quiz=QUIZ,
)
