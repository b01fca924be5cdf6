import re

import numpy as np
import pytest

from course.world.analytic import AnalyticCaster
from course.world.poses import IDENTITY
from course.world.rays import NO_FACE, RayHits, Rays
from course.world.scene import Body, Scene
from course.world.shapes import Sphere

ORIGIN, FORWARD = np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_through_keeps_the_direction_over_sixty_decades(dtype):
    rng = np.random.default_rng(0)
    along = rng.normal(size=(1000, 3))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    length = 10.0 ** rng.uniform(-30, 30, size=(1000, 1))
    d_W = Rays.through((0, 0, 0), (along * length).astype(dtype)).d_W
    assert d_W.dtype == dtype
    np.testing.assert_allclose(d_W, along, atol=4 * np.finfo(dtype).eps)


def test_directions_may_be_very_short_or_very_long():
    d_W = Rays.through((0, 0, 0), [(3e-300, 4e-300, 0), (0, 3e300, 4e300)]).d_W
    np.testing.assert_allclose(d_W, [(0.6, 0.8, 0), (0, 0.6, 0.8)], rtol=1e-15)


def test_integers_and_lists_are_taken():
    rays = Rays.through([[0, 0, 0], [1, 0, 0]], [[0, 0, 2], [0, 3, 0]])
    np.testing.assert_array_equal(rays.d_W, [(0, 0, 1), (0, 1, 0)])
    assert rays.d_W.dtype == rays.p_WO.dtype == np.float64


def test_precision_is_kept():
    assert Rays(p_WO=ORIGIN, d_W=FORWARD.astype(np.float32)).d_W.dtype == np.float32


def test_one_start_is_shared_by_all():
    rays = Rays(p_WO=np.array([1, 2, 3]), d_W=FORWARD.repeat(4, axis=0))
    np.testing.assert_array_equal(rays.p_WO, [(1, 2, 3)] * 4)


def test_no_rays_are_rays():
    rays = Rays.through(np.zeros((0, 3)), np.zeros((0, 3)))
    assert len(rays) == 0
    assert rays.d_W.shape == rays.p_WO.shape == (0, 3)


def test_rays_cannot_be_changed_from_outside():
    p_WO, d_W = ORIGIN.copy(), FORWARD.copy()
    rays = Rays(p_WO=p_WO, d_W=d_W)
    p_WO[:] = d_W[:] = 7
    np.testing.assert_array_equal(rays.p_WO, ORIGIN)
    np.testing.assert_array_equal(rays.d_W, FORWARD)
    with pytest.raises(ValueError, match="read-only"):
        rays.d_W[0] = 0


def test_a_shared_start_cannot_be_changed_from_outside():
    start = np.zeros(3)
    rays = Rays(p_WO=start, d_W=FORWARD)
    start[:] = 7
    np.testing.assert_array_equal(rays.p_WO, ORIGIN)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_W": (0, 0, 1)}, "d_W: expected shape (N, 3), got (3,); write one ray as [[x, y, z]]"),
        ({"d_W": [(0, 1)]}, "d_W: expected shape (N, 3), got (1, 2)"),
        ({"d_W": [(0, 0, 2)]}, "d_W: expected unit vectors, got [0.0, 0.0, 2.0] of length 2"),
        ({"d_W": [(0, 0, np.nan)]}, "d_W at index (0,): expected finite numbers, got nan"),
        (
            {"p_WO": np.zeros((2, 3))},
            "p_WO: expected shape (1, 3), got (2, 3); one start per direction, or one (3,) for all",
        ),
        ({"p_WO": (0, 0)}, "p_WO: expected shape (1, 3), got (2,)"),
        ({"p_WO": [(0, np.inf, 0)]}, "p_WO: expected finite numbers, got inf at index (0, 1)"),
        ({"max_distance": 0}, "max_distance: expected a positive number in m, got 0"),
        ({"max_distance": np.nan}, "max_distance: expected a number in m, got nan"),
    ],
)
def test_broken_rays_are_refused(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Rays(**{"p_WO": ORIGIN, "d_W": FORWARD} | changes)


@pytest.mark.parametrize(
    ("directions", "message"),
    [
        ([(0, 0, 1), (0, 0, 0)], "directions: row 1 is zero; a ray needs a direction"),
        ([(0, 0, np.inf)], "directions: expected finite numbers, got inf at index (0, 2)"),
        ((0, 0, 1), "directions: expected shape (N, 3), got (3,); write one ray as [[x, y, z]]"),
    ],
)
def test_broken_directions_are_refused(directions, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Rays.through((0, 0, 0), directions)


def test_hit_points_lie_on_their_rays_and_are_nan_on_a_miss():
    caster = AnalyticCaster(Scene([Body(name="ball", shape=Sphere(1), X_WB=IDENTITY)]))
    hits = caster.cast_first(Rays.through((0, 0, -3), [(0, 0, 5), (0, 5, 0)]))
    np.testing.assert_array_equal(hits.hit, [True, False])
    np.testing.assert_allclose(hits.p_WH, [(0, 0, -1), (np.nan,) * 3])
    for array in (hits.distance, hits.n_W, hits.body, hits.hit, hits.p_WH, hits.face, hits.uv):
        assert not array.flags.writeable


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_without_a_mesh_face_and_uv_are_one_element_shown_for_all_rays(dtype):
    rays = Rays(p_WO=np.zeros(3), d_W=np.repeat(FORWARD, 5, axis=0))
    hits = RayHits(
        rays=rays,
        distance=np.ones(5, dtype),
        n_W=np.zeros((5, 3), dtype),
        body=np.zeros(5, np.int32),
    )
    np.testing.assert_array_equal(hits.face, np.full(5, NO_FACE, np.int32), strict=True)
    np.testing.assert_array_equal(hits.uv, np.full((5, 2), np.nan, dtype), strict=True)
    assert hits.face.strides == (0,)
    assert hits.uv.strides == (0, 0)
