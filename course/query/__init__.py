"""Queries of a scene: what a ray, a moving shape or a resting shape meets, as PhysX answers.

A model, in plain Python, of how PhysX filters, meets and collects; held to numbers that PhysX 5.3.1
and 5.6.1 answered (`tests/query`). Geometry is exact, in float64, from `course.world`.
"""

from course.query.buffers import QueryResult
from course.query.cache import FreshCache, QueryCache
from course.query.checklist import why_not_called
from course.query.chunks import ChunkedResult, raycast_chunks
from course.query.cooking import CookedMesh, cooked
from course.query.filters import FilterLog, Layer, QueryFilter
from course.query.flags import DEFAULT_FIELDS, HitFlag, HitType, QueryFlag
from course.query.hits import FieldNotValidError, Hit, NoBlockError, OverlapHit
from course.query.overlap import overlap
from course.query.pairs import overlap_pair, raycast_pair, supported_pairs, sweep_pair
from course.query.raycast import raycast
from course.query.shapes_in_scene import Candidate, QueryScene, QueryShape
from course.query.sweep import sweep
from course.query.words import words_allow

__all__ = [
    "DEFAULT_FIELDS",
    "Candidate",
    "ChunkedResult",
    "CookedMesh",
    "FieldNotValidError",
    "FilterLog",
    "FreshCache",
    "Hit",
    "HitFlag",
    "HitType",
    "Layer",
    "NoBlockError",
    "OverlapHit",
    "QueryCache",
    "QueryFilter",
    "QueryFlag",
    "QueryResult",
    "QueryScene",
    "QueryShape",
    "cooked",
    "overlap",
    "overlap_pair",
    "raycast",
    "raycast_chunks",
    "raycast_pair",
    "supported_pairs",
    "sweep",
    "sweep_pair",
    "why_not_called",
    "words_allow",
]
