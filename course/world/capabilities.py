"""What a caster declares about itself: where casters may differ, this says how each one does.

Casters answer the same question, and each has habits of its own. `course.world.conformance` holds
every caster to what it declares, and to nothing less.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

import numpy as np

from course.world.shapes import Shape

Precision = Literal["float32", "float64"]


class InsideStart(Enum):
    """What a ray that starts inside a solid reports of that solid."""

    ZERO = "zero"  # a hit at distance 0, with -d for a normal (PhysX: box, sphere)
    MISS = "miss"  # nothing: the ray goes on to other bodies (Bullet: box, sphere)
    EXIT = "exit"  # where the ray leaves the solid, with the normal out of it (any triangle caster)


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """A caster's declarations.

    What no caster can promise is not declared: where a start lies on a surface, or two bodies are
    at one distance, rounding decides.

    Attributes:
        name: of the caster, for tables and messages.
        precision: type of the numbers in which it computes and answers.
        shapes: the kinds of shape that it takes, boxes at least; it refuses a scene with others.
        inside_start: for the closed solids: box, sphere, capsule, cylinder.
        below_plane: the same for a start in the half space of a plane.
        mesh_back_faces: whether a face of a triangle mesh counts if it is met from behind. If not, a
            ray that starts inside a closed mesh meets nothing of it (PhysX, unless asked for both
            sides); if so, it meets where it leaves. The normal points to the front either way.
        end_inclusive: whether a hit at exactly `max_distance` counts.
        distance_tolerance: relative error of a distance, see `distance_error`.
        sag: farthest that a curved surface lies from the triangles that replace it, as a part of
            its radius; 0 if nothing replaces it.
        face_and_uv: whether `RayHits.face` and `uv` tell which face of a mesh was hit, and where on
            it; if not, they are -1 and nan.
        all_hits: whether it has `cast_all`; see `course.world.casters.AllHitsCaster`.
    """

    name: str
    precision: Precision
    shapes: frozenset[type[Shape]]
    inside_start: InsideStart
    below_plane: InsideStart
    mesh_back_faces: bool
    end_inclusive: bool
    distance_tolerance: float
    sag: float
    face_and_uv: bool
    all_hits: bool

    def distance_error(
        self, distance: np.ndarray, *, size: np.ndarray, cosine: np.ndarray, radius: np.ndarray
    ) -> np.ndarray:
        """Largest error of a distance, m; all arguments are (N,).

        `(distance_tolerance * (distance + size) + sag * radius) / |cosine|`: at a shallow angle, a
        small error across a surface becomes a large one along the ray.

        Args:
            distance: m.
            size: m, how far the coordinates of ray and scene reach from the world's origin.
            cosine: of the angle between ray and normal.
            radius: m, of a curved surface; 0 for a flat one.
        """
        across = self.distance_tolerance * (distance + size) + self.sag * radius
        return np.asarray(across / np.abs(cosine))
