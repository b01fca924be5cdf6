"""A scene as MeshCat commands: bytes that its viewer reads, made without a server.

MeshCat names each object by a time-based uuid, so that one scene packs to other bytes each time.
Here a uuid follows from the shape's name: a stored notebook must not change when nothing has.
"""

import warnings
from pathlib import Path as FilePath
from uuid import NAMESPACE_URL, uuid5

import numpy as np
import umsgpack
from numpy.typing import NDArray

from course.display.shapes3d import Array, Box, Lines, Points, Scene, Shape, Sphere

with warnings.catch_warnings():
    # `import meshcat` also imports its server, which uses a module that pyzmq calls deprecated.
    warnings.filterwarnings("ignore", message="zmq.eventloop.ioloop", category=DeprecationWarning)
    import meshcat
    import meshcat.geometry as g
    from meshcat.commands import SetObject, SetProperty, SetTransform
    from meshcat.path import Path

# The script that draws, as MeshCat installs it, and the licences of what is in it.
VIEWER_FOLDER = FilePath(meshcat.__file__).parent / "viewer"

_VIEW = np.tan(np.deg2rad(75 / 2))  # the viewer's camera sees 75 degrees from bottom to top
_MARGIN = 1.15  # air around the shapes, in multiples of the nearest distance that shows them
_WHITE = [1.0, 1.0, 1.0]


def pack(scene: Scene) -> tuple[bytes, ...]:
    """The commands that show `scene` in an empty MeshCat viewer, in order.

    The scene is moved and scaled into the unit sphere around the viewer's origin: that is where its
    camera turns around, where its lights reach, and well within its clipping planes.
    """
    root = Path().append("workbook")
    middle, radius = scene.middle_and_radius()
    into_unit_sphere = np.diag([1 / radius, 1 / radius, 1 / radius, 1.0])
    into_unit_sphere[:3, 3] = -middle / radius
    commands = [*_stage(scene), SetTransform(into_unit_sphere, root)]
    for shape in scene.shapes:
        path = root.append(shape.name)
        commands.append(SetObject(_object(shape, scale=1 / radius), path=path))
        commands.append(SetTransform(shape.X_WB, path))
    return tuple(umsgpack.packb(command.lower()) for command in commands)


def _stage(scene: Scene) -> list[SetObject | SetProperty | SetTransform]:
    """White behind the shapes, no grid, and the camera in the direction of the eye."""
    x, y, z = (float(part) for part in _eye(scene))
    background = Path().append("Background")
    camera = Path().append("Cameras/default/rotated/<object>")
    return [
        SetProperty("top_color", _WHITE, background),
        SetProperty("bottom_color", _WHITE, background),
        SetProperty("visible", False, Path().append("Grid")),
        SetProperty("visible", False, Path().append("Axes")),
        # The camera's node is turned by 90 degrees about x: its (x, y, z) is (x, z, -y) of W.
        SetProperty("position", [x, z, -y], camera),
    ]


def _eye(scene: Scene) -> Array:
    """Where the camera stands, in the unit sphere's scale: as near as all corners are still seen."""
    back = scene.eye_W / np.linalg.norm(scene.eye_W)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    middle, radius = scene.middle_and_radius()
    corners = np.vstack([shape.corners_W() for shape in scene.shapes])
    aside_and_up = (corners - middle) / radius @ np.stack([right, np.cross(back, right)], axis=1)
    towards = (corners - middle) / radius @ back
    nearest = (np.abs(aside_and_up).max(axis=1) / _VIEW + towards).max()
    eye: Array = back * nearest * _MARGIN
    return eye


def _object(shape: Shape, *, scale: float) -> g.Object:
    color = int(shape.color[1:], 16)
    look = {"color": color, "opacity": shape.opacity}
    match shape:
        case Box():
            made = g.Mesh(g.Box(shape.size.tolist()), g.MeshLambertMaterial(**look))
        case Sphere():
            made = g.Mesh(g.Sphere(float(shape.radius)), g.MeshLambertMaterial(**look))
        case Lines():
            ends = np.stack([shape.starts_B, shape.ends_B], axis=1).reshape(-1, 3)
            made = g.LineSegments(g.PointsGeometry(_columns(ends)), g.LineBasicMaterial(**look))
        case Points():
            # The size of a point is not scaled with the scene.
            material = _PointsOfOneColor(size=float(shape.size) * scale, color=color)
            material.opacity = shape.opacity
            made = g.Points(g.PointsGeometry(_columns(shape.points_B)), material)
        case _:
            raise TypeError(
                f"{shape.name}: a {type(shape).__name__} cannot be shown, "
                "expected Box, Sphere, Lines or Points"
            )
    for part, element in (
        ("object", made),
        ("geometry", made.geometry),
        ("material", made.material),
    ):
        element.uuid = str(uuid5(NAMESPACE_URL, f"{shape.name}#{part}"))
    return made


class _PointsOfOneColor(g.PointsMaterial):  # type: ignore[misc]  # MeshCat has no types
    """MeshCat's own wants a colour for each point, which doubles the size of a cloud."""

    def lower(self, object_data: object) -> dict[str, object]:
        look = {"vertexColors": 0, "opacity": self.opacity, "transparent": self.opacity < 1}
        lowered: dict[str, object] = super().lower(object_data) | look
        return lowered


def _columns(rows: Array) -> NDArray[np.float32]:
    return rows.astype(np.float32).T
