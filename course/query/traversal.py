"""A tree of boxes, and the order in which it offers its members: not that of their distances.

Members are split at the median along the longest side of their box, until four or fewer are left;
these stay in the order of the scene. A query goes through the lower half first, whichever way it
looks. So what it finds first need not be the nearest, and it is the same in every run. An engine's
order is another one, and no engine promises any.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from course.query.bounds import Bounds

LEAF_SIZE = 4
"""Members of a leaf, at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Node:
    """A box, and what lies in it.

    Attributes:
        bounds: around all of it.
        members: places of bodies in the scene; of a leaf only.
        children: the lower and the upper half; () of a leaf.
    """

    bounds: Bounds
    members: tuple[int, ...] = ()
    children: tuple["Node", ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Tree:
    """Boxes in boxes.

    Attributes:
        endless: places of bodies without an end, such as planes; they are offered first.
        root: of all others; None if there are none.
        boxes: place of a body -> its own box.
    """

    endless: tuple[int, ...]
    root: Node | None
    boxes: dict[int, Bounds]

    @classmethod
    def over(cls, places: Sequence[int], boxes: Sequence[Bounds]) -> "Tree":
        """The tree over bodies, given by their places in the scene and their boxes."""
        of = dict(zip(places, boxes, strict=True))
        ending = [place for place in places if of[place].finite]
        return cls(
            endless=tuple(place for place in places if not of[place].finite),
            root=_split(ending, of) if ending else None,
            boxes=of,
        )

    def offer(self, may_meet: Callable[[Bounds], bool]) -> Iterator[int]:
        """Places of the bodies whose boxes a query may meet, in the order of the tree.

        `may_meet` is asked when the walk arrives at a box, not before: a query that has found
        something may have become shorter by then.
        """
        yield from self.endless
        stack = [self.root] if self.root is not None else []
        while stack:
            node = stack.pop()
            if not may_meet(node.bounds):
                continue
            yield from (place for place in node.members if may_meet(self.boxes[place]))
            stack.extend(reversed(node.children))


def _split(places: list[int], boxes: dict[int, Bounds]) -> Node:
    around = boxes[places[0]]
    for place in places[1:]:
        around = around.joined(boxes[place])
    if len(places) <= LEAF_SIZE:
        return Node(bounds=around, members=tuple(places))
    axis = int(np.argmax(around.upper - around.lower))
    ranked = sorted(places, key=lambda place: boxes[place].lower[axis] + boxes[place].upper[axis])
    lower = set(ranked[: len(ranked) // 2])
    halves = (
        [place for place in places if place in lower],
        [place for place in places if place not in lower],
    )
    return Node(bounds=around, children=tuple(_split(half, boxes) for half in halves))
