"""Capsule and cylinder: against 60 digits, exact scaling, and the cases at seams, edges and borders."""

import mpmath
import numpy as np
import pytest

from course.world.intersections import meet_capsule, meet_cylinder

mpmath.mp.dps = 60
BOUND = 1e-12  # times (distance + size) / |cosine|
RADIUS, LENGTH = 0.25, 1.5
GRAZING = [0.5, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10]
INF = np.inf


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


class Exact:
    """A ray in 60 digits, whose direction, unit to 16 digits, is made unit to 60."""

    def __init__(self, p, d):
        self.p, d = ([mpmath.mpf(float(x)) for x in vector] for vector in (p, d))
        self.d = [x / mpmath.sqrt(mpmath.fdot(d, d)) for x in d]

    def at(self, distance):
        return [x + distance * k for x, k in zip(self.p, self.d, strict=True)]

    def enters_and_leaves(self, centre, axes):
        """Distances to the round surface about a centre that spans the first `axes` coordinates."""
        p = [x - c for x, c in zip(self.p[:axes], centre, strict=False)]
        d = self.d[:axes]
        a, b = mpmath.fdot(d, d), mpmath.fdot(p, d)
        discriminant = b * b - a * (mpmath.fdot(p, p) - mpmath.mpf(RADIUS) ** 2)
        if discriminant < 0:
            return ()
        return ((-b - mpmath.sqrt(discriminant)) / a, (-b + mpmath.sqrt(discriminant)) / a)


def exact_capsule(p, d):
    """Distance and |cosine|, None for a miss: the first of what side and cap balls offer."""
    ray, half = Exact(p, d), mpmath.mpf(LENGTH) / 2
    offers = []
    for enter in ray.enters_and_leaves((0, 0), 2)[:1]:
        x = ray.at(enter)
        if abs(x[2]) <= half:
            offers.append((enter, abs(mpmath.fdot(x[:2], ray.d[:2])) / RADIUS))
    for end in (-half, half):
        for enter in ray.enters_and_leaves((0, 0, end), 3)[:1]:
            x = ray.at(enter)
            x[2] -= end
            if x[2] * end >= 0:
                offers.append((enter, abs(mpmath.fdot(x, ray.d)) / RADIUS))
    return min(offers, default=None)


def exact_cylinder(p, d):
    """Distance and |cosine|, None for a miss: where side and slab are both entered."""
    ray, half = Exact(p, d), mpmath.mpf(LENGTH) / 2
    side = ray.enters_and_leaves((0, 0), 2)
    caps = sorted((end - ray.p[2]) / ray.d[2] for end in (-half, half))
    if not side or max(side[0], caps[0]) > min(side[1], caps[1]):
        return None
    if side[0] > caps[0]:
        return side[0], abs(mpmath.fdot(ray.at(side[0])[:2], ray.d[:2])) / RADIUS
    return caps[0], abs(ray.d[2])


SOLIDS = [(meet_capsule, exact_capsule), (meet_cylinder, exact_cylinder)]


def assert_met_to_the_bound(meet, exact, p, d, *, most):
    distance, n_S = meet(p, d, RADIUS, LENGTH)
    found = np.isfinite(distance)
    for row in range(len(p)):
        truth = exact(p[row], d[row])
        assert found[row] == (truth is not None), row
        if truth:
            allowed = BOUND * (truth[0] + np.linalg.norm(p[row]) + LENGTH) / truth[1]
            assert abs(distance[row] - truth[0]) <= allowed, row
    np.testing.assert_allclose(np.linalg.norm(n_S[found], axis=1), 1, rtol=1e-15)
    assert found.mean() > most


@pytest.mark.parametrize(("meet", "exact"), SOLIDS)
@pytest.mark.parametrize("grazing", GRAZING)
@pytest.mark.parametrize("far", [2.0, 100.0, 1e4])
def test_a_side_is_met_to_its_bound_however_shallow_the_ray(meet, exact, grazing, far):
    rng = np.random.default_rng(int(far))
    d = unit(rng.normal(size=(60, 3)))
    towards = RADIUS * (1 - grazing) * unit(np.cross(d, (0, 0, 1)))
    towards[:, 2] = rng.uniform(-0.6, 0.6, 60) * LENGTH  # some pass above or below
    p = towards - far * rng.uniform(0.5, 1, (60, 1)) * d
    assert_met_to_the_bound(meet, exact, p, d, most=0.5)


@pytest.mark.parametrize("grazing", GRAZING)
@pytest.mark.parametrize("far", [2.0, 100.0, 1e4])
def test_the_caps_of_a_capsule_are_met_to_their_bound_however_shallow_the_ray(grazing, far):
    rng = np.random.default_rng(int(far))
    d = unit(rng.normal(size=(60, 3)))
    towards = RADIUS * (1 - grazing) * unit(np.cross(d, rng.normal(size=(60, 3))))
    towards[:, 2] += np.where(towards[:, 2] > 0, LENGTH, -LENGTH) / 2
    p = towards - far * rng.uniform(0.5, 1, (60, 1)) * d
    assert_met_to_the_bound(meet_capsule, exact_capsule, p, d, most=0.99)


@pytest.mark.parametrize(("meet", "exact"), SOLIDS)
@pytest.mark.parametrize("tilt", [1e-1, 1e-4, 1e-8, 1e-12, 1e-150])
def test_rays_almost_along_the_axis_are_met_to_the_bound(meet, exact, tilt):
    rng = np.random.default_rng(7)
    d = unit(rng.normal(size=(60, 3)) * (tilt, tilt, 1))
    towards = rng.uniform(-1.2, 1.2, size=(60, 3)) * (RADIUS, RADIUS, LENGTH)
    p = towards - 5 * d
    assert_met_to_the_bound(meet, exact, p, d, most=0.4)


@pytest.mark.parametrize("meet", [meet_capsule, meet_cylinder])
@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
def test_a_scene_twice_as_large_has_distances_exactly_twice_as_long(meet, scale):
    rng = np.random.default_rng(3)
    p, d = rng.normal(size=(500, 3)), unit(rng.normal(size=(500, 3)))
    small = meet(p, d, RADIUS, LENGTH)
    large = meet(scale * p, d, scale * RADIUS, scale * LENGTH)
    np.testing.assert_array_equal(scale * small.distance, large.distance)
    np.testing.assert_array_equal(small.n_S, large.n_S)


def beyond_capsule(x):
    nearest = np.clip(x[:, 2], -LENGTH / 2, LENGTH / 2)
    return np.linalg.norm(x - nearest[:, None] * (0, 0, 1), axis=1) - RADIUS


def beyond_cylinder(x):
    return np.maximum(np.hypot(x[:, 0], x[:, 1]) - RADIUS, np.abs(x[:, 2]) - LENGTH / 2)


@pytest.mark.parametrize(
    ("meet", "beyond"), [(meet_capsule, beyond_capsule), (meet_cylinder, beyond_cylinder)]
)
def test_met_points_lie_on_the_surface_and_normals_point_out(meet, beyond):
    rng = np.random.default_rng(4)
    p = 5 * unit(rng.normal(size=(3000, 3)))
    d = unit(rng.normal(size=(3000, 3)) * (0.3, 0.3, 0.8) - p)
    distance, n_S = meet(p, d, RADIUS, LENGTH)
    met = np.isfinite(distance)
    assert met.sum() > 500
    x = p[met] + distance[met, None] * d[met]
    np.testing.assert_allclose(beyond(x), 0, atol=1e-13)
    assert (beyond(x + 1e-6 * n_S[met]) > 0).all()
    assert (np.einsum("ij,ij->i", n_S[met], d[met]) < 0).all()


@pytest.mark.parametrize(
    ("meet", "beyond"), [(meet_capsule, beyond_capsule), (meet_cylinder, beyond_cylinder)]
)
def test_what_is_reported_as_a_miss_misses(meet, beyond):
    """No point of such a ray lies in the solid: looked at in steps of a millimetre."""
    rng = np.random.default_rng(5)
    p = unit(rng.normal(size=(400, 3))) * (1.5, 1.5, 2)
    d = unit(rng.normal(size=(400, 3)) * (0.5, 0.5, 0.8) - p)
    missed = ~np.isfinite(meet(p, d, RADIUS, LENGTH).distance)
    assert 50 < missed.sum() < 350
    for start, direction in zip(p[missed], d[missed], strict=True):
        assert (beyond(start + np.arange(0, 5, 1e-3)[:, None] * direction) > -1e-12).all()


def one(meet, p, d):
    distance, n_S = meet(np.array([p], float), np.array([d], float), RADIUS, LENGTH)
    return distance[0], n_S[0].tolist()


@pytest.mark.parametrize("meet", [meet_capsule, meet_cylinder])
@pytest.mark.parametrize("p", [(0, 0, 0), (0.1, 0.1, -0.3), (0.25, 0, 0), (0, -0.25, 0.75)])
@pytest.mark.parametrize("d", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 0.6, 0.8)])
def test_a_start_inside_or_on_the_surface_is_met_at_once(meet, p, d):
    assert one(meet, p, d) == (0, [-x for x in d])


@pytest.mark.parametrize(
    ("p", "d", "distance"),
    [
        ((0, 0, 1), (1, 0, 0), 0),  # on the tip
        ((0, 0, 3), (0, 0, -1), 2),  # along the axis
        ((0, 0, -3), (0, 0, 1), 2),
        ((0.25, 0, 3), (0, 0, -1), 2.25),  # along the side, which it touches at the seam
        ((np.nextafter(0.25, 1), 0, 3), (0, 0, -1), INF),
        ((0.15, 0, 3), (0, 0, -1), 2.05),
        ((0.15, 0, 3), (1e-320, 0, -1), 2.05),  # as good as along the axis
        ((-3, 0, 0.75), (1, 0, 0), 2.75),  # at the seam
        ((-3, 0, 0.9), (1, 0, 0), 2.8),  # a cap from the side
        ((-3, 0.25, 0.5), (1, 0, 0), 3),  # touching the side
        ((-3, np.nextafter(0.25, 1), 0.5), (1, 0, 0), INF),
        ((-3, 0, 1), (1, 0, 0), 3),  # touching the tip
        ((-3, 0, np.nextafter(1, 2)), (1, 0, 0), INF),
        ((3, 0, 0), (1, 0, 0), INF),  # behind
        ((0, 0, 3), (0, 0, 1), INF),
        ((0, 0, 1.5), (0, 0, 1), INF),
        ((0.24, 0, 1.5), (-0.6, 0, 0.8), INF),  # within the mantle, but above and going up
    ],
)
def test_a_capsule_at_its_seams_and_borders(p, d, distance):
    assert one(meet_capsule, p, d)[0] == pytest.approx(distance, rel=1e-15)


@pytest.mark.parametrize(
    ("p", "d", "distance"),
    [
        ((0.25, 0, 0.75), (1, 0, 0), 0),  # on an edge
        ((0, 0, 3), (0, 0, -1), 2.25),
        ((0.25, 0, 3), (0, 0, -1), 2.25),  # along the side: solids are closed
        ((np.nextafter(0.25, 1), 0, 3), (0, 0, -1), INF),
        ((0.15, 0, 3), (1e-320, 0, -1), 2.25),  # as good as along the axis
        ((-3, 0, 0.75), (1, 0, 0), 2.75),  # along a cap
        ((-3, 0, np.nextafter(0.75, 1)), (1, 0, 0), INF),
        ((-3, 0.25, 0.5), (1, 0, 0), 3),  # touching the side
        ((-3, np.nextafter(0.25, 1), 0.5), (1, 0, 0), INF),
        ((-1.25, 0, 1.75), (np.sqrt(0.5), 0, -np.sqrt(0.5)), np.sqrt(2)),  # at an edge
        ((3, 0, 0), (1, 0, 0), INF),  # behind
        ((0, 0, 3), (0, 0, 1), INF),
        ((0, 0, 1.5), (0.6, 0, 0.8), INF),
    ],
)
def test_a_cylinder_at_its_faces_and_edges(p, d, distance):
    assert one(meet_cylinder, p, d)[0] == pytest.approx(distance, rel=1e-15)
