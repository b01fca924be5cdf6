"""What a query may be told: which shapes, what becomes of a hit, which fields a hit shall have.

The names are those of PhysX 5, without the prefix, as its forums and manuals use them. Two flags of
PhysX are missing here. PRECISE_SWEEP: every sweep of this package is. ASSUME_NO_INITIAL_OVERLAP: a
promise of the caller that saves a test, and with which no result may be relied on if it is broken.
"""

from enum import Enum, Flag, auto


class HitType(Enum):
    """What a filter decides about a shape, or about one hit of it."""

    NONE = "none"  # as if it were not there
    TOUCH = "touch"  # reported, and the query goes on behind it
    BLOCK = "block"  # reported if it is the closest, and nothing behind it is


class QueryFlag(Flag):
    """How a whole query works."""

    STATIC = auto()  # look at static shapes
    DYNAMIC = auto()  # look at dynamic shapes
    PREFILTER = auto()  # call the pre-filter, if there is one
    POSTFILTER = auto()  # call the post-filter, if there is one
    ANY_HIT = auto()  # stop at the first hit that is accepted, and call it the block
    NO_BLOCK = auto()  # take every BLOCK for a TOUCH
    DISABLE_HARDCODED_FILTER = auto()  # do not compare the words


class HitFlag(Flag):
    """How one shape is met, and which fields of a hit are asked for, and which are valid."""

    POSITION = auto()
    NORMAL = auto()
    UV = auto()
    FACE_INDEX = auto()
    ANY_HIT = auto()  # of a mesh: the first face that is found, not the closest
    MESH_MULTIPLE = auto()  # of a mesh: every face, not only the closest
    MESH_BOTH_SIDES = auto()  # of a mesh: faces seen from behind as well
    MTD = auto()  # of a sweep that starts in an overlap: by how much to move out of it


ALL_SHAPES = QueryFlag.STATIC | QueryFlag.DYNAMIC
"""What a query looks at if nothing else is said."""

DEFAULT_FIELDS = HitFlag.POSITION | HitFlag.NORMAL | HitFlag.FACE_INDEX
"""What a hit is asked for if nothing else is said."""

FIELDS = HitFlag.POSITION | HitFlag.NORMAL | HitFlag.UV | HitFlag.FACE_INDEX
"""The flags that stand for fields."""

CHANGEABLE = HitFlag.MESH_MULTIPLE | HitFlag.MESH_BOTH_SIDES
"""What a pre-filter may change for its shape; other flags that it returns are ignored."""
