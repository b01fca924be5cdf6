"""A scene: named bodies, each a shape at a pose in the world W. A description, that never changes.

A body is known by its name. In arrays it is known by its place in `Scene.bodies`: that integer is
called `body`, and -1 means that there is none. A label is another thing: a number for a class of
bodies, which many may share.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.spatial.transform import RigidTransform

from course.world.checks import whole
from course.world.poses import as_pose
from course.world.shapes import Shape

NO_BODY = -1
"""What `body` arrays hold where there is no body: on a miss."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Body:
    """A shape at a pose.

    Attributes:
        name: unique in its scene, and stable: bodies may be added to a scene without renaming
            others.
        shape: in the body's frame B.
        X_WB: pose of the body in the world; a (4, 4) matrix is taken as well.
        label: what a label image shows for this body, 0 or more.

    Raises:
        TypeError, ValueError: no name, no shape, no pose, or a negative label.
    """

    name: str
    shape: Shape
    X_WB: RigidTransform
    label: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"Body.name: expected a text that is not empty, got {self.name!r}")
        if not isinstance(self.shape, Shape):
            raise TypeError(
                f"body {self.name!r}: expected a shape (Plane(), Box(...), Sphere(...), "
                f"Capsule(...), Cylinder(...), TriangleMesh(...)), got {self.shape!r}"
            )
        object.__setattr__(self, "X_WB", as_pose(self.X_WB, name=f"body {self.name!r}: X_WB"))
        label = whole(self.label, name=f"body {self.name!r}: label", at_least=0)
        object.__setattr__(self, "label", label)


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies in a fixed order.

    Attributes:
        bodies: kept as a tuple, whatever sequence comes.

    Raises:
        TypeError: something that is not a body.
        ValueError: two bodies of one name.
    """

    bodies: Sequence[Body] = ()

    def __post_init__(self) -> None:
        bodies = tuple(self.bodies)
        names = set()
        for body in bodies:
            if not isinstance(body, Body):
                raise TypeError(f"Scene: expected bodies, got {body!r}")
            if body.name in names:
                raise ValueError(f"Scene: two bodies are named {body.name!r}; names are ids")
            names.add(body.name)
        object.__setattr__(self, "bodies", bodies)

    def index_of(self, name: str) -> int:
        """The place of a body in `bodies`, which stands for it in arrays.

        Raises:
            ValueError: no such body; lists those that there are.
        """
        names = [body.name for body in self.bodies]
        if name not in names:
            raise ValueError(f"Scene: no body is named {name!r}; there are: {', '.join(names)}")
        return names.index(name)
