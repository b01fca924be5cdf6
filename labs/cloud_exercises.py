"""Exercises and a question on clouds: the points that a depth image shows, and a cloud to be repaired.

Camera frame C: x right, y down, z forward. A pixel without a reading has a point of nan, so that all points keep
their places.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.teaching.exercise import Case, Exercise, Misconception
from course.teaching.question import Choice, Question

Array = NDArray[np.float64]

# --- from a depth image to points ---------------------------------------------------------------------------


def _points_from_depth(depth_m: Array, fov_y_rad: float) -> Array:
    height, width = depth_m.shape
    focal = height / 2 / np.tan(fov_y_rad / 2)
    v, u = np.indices(depth_m.shape)
    z = np.where(np.isfinite(depth_m), depth_m, np.nan)
    x = (u + 0.5 - width / 2) * z / focal
    y = (v + 0.5 - height / 2) * z / focal
    return np.stack([x, y, z]).reshape(3, height * width)


def _half_pixel_forgotten(depth_m: Array, fov_y_rad: float) -> Any:
    height, _ = depth_m.shape
    points = _points_from_depth(depth_m, fov_y_rad)
    half_pixel = points[2] * np.tan(fov_y_rad / 2) / height
    return points - half_pixel * np.array([[1], [1], [0]])


def _times_the_tangent(depth_m: Array, fov_y_rad: float) -> Any:
    aside = 1 / np.tan(fov_y_rad / 2) ** 2
    return _points_from_depth(depth_m, fov_y_rad) * np.array([[aside], [aside], [1]])


def _width_for_height(depth_m: Array, fov_y_rad: float) -> Any:
    height, width = depth_m.shape
    return _points_from_depth(depth_m, fov_y_rad) * np.array(
        [[height / width], [height / width], [1]]
    )


def _width_for_height_across(depth_m: Array, fov_y_rad: float) -> Any:
    height, width = depth_m.shape
    return _points_from_depth(depth_m, fov_y_rad) * np.array([[height / width], [1], [1]])


def _column_major(depth_m: Array, fov_y_rad: float) -> Array:
    points = _points_from_depth(depth_m, fov_y_rad).reshape(3, *depth_m.shape)
    return points.transpose(0, 2, 1).reshape(3, -1)


def _height_and_width_swapped(depth_m: Array, fov_y_rad: float) -> Array:
    # Told apart where the image is not square: then its pixels are read in rows of another length.
    return _points_from_depth(depth_m.reshape(depth_m.shape[::-1]), fov_y_rad)


def _invalid_dropped(depth_m: Array, fov_y_rad: float) -> Array:
    return _points_from_depth(depth_m, fov_y_rad)[:, np.isfinite(depth_m).ravel()]


def _miss_at_infinity(depth_m: Array, fov_y_rad: float) -> Array:
    directions = _points_from_depth(np.ones_like(depth_m), fov_y_rad)
    return np.where(directions == 0, 0, directions) * depth_m.ravel()


def _miss_as_drake_has_it(depth_m: Array, fov_y_rad: float) -> Array:
    return np.where(np.isinf(depth_m).ravel(), np.inf, _points_from_depth(depth_m, fov_y_rad))


def _depth_as_range(depth_m: Array, fov_y_rad: float) -> Any:
    directions = _points_from_depth(np.ones_like(depth_m), fov_y_rad)
    return _points_from_depth(depth_m, fov_y_rad) / np.linalg.norm(directions, axis=0)


def _random_depths(rng: np.random.Generator) -> Case:
    height, width = (int(n) for n in rng.choice(np.arange(2, 7), size=2, replace=False))
    depth_m = rng.uniform(0.5, 6.0, height * width)
    depth_m[rng.choice(height * width, size=2, replace=False)] = np.inf, np.nan
    return {
        "depth_m": depth_m.reshape(height, width),
        "fov_y_rad": float(rng.uniform(0.6, 1.4)),
    }


POINTS_FROM_DEPTH = Exercise(
    name="points_from_depth",
    title="The points that a depth image shows",
    reference=_points_from_depth,
    unit="m",
    tolerance=1e-5,
    fixed=(
        {"depth_m": np.array([[2.0, 2.0]]), "fov_y_rad": np.pi / 2},
        {
            "depth_m": np.array([[2.0, np.inf, 1.0], [1.5, 2.0, np.nan]]),
            "fov_y_rad": float(np.deg2rad(60)),
        },
        {"depth_m": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.inf]]), "fov_y_rad": 1.0},
    ),
    random_case=_random_depths,
    misconceptions=(
        Misconception(
            name="half a pixel forgotten",
            answer=_half_pixel_forgotten,
            question="The axis meets the middle of the image. Do your points reach as far to the left as to the right?",
        ),
        Misconception(
            name="focal length from the width",
            answer=_width_for_height,
            question="fov_y is the angle from the upper edge to the lower one. Which size of the image lies across it?",
        ),
        Misconception(
            name="the vertical field of view used across the width too",
            answer=_width_for_height_across,
            question="That stretches or squeezes x alone. What do square pixels say about fx and fy?",
        ),
        Misconception(
            name="radians converted as if they were degrees",
            answer=lambda depth_m, fov_y_rad: _points_from_depth(depth_m, np.deg2rad(fov_y_rad)),
            question="All points lie nearly on the axis. The angle arrives in radians: what does np.tan expect?",
        ),
        Misconception(
            name="multiplied by the tangent",
            answer=_times_the_tangent,
            question="With your focal length, a wider view spreads the points less. Half the image is f times the "
            "tangent: what is f then?",
        ),
        Misconception(
            name="the whole angle in place of half of it",
            answer=lambda depth_m, fov_y_rad: _points_from_depth(depth_m, 2 * fov_y_rad),
            question="The axis and the upper edge enclose half of the field of view. Which angle belongs to H / 2?",
        ),
        Misconception(
            name="points column by column",
            answer=_column_major,
            question="The point of pixel (u, v) belongs in column v * W + u. Which pixel comes second: the one to the "
            "right, or the one below?",
        ),
        Misconception(
            name="(H, W) swapped",
            answer=_height_and_width_swapped,
            question="An image array is indexed [v, u]: rows first. Which of its two sizes is the height?",
        ),
        Misconception(
            name="points in rows instead of columns",
            answer=lambda depth_m, fov_y_rad: _points_from_depth(depth_m, fov_y_rad).T,
            question="The points are right, and so is their order. Which axis of your array holds x, y, z?",
        ),
        Misconception(
            name="invalid points dropped",
            answer=_invalid_dropped,
            question="Which column belongs to pixel (0, 1) now? Colours and labels are found by the same number.",
        ),
        Misconception(
            name="a miss turned into the origin",
            answer=lambda depth_m, fov_y_rad: np.nan_to_num(_points_from_depth(depth_m, fov_y_rad)),
            question="All misses now lie in a clump inside the camera. Which number says that there is no point?",
        ),
        Misconception(
            name="a miss left at infinity",
            answer=_miss_at_infinity,
            question="The ray met nothing, so it has no point. What do you get for the middle of a set of points if "
            "one of them is inf?",
        ),
        Misconception(
            name="a miss at (inf, inf, inf)",
            answer=_miss_as_drake_has_it,
            question="Drake's clouds mark a miss so, and those of course.sensors too. Which mark is asked for here?",
        ),
        Misconception(
            name="y up instead of down",
            answer=lambda depth_m, fov_y_rad: (
                _points_from_depth(depth_m, fov_y_rad) * [[1], [-1], [1]]
            ),
            question="In this frame the row below has the larger y. On which side of the axis is your first row?",
        ),
        Misconception(
            name="depth taken as range",
            answer=_depth_as_range,
            question="The wall is bent: its points lie on a sphere around the camera. What is the z of a point whose "
            "axial depth is 2 m?",
        ),
    ),
    hints=(
        "From the side: the upper edge of the image is H / 2 pixels above the axis, at fov_y / 2. How long is the "
        "focal length in pixels? It is the same for x, as the pixels are square.",
        "x = (u + 0.5 - W / 2) * z / f and y = (v + 0.5 - H / 2) * z / f; z is the depth, nan where there is none.",
        "v, u = np.indices(depth_m.shape) gives both numbers of every pixel; np.stack([x, y, z]).reshape(3, -1) puts "
        "the rows of the image one after the other.",
    ),
)


# --- a cloud that was made of ranges ------------------------------------------------------------------------


def _repair_cloud(points: Array) -> Any:
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return points * points[:, 2:] / length


def _shrink(points: Array) -> Any:
    """(N, 1): what a point is to be multiplied by."""
    return points[:, 2:] / np.linalg.norm(points, axis=1, keepdims=True)


def _random_cloud(rng: np.random.Generator) -> Case:
    size = int(rng.integers(3, 8))
    z = rng.uniform(0.5, 6.0, (size, 1))
    points = np.hstack([z * rng.uniform(-1.0, 1.0, (size, 2)), z])
    points[rng.integers(size)] = np.nan
    return {"points": points}


REPAIR_CLOUD = Exercise(
    name="repair_cloud",
    title="A cloud made of ranges, repaired",
    reference=_repair_cloud,
    unit="m",
    tolerance=1e-5,
    fixed=(
        # A wall at 2 m, seen 30 and 45 degrees off the axis: ranges 2.3094 m and 2.8284 m.
        {"points": np.array([[4 / 3, 0.0, 4 / 3 * 3**0.5], [8**0.5, 0.0, 8**0.5]])},
        {"points": np.array([[0.0, 0.0, 2.0], [np.nan] * 3, [1.0, 2.0, 2.0], [-3.0, 0.0, 4.0]])},
    ),
    random_case=_random_cloud,
    misconceptions=(
        Misconception(
            name="only z mended",
            answer=lambda points: np.hstack([points[:, :2], points[:, 2:] * _shrink(points)]),
            question="Now z is right. Does each point still lie on the ray of its pixel?",
        ),
        Misconception(
            name="only x and y mended",
            answer=lambda points: np.hstack([points[:, :2] * _shrink(points), points[:, 2:]]),
            question="z still holds the range. Which of the three numbers was wrong by the same factor?",
        ),
        Misconception(
            name="left as it was",
            answer=lambda points: points,
            question="Your points still lie at the wrong distances. If you changed something, was it a copy?",
        ),
        Misconception(
            name="every point at distance 1",
            answer=lambda points: points / np.linalg.norm(points, axis=1, keepdims=True),
            question="That is the direction of each point. How far along it did the ray go?",
        ),
        Misconception(
            name="the square root forgotten",
            answer=lambda points: points * _shrink(points) ** 2 / points[:, 2:],
            question="x² + y² + z² is the square of a length. What do you divide by?",
        ),
        Misconception(
            name="mended the wrong way",
            answer=lambda points: points / _shrink(points),
            question="The points off the axis were too far away. Did yours come nearer?",
        ),
        Misconception(
            name="mended twice",
            answer=lambda points: points * _shrink(points) ** 2,
            question="Now the wall bends the other way. How often did range stand where depth belongs?",
        ),
        Misconception(
            name="one factor for the whole cloud",
            answer=lambda points: points * np.nanmean(_shrink(points)),
            question="The point on the axis was right before. Which points are wrong by more than others?",
        ),
        Misconception(
            name="invalid points dropped",
            answer=lambda points: _repair_cloud(points[np.isfinite(points).all(axis=1)]),
            question="Which row belongs to which pixel now? Leave a point that is nan where it is.",
        ),
        Misconception(
            name="an invalid point turned into the origin",
            answer=lambda points: np.nan_to_num(_repair_cloud(points)),
            question="There is now a point inside the camera. What did nan say about that pixel?",
        ),
    ),
    hints=(
        "Directions are right, only distances are not: the z of each wrong point is the true length of its ray.",
        "Each point has to move along its own ray until its distance from the camera equals its old z.",
        "Multiply all three numbers of a point by z / |p|; np.linalg.norm(points, axis=1, keepdims=True) has the "
        "shape (N, 1) that broadcasts, and nan stays nan.",
    ),
)


# --- questions ----------------------------------------------------------------------------------------------

WHICH_PIXELS_HAVE_POINTS = Question(
    name="which-pixels-have-points",
    prompt="A renderer gives an image of positions with four channels. A program keeps a point where the fourth one is "
    "1. With another renderer that channel holds 0.3 to 0.99 everywhere. How should the program choose its points?",
    choices=(
        Choice(
            text="keep a point where the fourth channel is more than 0",
            feedback="Then the background of the second renderer is kept as well: 0.3 to 0.99 stands there too.",
        ),
        Choice(
            text="choose the threshold by the renderer",
            feedback="The channel means another thing there, so no threshold on it says where something was hit.",
        ),
        Choice(
            text="keep a point where depth is finite, or the label is not background",
            feedback="Both say what was hit. Which pixels have a point must not change with the renderer.",
            right=True,
        ),
        Choice(
            text="keep all points; those without a surface lie far away anyway",
            feedback="Some lie at the far plane, as a wall of points, and others in a clump at the camera.",
        ),
    ),
)
