"""What a 3D scene holds, as plain data: boxes, spheres, lines and points.

Lengths are metres. World W is right-handed with z up. `X_WB` is the pose of the shape's own frame B
in W, as a 4 x 4 matrix or a SciPy `RigidTransform`. Lists of positions are (N, 3), one row a point:
MeshCat itself wants (3, N), so that a 3 x 3 array could be read both ways; here rows are points.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _identity() -> Array:
    return np.eye(4)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """What all shapes have.

    Attributes:
        name: unique in its scene; a path such as `camera/ray` groups shapes.
        color: `#rrggbb`.
        opacity: 1 is solid; more than 0.
        X_WB: (4, 4) float, pose in the world.
    """

    name: str
    color: str = "#1f6feb"
    opacity: float = 1.0
    X_WB: Any = field(default_factory=_identity)

    def __post_init__(self) -> None:
        if not all(self.name.split("/")):
            raise ValueError(f"a shape is named {self.name!r}, expected words joined by single '/'")
        if not re.fullmatch(r"#[0-9a-fA-F]{6}", self.color):
            raise ValueError(
                f"{self.name}: color is {self.color!r}, expected '#rrggbb' such as '#1f6feb'"
            )
        if not 0 < self.opacity <= 1:
            raise ValueError(f"{self.name}: opacity is {self.opacity}, expected 0 < opacity <= 1")
        self._set("X_WB", _pose(self.name, self.X_WB))

    def _corners_B(self) -> Array:
        """Points (N, 3) in B whose bounding box holds the shape."""
        raise NotImplementedError

    def corners_W(self) -> Array:
        """Points (N, 3) in W whose bounding box holds the shape."""
        X: Array = self.X_WB
        return self._corners_B() @ X[:3, :3].T + X[:3, 3]

    def _set(self, attribute: str, value: Array) -> None:
        # Frozen against others; here the argument gives way to the array that was checked.
        value.flags.writeable = False
        object.__setattr__(self, attribute, value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Box(Shape):
    """A box around the origin of B; `size` (3,) float, full edge lengths along x, y, z in m."""

    size: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        size = _finite(self.name, "size", self.size)
        if size.shape != (3,) or not (size > 0).all():
            raise ValueError(
                f"{self.name}: size is {size.tolist()}, expected 3 positive lengths in m"
            )
        self._set("size", size)

    def _corners_B(self) -> Array:
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
        corners: Array = signs * self.size / 2
        return corners


@dataclass(frozen=True, kw_only=True, eq=False)
class Sphere(Shape):
    """A sphere around the origin of B; `radius` in m."""

    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.radius < np.inf:
            raise ValueError(
                f"{self.name}: radius is {self.radius}, expected a finite positive length in m"
            )

    def _corners_B(self) -> Array:
        return Box(name=self.name, size=[2 * self.radius] * 3)._corners_B()


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines(Shape):
    """N straight lines, `starts_B` to `ends_B`, both (N, 3) float, m; one pixel wide everywhere."""

    starts_B: Any
    ends_B: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        starts = _rows(self.name, "starts_B", self.starts_B)
        ends = _rows(self.name, "ends_B", self.ends_B)
        if starts.shape != ends.shape:
            raise ValueError(
                f"{self.name}: {len(starts)} starts_B but {len(ends)} ends_B, expected as many"
            )
        self._set("starts_B", starts)
        self._set("ends_B", ends)

    def _corners_B(self) -> Array:
        return np.vstack([self.starts_B, self.ends_B])


@dataclass(frozen=True, kw_only=True, eq=False)
class Points(Shape):
    """N points; `points_B` (N, 3) float, m; each drawn as a square of edge `size` in m."""

    points_B: Any
    size: float = 0.02

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.size < np.inf:
            raise ValueError(
                f"{self.name}: size is {self.size}, expected a finite positive length in m"
            )
        self._set("points_B", _rows(self.name, "points_B", self.points_B))

    def _corners_B(self) -> Array:
        points: Array = self.points_B
        return points


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """Shapes to be seen together.

    Attributes:
        shapes: at least one; names differ.
        eye_W: (3,) direction from the middle of the shapes to the eye; its length is free.

    Raises:
        ValueError: no shape, a name used twice, or an eye straight above, which leaves no up.
    """

    shapes: tuple[Shape, ...]
    eye_W: Any = (1.0, -1.6, 0.8)

    def __post_init__(self) -> None:
        names = [shape.name for shape in self.shapes]
        if not names:
            raise ValueError("the scene is empty, expected at least one shape")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"shapes share a name, and the last would replace the first: {twice}")
        eye = _finite("scene", "eye_W", self.eye_W)
        if eye.shape != (3,) or not np.linalg.norm(eye[:2]) > 1e-3 * abs(eye[2]):
            raise ValueError(
                f"scene: eye_W is {eye.tolist()}, "
                "expected 3 numbers that do not point straight up or down"
            )
        object.__setattr__(self, "eye_W", eye)

    def middle_and_radius(self) -> tuple[Array, float]:
        """Centre (3,) in W and radius, in m, of a sphere that holds every shape."""
        corners = np.vstack([shape.corners_W() for shape in self.shapes])
        low, high = corners.min(axis=0), corners.max(axis=0)
        middle = (low + high) / 2
        return middle, float(max(np.linalg.norm(corners - middle, axis=1).max(), 1e-3))


def _finite(owner: str, name: str, value: object) -> Array:
    array = np.array(value, dtype=np.float64)  # a copy: the caller's array stays writeable
    if not np.isfinite(array).all():
        raise ValueError(f"{owner}: {name} has values that are not finite numbers")
    return array


def _rows(owner: str, name: str, value: object) -> Array:
    array = _finite(owner, name, value)
    if array.ndim != 2 or array.shape[1] != 3 or not len(array):
        hint = f"; did you mean {name}.T?" if array.ndim == 2 and array.shape[0] == 3 else ""
        raise ValueError(
            f"{owner}: {name} has shape {array.shape}, expected (N, 3), one row a point{hint}"
        )
    return array


def _pose(owner: str, value: Any) -> Array:
    as_matrix: Callable[[], object] | None = getattr(value, "as_matrix", None)
    X = _finite(owner, "X_WB", as_matrix() if as_matrix is not None else value)
    if X.shape != (4, 4):
        raise ValueError(
            f"{owner}: X_WB has shape {X.shape}, expected (4, 4) or one RigidTransform"
        )
    rigid = np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-9) and np.allclose(
        X[3], [0, 0, 0, 1], atol=0
    )
    if not rigid or np.linalg.det(X[:3, :3]) < 0:
        raise ValueError(
            f"{owner}: X_WB is not a pose, expected a right-handed orthonormal rotation "
            "and a last row 0 0 0 1"
        )
    return X
