"""Closed forms against 60 digits, exact scaling, and the cases at the border of a solid."""

import mpmath
import numpy as np
import pytest

from course.world.intersections import meet_box, meet_plane, meet_sphere

mpmath.mp.dps = 60
BOUND = 1e-12  # times (distance + size) / |cosine|


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def exact(p, d):
    """A ray's start and direction in 60 digits; the direction, unit to 16 digits, made unit to 60."""
    p, d = ([mpmath.mpf(float(x)) for x in vector] for vector in (p, d))
    length = mpmath.sqrt(mpmath.fdot(d, d))
    return p, [x / length for x in d]


def exact_sphere(p, d, radius):
    """Distance and |cosine| in 60 digits."""
    p, d = exact(p, d)
    radius = mpmath.mpf(float(radius))
    b = mpmath.fdot(p, d)
    half_chord = mpmath.sqrt(b * b - mpmath.fdot(p, p) + radius**2)
    return -b - half_chord, half_chord / radius


def exact_box(p, d, size):
    """Distance and |cosine| in 60 digits; None for a miss."""
    p, d = exact(p, d)
    ends = [
        sorted(((s * e / 2 - x) / k for s in (-1, 1)), key=float)
        for x, k, e in zip(p, d, size, strict=True)
    ]
    enter = max(first for first, _ in ends)
    if enter > min(last for _, last in ends) or enter < 0:
        return None
    axis = [first for first, _ in ends].index(enter)
    return enter, abs(d[axis])


def rays_that_miss_the_centre_by(miss_by, start_at, rng):
    """Starts (N, 3) at a distance from the centre, and directions that pass it at another."""
    p = start_at[:, None] * unit(rng.normal(size=(len(miss_by), 3)))
    side = unit(np.cross(p, rng.normal(size=p.shape)))
    foot = miss_by[:, None] * (
        side * np.sqrt(1 - (miss_by / start_at) ** 2)[:, None]
        + (miss_by / start_at**2)[:, None] * p
    )
    return p, unit(foot - p)


@pytest.mark.parametrize("grazing", [0.5, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("far", [2.0, 100.0, 1e4])
def test_a_sphere_is_met_to_its_bound_however_shallow_the_ray(grazing, far):
    rng = np.random.default_rng(int(far))
    radius, count = 0.5, 40
    p, d = rays_that_miss_the_centre_by(
        np.full(count, radius * (1 - grazing)), far * rng.uniform(0.5, 1, count), rng
    )
    distance, n_S = meet_sphere(p, d, radius)
    for row in range(count):
        truth, cosine = exact_sphere(p[row], d[row], radius)
        allowed = BOUND * (truth + np.linalg.norm(p[row]) + radius) / cosine
        assert abs(distance[row] - truth) <= allowed
    np.testing.assert_allclose(np.linalg.norm(n_S, axis=1), 1, rtol=1e-15)


@pytest.mark.parametrize("far", [2.0, 100.0, 1e4])
def test_a_box_is_met_to_its_bound(far):
    rng = np.random.default_rng(int(far))
    size = (0.5, 1.0, 1.5)
    p = far * unit(rng.normal(size=(300, 3)))
    d = unit(rng.uniform(-0.5, 0.5, size=(300, 3)) - p)
    distance, n_S = meet_box(p, d, size)
    met = 0
    for row in range(300):
        answer = exact_box(p[row], d[row], size)
        assert np.isfinite(distance[row]) == (answer is not None)
        if answer is not None:
            truth, cosine = answer
            assert abs(distance[row] - truth) <= BOUND * (truth + far + 1) / cosine
            assert -n_S[row] @ d[row] == pytest.approx(float(cosine))
            met += 1
    assert met > 100


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
def test_a_scene_twice_as_large_has_distances_exactly_twice_as_long(scale):
    rng = np.random.default_rng(3)
    p = rng.normal(size=(500, 3)) * 2
    d = unit(rng.normal(size=(500, 3)))
    for small, large in (
        (meet_sphere(p, d, 0.75), meet_sphere(scale * p, d, scale * 0.75)),
        (meet_box(p, d, (1, 2, 3)), meet_box(scale * p, d, (scale, 2 * scale, 3 * scale))),
        (meet_plane(p, d), meet_plane(scale * p, d)),
    ):
        np.testing.assert_array_equal(scale * small.distance, large.distance)
        np.testing.assert_array_equal(small.n_S, large.n_S)


def test_met_points_lie_on_the_surface_and_normals_point_out():
    rng = np.random.default_rng(4)
    p, size = 5 * unit(rng.normal(size=(2000, 3))), np.array((1.0, 2.0, 3.0))
    d = unit(rng.normal(size=(2000, 3)) - p)
    sphere, box = meet_sphere(p, d, 0.75), meet_box(p, d, tuple(size))
    for answer, beyond in (
        (sphere, lambda x: np.linalg.norm(x, axis=1) - 0.75),
        (box, lambda x: (np.abs(x) - size / 2).max(axis=1)),
    ):
        met = np.isfinite(answer.distance)
        assert met.sum() > 200
        x = p[met] + answer.distance[met, None] * d[met]
        np.testing.assert_allclose(beyond(x), 0, atol=1e-14)
        assert (beyond(x + 1e-6 * answer.n_S[met]) > 0).all()
        assert (np.einsum("ij,ij->i", answer.n_S[met], d[met]) < 0).all()


def one(meet, p, d, *shape):
    distance, n_S = meet(np.array([p], float), np.array([d], float), *shape)
    return distance[0], n_S[0].tolist()


@pytest.mark.parametrize("p", [(0, 0, 0), (0.2, 0.1, -0.3), (0, 0, 0.5)])
@pytest.mark.parametrize("d", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 0.6, 0.8)])
def test_a_start_inside_or_on_the_surface_is_met_at_once(p, d):
    against = [-x for x in d]
    assert one(meet_sphere, p, d, 0.5) == (0, against)
    assert one(meet_box, p, d, (1, 1, 1)) == (0, against)


@pytest.mark.parametrize(
    ("p", "d", "distance"),
    [
        ((0, 0, 2), (0, 0, -1), 2),
        ((0, 0, 2), (1, 0, 0), np.inf),  # parallel
        ((0, 0, 2), (0, 0, 1), np.inf),
        ((0, 0, -2), (0, 0, 1), np.inf),  # from below
        ((0, 0, -2), (0, 0, -1), np.inf),
        ((0, 0, 0), (0, 0, -1), 0),
    ],
)
def test_a_plane_is_met_from_above_going_down(p, d, distance):
    assert one(meet_plane, p, d)[0] == distance


@pytest.mark.parametrize(
    ("p", "d", "distance"),
    [
        ((-3, 0.5, 0), (1, 0, 0), 2.5),  # along a face: solids are closed
        ((-3, 0.5, 0.5), (1, 0, 0), 2.5),  # along an edge
        ((-3, np.nextafter(0.5, 1), 0), (1, 0, 0), np.inf),
        ((3, 0, 0), (1, 0, 0), np.inf),  # behind
        ((-3, -3, 0), (np.sqrt(0.5), np.sqrt(0.5), 0), 2.5 * np.sqrt(2)),  # at an edge
        ((-3, -2, 0), (np.sqrt(0.5), np.sqrt(0.5), 0), 2.5 * np.sqrt(2)),  # touching one
        ((-3, 0, 0), (1, 1e-320, 0), 2.5),  # as good as parallel
    ],
)
def test_a_box_at_its_faces_and_edges(p, d, distance):
    assert one(meet_box, p, d, (1, 1, 1))[0] == pytest.approx(distance, rel=1e-15)


def test_a_sphere_is_touched_by_a_tangent():
    distance, n_S = one(meet_sphere, (-3, 0.5, 0), (1, 0, 0), 0.5)
    assert distance == pytest.approx(3, rel=1e-15)
    assert n_S == [0, 1, 0]
    assert one(meet_sphere, (-3, np.nextafter(0.5, 1), 0), (1, 0, 0), 0.5)[0] == np.inf
