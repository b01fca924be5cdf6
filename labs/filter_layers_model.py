"""The model of the lab "filter layers": eight shapes along a ray, and a query whose every switch can be set.

A range sensor sits in the hand of a robot and sends one ray along x. Eight shapes stand on its way: the hand itself, a
finger, a zone that triggers something, a pane of glass, a gate whose opening the ray goes through, a poster that no
query sees, a crate and a wall. Set words, flags and callbacks of the query, and read at which layer each shape leaves
and which one the ray reports.

The room for touches is 0, as for a plain range sensor: the closest block is looked for (chapter 04 has the rest).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import trimesh

from course.query import (
    Candidate,
    Hit,
    HitFlag,
    HitType,
    OverlapHit,
    QueryFilter,
    QueryFlag,
    QueryResult,
    QueryScene,
    QueryShape,
    raycast,
)
from course.world import Body, Box, Scene, TriangleMesh, pose

T = TypeVar("T")

# --- scene --------------------------------------------------------------------------------------------------

ROBOT, OBSTACLE, GLASS, ZONE = 1, 2, 4, 8
"""Bits of the first query word. The other three words are 0 here."""

REACH_M = 4.0
LATERAL_M = 0.4  # width of all shapes, across the picture


@dataclass(frozen=True, kw_only=True)
class Thing:
    """A shape on the way of the ray: a box, or two of them, one above the other.

    Attributes:
        x_m: where it begins and ends along the ray.
        parts_m: lower and upper end of each box, from the ray.
        settings: how it takes part in queries.
    """

    x_m: tuple[float, float]
    parts_m: tuple[tuple[float, float], ...]
    settings: QueryShape

    @property
    def middle_m(self) -> float:
        """Between its ends along the ray."""
        return (self.x_m[0] + self.x_m[1]) / 2


def _shape(bit: int, *, dynamic: bool = False, trigger: bool = False) -> QueryShape:
    return QueryShape(
        dynamic=dynamic, trigger=trigger, words=(bit, 0, 0, 0), simulation_words=(1, 0, 0, 0)
    )


THINGS: Mapping[str, Thing] = {  # in the order in which the ray comes to them
    "hand": Thing(x_m=(-0.1, 0.1), parts_m=((-0.1, 0.1),), settings=_shape(ROBOT, dynamic=True)),
    "finger": Thing(x_m=(0.3, 0.4), parts_m=((-0.06, 0.06),), settings=_shape(ROBOT, dynamic=True)),
    "zone": Thing(x_m=(0.7, 1.0), parts_m=((-0.3, 0.3),), settings=_shape(ZONE, trigger=True)),
    "glass": Thing(x_m=(1.25, 1.3), parts_m=((-0.4, 0.4),), settings=_shape(GLASS)),
    "gate": Thing(x_m=(1.6, 1.75), parts_m=((-0.4, -0.15), (0.15, 0.4)), settings=_shape(OBSTACLE)),
    "poster": Thing(
        x_m=(2.0, 2.06),
        parts_m=((-0.3, 0.3),),
        settings=QueryShape(takes_part=False, words=(OBSTACLE, 0, 0, 0)),
    ),
    "crate": Thing(x_m=(2.4, 2.8), parts_m=((-0.2, 0.2),), settings=_shape(OBSTACLE, dynamic=True)),
    "wall": Thing(x_m=(3.3, 3.5), parts_m=((-0.42, 0.42),), settings=_shape(OBSTACLE)),
}

STORED = ("wall", "glass", "gate", "zone", "poster", "crate", "finger", "hand")
"""The order in the scene, which is not that along the ray: no engine promises any."""


def scene() -> QueryScene:
    """The eight shapes, and how each takes part."""
    bodies = [_body(name, THINGS[name]) for name in STORED]
    return QueryScene(Scene(bodies), {name: THINGS[name].settings for name in STORED})


def _body(name: str, thing: Thing) -> Body:
    length = thing.x_m[1] - thing.x_m[0]
    if len(thing.parts_m) == 1:
        low, high = thing.parts_m[0]
        place = pose(translation=[thing.middle_m, 0, (low + high) / 2])
        return Body(name=name, shape=Box((length, LATERAL_M, high - low)), X_WB=place)
    # Two boxes as one body: the box around them is met by the ray, and neither of them is.
    half, side = length / 2, LATERAL_M / 2
    boxes = [
        trimesh.creation.box(bounds=[(-half, -side, low), (half, side, high)])
        for low, high in thing.parts_m
    ]
    vertices = np.vstack([box.vertices for box in boxes])
    faces = np.vstack([box.faces + 8 * place for place, box in enumerate(boxes)])
    return Body(
        name=name,
        shape=TriangleMesh(vertices, faces),
        X_WB=pose(translation=[thing.middle_m, 0, 0]),
    )


# --- model --------------------------------------------------------------------------------------------------

WORDS = {
    "0000 (compare nothing)": (0, 0, 0, 0),
    "0001 robot": (ROBOT, 0, 0, 0),
    "0010 obstacles": (OBSTACLE, 0, 0, 0),
    "0011 obstacles, robot": (OBSTACLE | ROBOT, 0, 0, 0),
    "0110 obstacles, glass": (OBSTACLE | GLASS, 0, 0, 0),
    "0011, but in word 1": (0, OBSTACLE | ROBOT, 0, 0),
}
KINDS = {
    "static and dynamic": QueryFlag.STATIC | QueryFlag.DYNAMIC,
    "static": QueryFlag.STATIC,
    "dynamic": QueryFlag.DYNAMIC,
}
RULE = {"on": QueryFlag(0), "disabled": QueryFlag.DISABLE_HARDCODED_FILTER}
STAGES = {
    "pre and post": QueryFlag.PREFILTER | QueryFlag.POSTFILTER,
    "pre": QueryFlag.PREFILTER,
    "post": QueryFlag.POSTFILTER,
    "none": QueryFlag(0),
}
LEFT_OUT: Mapping[str, tuple[str, ...] | None] = {
    "leaves out the robot": ("hand", "finger"),
    "leaves out the hand": ("hand",),
    "not given": None,
}
NEARER_THAN_M: Mapping[str, float | None] = {
    "not given": None,
    "leaves out hits nearer than 3 m": 3.0,
    "leaves out hits nearer than 1 m": 1.0,
}
CRATE = {
    "an ordinary shape": THINGS["crate"].settings,
    "colliding with nothing": QueryShape(dynamic=True, words=(OBSTACLE, 0, 0, 0)),
    "a trigger": _shape(OBSTACLE, dynamic=True, trigger=True),
    "not taking part in queries": QueryShape(
        takes_part=False,
        dynamic=True,
        words=(OBSTACLE, 0, 0, 0),
        simulation_words=(1, 0, 0, 0),
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class FilterRun:
    """One query, and what became of the eight shapes.

    Attributes:
        choices: label of each switch -> what was chosen.
        scene: that was asked.
        result: what it answered; `result.log` says where each shape left.
    """

    choices: Mapping[str, str]
    scene: QueryScene
    result: QueryResult[Hit]

    @property
    def range_m(self) -> float:
        """Of the shape that is reported, inf if none is."""
        return self.result.block.distance if self.result.has_block else math.inf


def model(
    *, words: str, kinds: str, rule: str, stages: str, pre: str, post: str, crate: str
) -> FilterRun:
    """Ask the scene, with every switch as it is set.

    Args:
        words: of the query, a key of `WORDS`.
        kinds: that the query looks at, of `KINDS`.
        rule: whether words are compared at all, of `RULE`.
        stages: that are switched on, of `STAGES`.
        pre: what the pre-filter does, of `LEFT_OUT`.
        post: what the post-filter does, of `NEARER_THAN_M`.
        crate: what is changed about the crate, of `CRATE`.

    Raises:
        ValueError: another word; lists those that there are.
    """
    left_out = _chosen(LEFT_OUT, pre, name="pre")
    nearest_m = _chosen(NEARER_THAN_M, post, name="post")

    def leave_out(candidate: Candidate, _: HitFlag) -> HitType:
        gone = left_out is not None and candidate.name in left_out
        return HitType.NONE if gone else HitType.BLOCK

    def keep_far(_: Candidate, hit: Hit | OverlapHit) -> HitType:
        assert isinstance(hit, Hit)
        assert nearest_m is not None
        return HitType.NONE if hit.distance < nearest_m else HitType.BLOCK

    filters = QueryFilter(
        words=_chosen(WORDS, words, name="words"),
        flags=_chosen(KINDS, kinds, name="kinds")
        | _chosen(RULE, rule, name="rule")
        | _chosen(STAGES, stages, name="stages"),
        pre=None if left_out is None else leave_out,
        post=None if nearest_m is None else keep_far,
    )
    asked = scene().with_settings("crate", _chosen(CRATE, crate, name="crate"))
    return FilterRun(
        choices={
            "query words": words,
            "looks at": kinds,
            "comparing words": rule,
            "stages on": stages,
            "pre-filter": pre,
            "post-filter": post,
            "the crate": crate,
        },
        scene=asked,
        result=raycast(asked, (0, 0, 0), (1, 0, 0), REACH_M, filters=filters),
    )


def _chosen(choices: Mapping[str, T], word: str, *, name: str) -> T:
    if word not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, choices))}, got {word!r}")
    return choices[word]
