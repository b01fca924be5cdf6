"""Hits whose fields say whether they are valid.

A hit of an engine is a block of memory: position, normal, uv and face index are always there to be
read, and some hold zeros, or what an earlier query left. Flags of the hit say which of them mean
anything; they need not be the flags that were asked for. Here a field that means nothing cannot be
read: the error says why, and what would help.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.query.flags import FIELDS, HitFlag
from course.world.checks import read_only

NAMES = {
    HitFlag.POSITION: "p_WH",
    HitFlag.NORMAL: "n_W",
    HitFlag.UV: "uv",
    HitFlag.FACE_INDEX: "face",
}
"""The flag of a field -> its name."""

NO_FIELD = HitFlag(0)


class FieldNotValidError(ValueError):
    """A field of a hit was read that means nothing."""


class NoBlockError(ValueError):
    """The block of a result was read that has none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Hit:
    """Where a query meets a body. It holds copies: the body may go, the hit stays what it is.

    Attributes:
        name: of the body, its stable id.
        distance: m, along the query; 0 for a start inside; negative if it says how far to move out
            of an overlap. Always valid.
        fields: flag of a field -> its value, for the valid ones.
        missing: flag of a field -> why it is not valid, if that is not because nobody asked.
    """

    name: str
    distance: float
    fields: Mapping[HitFlag, Any]
    missing: Mapping[HitFlag, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        fields = {
            flag: read_only(value) if isinstance(value, np.ndarray) else value
            for flag, value in self.fields.items()
        }
        object.__setattr__(self, "fields", MappingProxyType(fields))
        object.__setattr__(self, "missing", MappingProxyType(dict(self.missing)))

    @property
    def valid(self) -> HitFlag:
        """The flags of the fields that may be read."""
        flags = NO_FIELD
        for flag in self.fields:
            flags |= flag
        return flags

    @property
    def p_WH(self) -> NDArray[np.float64]:
        """(3,) m, where it is.

        Raises:
            FieldNotValidError: as all fields.
        """
        position: NDArray[np.float64] = self._read(HitFlag.POSITION)
        return position

    @property
    def n_W(self) -> NDArray[np.float64]:
        """(3,) unit normal out of the body; the opposite of the direction for a start inside."""
        normal: NDArray[np.float64] = self._read(HitFlag.NORMAL)
        return normal

    @property
    def uv(self) -> tuple[float, float]:
        """Barycentric coordinates on the face of a mesh, which is no place in an image."""
        u, v = self._read(HitFlag.UV)
        return float(u), float(v)

    @property
    def face(self) -> int:
        """Place of the face in the mesh."""
        return int(self._read(HitFlag.FACE_INDEX))

    def _read(self, flag: HitFlag) -> Any:
        if flag in self.fields:
            return self.fields[flag]
        why = self.missing.get(
            flag, f"nobody asked for it; ask with hit_flags=... | HitFlag.{flag.name}"
        )
        raise FieldNotValidError(f"hit on {self.name!r}: {NAMES[flag]} is not valid: {why}")


@dataclass(frozen=True, kw_only=True)
class OverlapHit:
    """A body that a shape overlaps: its name, and nothing else. There is no place of an overlap."""

    name: str


def distance_of(hit: Hit | OverlapHit) -> float:
    """How far along the query a hit is, m. Overlaps have no distance: all count as equally near."""
    return hit.distance if isinstance(hit, Hit) else 0.0


def make_hit(
    name: str,
    distance: float,
    known: Mapping[HitFlag, Any],
    *,
    asked: HitFlag,
    always: HitFlag = NO_FIELD,
    missing: Mapping[HitFlag, str],
) -> Hit:
    """A hit with those of the known fields that were asked for, or that come unasked.

    Args:
        name: of the body.
        distance: m.
        known: flag of a field -> its value.
        asked: flags of the query.
        always: fields that are delivered whether asked for or not, as PhysX does for meshes.
        missing: why a field is not known.
    """
    given = FIELDS & (asked | always)
    return Hit(
        name=name,
        distance=distance,
        fields={flag: value for flag, value in known.items() if flag in given},
        missing=missing,
    )
