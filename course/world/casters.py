"""What every caster offers: it is bound to a scene, says what it can do, and finds first hits."""

from typing import Protocol, runtime_checkable

from course.world.all_hits import AllHits
from course.world.capabilities import Capabilities
from course.world.rays import RayHits, Rays
from course.world.scene import Scene


class Caster(Protocol):
    """Casts rays into one scene. A scene never changes: for a moved body, make another caster."""

    @property
    def scene(self) -> Scene:
        """The scene that it was made for; `RayHits.body` points into its bodies."""

    @property
    def capabilities(self) -> Capabilities:
        """What it declares."""

    def cast_first(self, rays: Rays) -> RayHits:
        """The nearest hit of each ray within its `max_distance`; a miss is a row like any other."""


@runtime_checkable
class AllHitsCaster(Caster, Protocol):
    """A caster that also finds what lies behind the first hit; it declares `all_hits`."""

    def cast_all(self, rays: Rays, *, every_face: bool = False) -> AllHits:
        """Every body along each ray within its `max_distance`.

        Args:
            rays: to be cast.
            every_face: a triangle mesh counts once for each of its faces that is met, as under
                PhysX's flag eMESH_MULTIPLE; else each body counts once, with its nearest point.
        """


def refuse_unsupported(scene: Scene, capabilities: Capabilities) -> None:
    """Raise a TypeError that names the first body whose shape a caster does not take."""
    for body in scene.bodies:
        if type(body.shape) not in capabilities.shapes:
            known = ", ".join(sorted(shape.__name__ for shape in capabilities.shapes))
            raise TypeError(
                f"body {body.name!r}: the {capabilities.name} caster does not take "
                f"{type(body.shape).__name__}, only {known}"
            )
