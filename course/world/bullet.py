"""Bullet, an engine with habits of its own, as a second instrument: the bodies of a scene, put to pybullet.

pybullet is optional: its wheels are few. This is the one module that imports it, and only when a
world is made; all else asks `available()`.

A body of Bullet has two shapes. A ray meets its collision shape; the camera of
`course.sensors.bullet_camera` draws its visual shape. Here both are the shape in the scene, unless
one is given another: then what a ray meets and what a picture shows differ, as in many robot files.

Habits of pybullet 3.2.7 as a caster of rays, all measured:

* A ray that starts inside a box, sphere, capsule or cylinder misses it. One from below a plane hits
  it, with a normal that points down.
* A triangle mesh is hit from both sides, with a normal towards the ray; by which face is not said.
* A hit exactly at the ray's end is none.
* A distance to a plane is exact; to what is flat else mostly so; to what is round some millimetres
  off, with a normal up to 0.8 degrees off. At the edge of a box or cylinder the normal is anything.
"""

import contextlib
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.world.checks import positive
from course.world.native import silenced
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

REACH = 1e6
"""m, how far a ray reaches at most: Bullet tests segments, whose ends are finite."""

RAYS_AT_A_TIME = 16_383
"""Of 16,384 rays in one call pybullet 3.2.7 answers 16,383, without a word; more it refuses."""

MOST_VERTICES, MOST_FACES = 131_072, 524_288 // 3
"""Of a triangle mesh, in pybullet 3.2.7; of more it makes an error that says nothing."""


def available() -> bool:
    """Whether pybullet can be imported here."""
    try:
        engine()
    except ImportError:
        return False
    return True


def engine() -> ModuleType:
    """The module pybullet, imported without the line that it prints.

    Raises:
        ImportError: it is not installed; says for what platforms it can be.
    """
    try:
        with silenced():
            import pybullet
    except ImportError as error:
        raise ImportError(
            "Bullet needs the package pybullet: pip install pybullet "
            "(its wheels are for Linux x86-64 with Python 3.11; all else here runs without it)"
        ) from error
    module: ModuleType = pybullet
    return module


class BulletWorld:
    """A scene in a Bullet of its own, until it is closed; use it in a `with` statement.

    Bodies do not move unless they are given a mass; there is no gravity until `call` sets it.

    Attributes:
        scene: as it was given. Bodies that move leave their place in it; see
            `call("getBasePositionAndOrientation", uid)`.
        client: Bullet's number for this world.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        collision: Mapping[str, Shape | None] | None = None,
        visual: Mapping[str, Shape | None] | None = None,
        mass_kg: Mapping[str, float] | None = None,
    ) -> None:
        """Put the bodies to Bullet.

        Args:
            scene: its bodies.
            collision: by name of a body, what rays and contacts meet instead of its shape in the
                scene; None for nothing.
            visual: the same for what the camera draws.
            mass_kg: by name, for bodies that move; all others stand still.

        Raises:
            ImportError: no pybullet.
            TypeError, ValueError: no scene, an unknown name, no shape, too large a mesh, no positive
                mass; a mass for what cannot move.
            RuntimeError: Bullet gives no world, or refuses a body.
        """
        if not isinstance(scene, Scene):
            raise TypeError(f"scene: expected Scene(bodies), got {scene!r}")
        by_name = {"collision": collision, "visual": visual, "mass_kg": mass_kg}
        for argument, mapping in by_name.items():
            if mapping is not None and not isinstance(mapping, Mapping):
                raise TypeError(f"{argument}: expected {{name of a body: value}}, got {mapping!r}")
            for name in mapping or ():
                scene.index_of(name)
        collision, visual, mass_kg = collision or {}, visual or {}, mass_kg or {}
        parts = [
            _Part(
                body=body,
                collision=collision.get(body.name, body.shape),
                visual=visual.get(body.name, body.shape),
                mass_kg=mass_kg.get(body.name),
            )
            for body in scene.bodies
        ]
        self.scene = scene
        self._bullet = engine()
        self.client: int = self._bullet.connect(self._bullet.DIRECT)
        if self.client < 0:
            raise RuntimeError("Bullet gave no new world; too many are open, close some")
        self._close = weakref.finalize(self, _disconnect, self._bullet, self.client)
        try:
            with silenced():  # it warns that a plane has no default looks, and draws it
                self._uids = tuple(self._create(part) for part in parts)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the world back to Bullet; once is enough, and twice does no harm."""
        self._close()

    def __enter__(self) -> "BulletWorld":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def call(self, function: str, *args: object, **keywords: object) -> Any:
        """Call a function of pybullet in this world, such as `call("stepSimulation")`.

        Raises:
            RuntimeError: the world is closed.
            AttributeError: pybullet has no such function.
        """
        if not self._close.alive:
            raise RuntimeError("this BulletWorld is closed; use it inside of its with statement")
        ask = getattr(self._bullet, function)
        return ask(*args, **keywords, physicsClientId=self.client)

    def constant(self, name: str) -> int:
        """A number that pybullet has a name for, such as `constant("ER_TINY_RENDERER")`."""
        value: int = getattr(self._bullet, name)
        return value

    def uid_of(self, name: str) -> int:
        """Bullet's id of a body, for `call`.

        Raises:
            ValueError: no such body; lists those that there are.
        """
        return self._uids[self.scene.index_of(name)]

    def bodies_of(self, uids: ArrayLike) -> NDArray[np.int32]:
        """Places in `scene.bodies` of Bullet's ids, (...); -1 stays -1.

        Raises:
            TypeError: no integers.
            ValueError: an id of no body of the scene.
        """
        given = np.asarray(uids)
        if given.size and given.dtype.kind not in "iu":
            raise TypeError(f"uids: expected integers, got {given.dtype}")
        ids = given.astype(np.int64)
        known = np.isin(ids, [*self._uids, NO_BODY])
        if not known.all():
            raise ValueError(f"Bullet's body {ids[~known][0]} is none of the scene")
        place = np.full(max(self._uids, default=0) + 2, NO_BODY, np.int32)  # -1 is the last
        place[list(self._uids)] = np.arange(len(self._uids))
        return place[ids]

    def cast_first(self, rays: Rays) -> RayHits:
        """The nearest hit of each ray with a collision shape, with the habits that are told above.

        It has the form of a `course.world.casters.Caster`, and is none: it declares nothing, as its
        capabilities have no words for normals that are turned, or errors of some rays only.

        Args:
            rays: none reaches farther than `REACH`.

        Raises:
            TypeError: no rays.
            RuntimeError: the world is closed.
        """
        if not isinstance(rays, Rays):
            raise TypeError(f"rays: expected Rays(p_WO=, d_W=), got {type(rays).__name__}")
        reach = min(rays.max_distance, REACH)
        starts = rays.p_WO.astype(np.float64)
        ends = starts + reach * rays.d_W
        uids, fractions, normals = [], [], []
        for first in range(0, len(rays), RAYS_AT_A_TIME):
            batch = slice(first, first + RAYS_AT_A_TIME)
            answers = self.call("rayTestBatch", starts[batch].tolist(), ends[batch].tolist())
            for uid, _link, fraction, _position, normal in answers:
                uids.append(uid)
                fractions.append(fraction)
                normals.append(normal)
        body = self.bodies_of(uids)
        hit = body != NO_BODY
        n_W = np.array(normals, np.float64).reshape(-1, 3)
        return RayHits(
            rays=rays,
            distance=np.where(hit, reach * np.array(fractions, np.float64), np.inf),
            n_W=np.where(hit[:, np.newaxis], n_W, np.nan),
            body=body,
        )

    def _create(self, part: "_Part") -> int:
        """Make one body in Bullet; returns its id."""
        try:
            uid: int = self.call(
                "createMultiBody",
                baseMass=part.mass_kg or 0.0,  # 0 stands still
                baseCollisionShapeIndex=self._collision_shape(part),
                baseVisualShapeIndex=self._visual_shape(part),
                basePosition=part.body.X_WB.translation.tolist(),
                baseOrientation=part.body.X_WB.rotation.as_quat().tolist(),
            )
            if part.mass_kg is not None:  # by default a moving body loses 4 % of its speed a second
                self.call("changeDynamics", uid, -1, linearDamping=0.0, angularDamping=0.0)
        except self._bullet.error as error:
            raise RuntimeError(f"body {part.body.name!r}: Bullet refuses it: {error}") from error
        return uid

    def _collision_shape(self, part: "_Part") -> int:
        if part.collision is None:
            return _NO_SHAPE
        index: int = self.call(
            "createCollisionShape", **self._description(part.collision, along="height")
        )
        return index

    def _visual_shape(self, part: "_Part") -> int:
        # Bullet draws the collision shape of a body that has no visual shape. So what shall not be
        # drawn gets one with alpha 0: the renderer leaves that out altogether.
        shape, alpha = (part.visual, 1.0) if part.visual is not None else (part.collision, 0.0)
        if shape is None:
            return _NO_SHAPE
        colour = [1.0, 1.0, 1.0, alpha]
        index: int = self.call(
            "createVisualShape", **self._description(shape, along="length"), rgbaColor=colour
        )
        return index

    def _description(self, shape: Shape, *, along: str) -> dict[str, Any]:
        """The arguments that describe a shape to Bullet.

        It wants half of the edges of a box, and the full length of what is round. That length is
        `height` for collision shapes and `length` for visual ones; the other is taken for 1 m.
        """
        bullet = self._bullet
        match shape:
            case Plane():
                return {"shapeType": bullet.GEOM_PLANE, "planeNormal": [0.0, 0.0, 1.0]}
            case Box(size):
                half = [edge / 2 for edge in size]
                return {"shapeType": bullet.GEOM_BOX, "halfExtents": half}
            case Sphere(radius):
                return {"shapeType": bullet.GEOM_SPHERE, "radius": radius}
            case Cylinder(radius, length):
                return {"shapeType": bullet.GEOM_CYLINDER, "radius": radius, along: length}
            case Capsule(radius, length):
                return {"shapeType": bullet.GEOM_CAPSULE, "radius": radius, along: length}
            case TriangleMesh(vertices, faces):
                return {
                    "shapeType": bullet.GEOM_MESH,
                    "vertices": vertices.tolist(),
                    "indices": faces.ravel().tolist(),
                    "flags": bullet.GEOM_FORCE_CONCAVE_TRIMESH,  # its faces, and not its hull
                }


def _disconnect(bullet: ModuleType, client: int) -> None:
    """End a world; one that ended itself, by `call("disconnect")`, has ended."""
    with contextlib.suppress(bullet.error):
        bullet.disconnect(physicsClientId=client)


_NO_SHAPE = -1
"""What Bullet takes for the index of a shape that there is not."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """A body as Bullet shall have it: checked, so that nothing is left to refuse it."""

    body: Body
    collision: Shape | None
    visual: Shape | None
    mass_kg: float | None  # None for a body that stands still

    def __post_init__(self) -> None:
        name = self.body.name
        for role, shape in (("collision", self.collision), ("visual", self.visual)):
            if shape is not None and not isinstance(shape, Shape):
                raise TypeError(f"body {name!r}: expected a {role} shape or None, got {shape!r}")
            if isinstance(shape, TriangleMesh) and (
                len(shape.vertices) > MOST_VERTICES or len(shape.faces) > MOST_FACES
            ):
                raise ValueError(
                    f"body {name!r}: Bullet takes at most {MOST_VERTICES} vertices and {MOST_FACES} "
                    f"faces, got {shape}; give it a coarser one"
                )
        if self.mass_kg is not None:
            positive(self.mass_kg, name=f"body {name!r}: mass_kg", unit="kg")
            if self.collision is None or isinstance(self.collision, Plane | TriangleMesh):
                raise ValueError(
                    f"body {name!r}: only a body with a solid, finite collision shape can move; "
                    "give it no mass_kg, or in `collision` a box, say, instead of a triangle mesh"
                )
