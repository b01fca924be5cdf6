import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.query.hull import GrownHull

SQUARE = np.array([(x, y, 0.0) for x in (-1, 1) for y in (-1, 1)])


def square(x, y, z):
    return SQUARE + np.array((x, y, z))


@pytest.mark.parametrize(
    ("points", "distance"),
    [
        ([(0, 0, 3)], 3),
        ([(0, 0, 3), (0, 0, 3)], 3),
        ([(-1, 0, 2), (1, 0, 2)], 2),
        ([(1, 0, 2), (3, 0, 2)], 5**0.5),
        (square(0, 0, 2), 2),
        (square(2, 0, 1), 2**0.5),
        ([*(square(0, 0, 2)), *(square(0, 0, 3))], 2),
        ([*(square(0, 0, -0.25)), *(square(0, 0, 3))], -0.25),
        ([(0, 0, 0)], 0),
        ([(-1, 0, 0), (1, 0, 0)], 0),
        (SQUARE, 0),
    ],
)
@pytest.mark.parametrize("radius", [0.0, 0.5])
def test_point_line_square_and_solid(points, distance, radius):
    place = GrownHull(np.array(points, np.float64), radius).signed_distance()
    assert place.distance == pytest.approx(distance - radius, abs=1e-14)
    assert np.linalg.norm(place.n_W) == pytest.approx(1, abs=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.floats(0.01, 1))
def test_a_ray_enters_where_the_distance_becomes_zero(seed, count, radius):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (count, 3)) + rng.uniform(-4, 4, 3)
    hull = GrownHull(points, radius)
    if hull.signed_distance().distance <= 0:
        return
    d_W = points.mean(axis=0) + rng.normal(size=3) * 0.5
    d_W /= np.linalg.norm(d_W)
    place = hull.first_on_ray(d_W)
    if place is None:
        for along in np.linspace(0, 12, 60):
            assert GrownHull(points - along * d_W, radius).signed_distance().distance > 0
        return
    there = GrownHull(points - place.distance * d_W, radius).signed_distance()
    assert there.distance == pytest.approx(0, abs=1e-11)
    assert place.n_W @ d_W < 1e-9
    for part in (0.3, 0.9):
        before = GrownHull(points - part * place.distance * d_W, radius)
        assert before.signed_distance().distance > 0


def test_the_normal_of_a_core_that_lies_on_the_origin_is_still_a_unit_vector(rng):
    for count in (1, 2, 3):
        points = rng.normal(size=(count, 3))
        points -= points.mean(axis=0)
        n_W = GrownHull(points, 0.2).signed_distance().n_W
        assert np.linalg.norm(n_W) == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(points @ n_W, 0, atol=1e-12)


def test_what_lies_behind_the_start_is_not_met():
    """The line enters the face x = -1.5 and leaves over the edge, all before the start."""
    corners = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    start, d_W = np.array((-1.2, 2.0, 0)), np.array((0.1, 1, 0)) / np.hypot(0.1, 1)
    assert GrownHull(corners - (start - 4 * d_W), 0.5).first_on_ray(d_W) is not None
    assert GrownHull(corners - start, 0.5).signed_distance().distance > 0
    assert GrownHull(corners - start, 0.5).first_on_ray(d_W) is None
