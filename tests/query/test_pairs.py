import numpy as np
import pytest

from course.query import (
    QueryShape,
    overlap_pair,
    raycast,
    raycast_pair,
    supported_pairs,
    sweep_pair,
)
from course.world import Box, Capsule, Cylinder, Plane, Sphere, TriangleMesh, pose

SHAPES = (
    Plane(),
    Box((1, 1, 1)),
    Sphere(0.5),
    Capsule(0.5, 1),
    Cylinder(0.5, 1),
    TriangleMesh([(0, -1, -1), (0, -1, 1), (0, 1, 0)], [(0, 1, 2)]),
)
LEFT, X = pose(translation=(-3, 0, 0)), (1, 0, 0)


def kind(shape):
    return type(shape).__name__


@pytest.mark.parametrize("other", SHAPES, ids=kind)
@pytest.mark.parametrize("shape", SHAPES, ids=kind)
def test_the_lists_say_what_is_answered_and_what_is_refused(shape, other):
    pair = (kind(shape), kind(other))
    for question, ask in (
        ("sweep", lambda: sweep_pair(shape, LEFT, X, 9, other, pose())),
        ("overlap", lambda: overlap_pair(shape, pose(), other, pose())),
    ):
        if pair in supported_pairs(question):
            ask()
        else:
            with pytest.raises(
                TypeError, match=r"expected a Sphere, Capsule or Box|no sweep or overlap"
            ):
                ask()


@pytest.mark.parametrize("other", SHAPES, ids=kind)
def test_a_ray_meets_every_kind(other):
    assert ("Ray", kind(other)) in supported_pairs("raycast")
    down = (0.1, 0.1, 9) if isinstance(other, Plane) else (-9, 0.1, 0.1)
    d_W = (0, 0, -1) if isinstance(other, Plane) else X
    assert raycast_pair(down, d_W, 20, other, pose()) is not None


def test_what_a_ray_meets_a_sweep_need_not():
    assert ("Ray", "Cylinder") in supported_pairs("raycast")
    assert not any(other == "Cylinder" for _, other in supported_pairs("sweep"))


def test_a_pair_knows_no_filters(row):
    """The body takes no part in the scene; asked for by itself, it is met."""
    hidden = row.with_settings("r0", QueryShape(takes_part=False))
    assert raycast(hidden, (-3, 0, 0), X, 9).block.name == "r1"
    body = hidden.candidate("r0").body
    hit = raycast_pair((-3, 0, 0), X, 9, body.shape, body.X_WB)
    assert hit.distance == 2.5
    np.testing.assert_array_equal(hit.p_WH, (-0.5, 0, 0))


def test_another_question_is_refused():
    with pytest.raises(ValueError, match="question: expected 'raycast', 'sweep' or 'overlap'"):
        supported_pairs("shout")
