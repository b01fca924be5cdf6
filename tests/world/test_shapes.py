import math
import re

import numpy as np
import pytest

from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere


def test_a_box_keeps_full_edge_lengths():
    assert Box(np.array([1, 2, 3])).size == (1.0, 2.0, 3.0)
    assert Box([1, 2, 2]).bounding_radius == 1.5


def test_bounding_radii():
    assert Sphere(2).bounding_radius == 2.0
    assert Plane().bounding_radius == math.inf
    assert Capsule(0.5, 2).bounding_radius == 1.5
    assert Cylinder(3, 8).bounding_radius == 5.0


def test_shapes_of_equal_size_are_equal():
    assert Box((1, 2, 3)) == Box([1.0, 2.0, 3.0])
    assert len({Sphere(1), Sphere(1.0), Plane(), Plane()}) == 2
    assert len({Capsule(1, 2), Capsule(1.0, 2.0), Cylinder(1, 2), Capsule(2, 1)}) == 3


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Box((1, 2)), ValueError, "Box.size: expected shape (3,), got (2,)"),
        (lambda: Box(1.0), ValueError, "Box.size: expected shape (3,), got ()"),
        (
            lambda: Box((1, 0, 1)),
            ValueError,
            "Box.size: expected a positive, finite number in m, got 0",
        ),
        (lambda: Box((1, np.nan, 1)), ValueError, "Box.size: expected a number in m, got nan"),
        (lambda: Box("abc"), TypeError, "Box.size: expected real numbers, got <U3"),
        (
            lambda: Sphere(-1),
            ValueError,
            "Sphere.radius: expected a positive, finite number in m, got -1",
        ),
        (
            lambda: Sphere(math.inf),
            ValueError,
            "Sphere.radius: expected a positive, finite number in m, got inf",
        ),
        (
            lambda: Capsule(1, 0),
            ValueError,
            "Capsule.length: expected a positive, finite number in m, got 0",
        ),
        (lambda: Capsule([1], 1), TypeError, "Capsule.radius: expected a number in m, got [1]"),
        (
            lambda: Cylinder(-1, 1),
            ValueError,
            "Cylinder.radius: expected a positive, finite number in m, got -1",
        ),
        (
            lambda: Cylinder(1, math.nan),
            ValueError,
            "Cylinder.length: expected a number in m, got nan",
        ),
        (lambda: Sphere("1"), TypeError, "Sphere.radius: expected a number in m, got '1'"),
    ],
)
def test_a_shape_without_a_proper_size_is_refused(make, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make()
