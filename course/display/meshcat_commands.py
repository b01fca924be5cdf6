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

# The viewer's camera sees 75 degrees from bottom to top. The margin leaves air around the shapes.
_HALF_VIEW = np.deg2rad(75 / 2)
_MARGIN = 1.05
_WHITE = [1.0, 1.0, 1.0]


def pack(scene: Scene) -> tuple[bytes, ...]:
    """The commands that show `scene` in an empty MeshCat viewer, in order."""
    commands = _stage(scene)
    for shape in scene.shapes:
        path = Path().append("workbook").append(shape.name)
        commands.append(SetObject(_object(shape), path=path))
        commands.append(SetTransform(shape.X_WB, path))
    return tuple(umsgpack.packb(command.lower()) for command in commands)


def _stage(scene: Scene) -> list[SetObject | SetProperty | SetTransform]:
    """White behind the shapes, no grid, and a camera that has all of them in view."""
    middle, radius = scene.middle_and_radius()
    eye = scene.eye_W / np.linalg.norm(scene.eye_W) * radius * _MARGIN / np.sin(_HALF_VIEW)
    target = np.eye(4)
    target[:3, 3] = middle
    # The camera's node is turned by 90 degrees about x: its (x, y, z) is (x, z, -y) of W.
    camera = [float(eye[0]), float(eye[2]), float(-eye[1])]
    background, cameras = Path().append("Background"), Path().append("Cameras").append("default")
    return [
        SetProperty("top_color", _WHITE, background),
        SetProperty("bottom_color", _WHITE, background),
        SetProperty("visible", False, Path().append("Grid")),
        SetProperty("visible", False, Path().append("Axes")),
        SetTransform(target, cameras),
        SetProperty("position", camera, cameras.append("rotated").append("<object>")),
    ]


def _object(shape: Shape) -> g.Object:
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
            # MeshCat's point material always reads a colour for each vertex.
            colors = np.tile(
                [(color >> bits & 255) / 255 for bits in (16, 8, 0)], (len(shape.points_B), 1)
            )
            made = g.Points(
                g.PointsGeometry(_columns(shape.points_B), _columns(colors)),
                g.PointsMaterial(size=float(shape.size)),
            )
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


def _columns(rows: Array) -> NDArray[np.float32]:
    return rows.astype(np.float32).T
