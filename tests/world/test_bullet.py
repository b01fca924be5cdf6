"""Bullet as a second instrument. Numbers without a closed form are of pybullet 3.2.7."""

import gc
import subprocess
import sys

import numpy as np
import pytest

from course.world.agreement import clear_rays
from course.world.analytic import AnalyticCaster
from course.world.bullet import (
    MOST_FACES,
    MOST_VERTICES,
    RAYS_AT_A_TIME,
    REACH,
    BulletWorld,
    available,
    engine,
)
from course.world.native import silenced
from course.world.poses import IDENTITY, pose
from course.world.random_scenes import random_rays, random_scene
from course.world.rays import Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

needs_bullet = pytest.mark.skipif(not available(), reason="pybullet has no wheel here")

UP, DOWN = (0, 0, 1), (0, 0, -1)
FLOOR = Body(name="floor", shape=Plane(), X_WB=IDENTITY)
CUBE = Body(name="cube", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 2)))
TRIANGLE = TriangleMesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
BALL = Body(name="ball", shape=Sphere(0.5), X_WB=pose(translation=(3, 0, 2)))
SCENE = Scene([FLOOR, CUBE, BALL])


def cast(scene, starts, directions, *, max_distance=np.inf, **roles):
    with BulletWorld(scene, **roles) as world:
        return world.cast_first(Rays.through(starts, directions, max_distance=max_distance))


def is_open(client):
    return bool(engine().getConnectionInfo(physicsClientId=client)["isConnected"])


# --- rays -------------------------------------------------------------------------------------


@needs_bullet
def test_rays_meet_the_bodies_where_they_stand():
    hits = cast(SCENE, [(0.2, 0.1, 5), (3, 0, 5), (9, 0, 5), (0, 0, 5)], [DOWN, DOWN, DOWN, UP])
    assert hits.body.tolist() == [1, 2, 0, NO_BODY]
    np.testing.assert_allclose(hits.distance, [2.5, 2.5, 5, np.inf], rtol=1e-12)
    np.testing.assert_allclose(hits.n_W, [UP, UP, UP, [np.nan] * 3], atol=1e-9)


@needs_bullet
@pytest.mark.parametrize("seed", range(3))
def test_rays_agree_with_the_analytic_caster_to_some_millimetres(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, frozenset({Plane, Box, Sphere, Capsule, Cylinder}))
    rays = random_rays(rng, 2000)
    truth = AnalyticCaster(scene).cast_first(rays)
    clear = clear_rays(AnalyticCaster(scene), rays)
    with BulletWorld(scene) as world:
        hits = world.cast_first(rays)
    # At a rim, Bullet may see the other body: one such ray in a thousand or two.
    assert (hits.body != truth.body).mean() < 3e-3
    kinds = np.array([*(type(body.shape).__name__ for body in scene.bodies), "miss"])[truth.body]
    for kind, typical, worst in (
        ("Plane", 1e-13, 1e-12),
        ("Box", 1e-13, 5e-3),
        ("Sphere", 3e-4, 5e-3),
        ("Capsule", 4e-4, 5e-3),
        ("Cylinder", 1e-4, 8e-3),
    ):
        compared = clear & (hits.body == truth.body) & (kinds == kind)
        error = np.abs(hits.distance[compared] - truth.distance[compared])
        assert np.median(error) < typical, kind
        assert error.max() < worst, kind
        assert error.max() > worst / 1e4, f"{kind} is better than is told"


@needs_bullet
def test_from_inside_a_solid_a_ray_goes_on_to_other_bodies():
    for shape in (Box((2, 2, 2)), Sphere(1)):
        solid = Body(name="solid", shape=shape, X_WB=IDENTITY)
        beyond = Body(name="beyond", shape=Box((1, 1, 1)), X_WB=pose(translation=(0, 0, 5)))
        hits = cast(Scene([solid, beyond]), [(0, 0, 0)], [UP])
        assert hits.body.tolist() == [1]
        assert hits.distance[0] == pytest.approx(4.5, rel=1e-12)


@needs_bullet
def test_from_below_a_plane_is_hit_with_a_normal_that_points_down():
    hits = cast(Scene([FLOOR]), [(0, 0, -2), (0, 0, -2)], [UP, DOWN])
    assert hits.hit.tolist() == [True, False]
    assert hits.distance[0] == pytest.approx(2, rel=1e-12)
    np.testing.assert_allclose(hits.n_W[0], DOWN)


@needs_bullet
def test_the_end_of_a_ray_does_not_count():
    for reach, expected in ((2.49, False), (2.5, False), (2.51, True)):
        assert cast(SCENE, [(0, 0, 5)], [DOWN], max_distance=reach).hit.tolist() == [expected]


@needs_bullet
def test_a_ray_without_an_end_ends_at_the_reach():
    for height, expected in ((0.99 * REACH, True), (1.01 * REACH, False)):
        assert cast(Scene([FLOOR]), [(0, 0, height)], [DOWN]).hit.tolist() == [expected]


@needs_bullet
@pytest.mark.parametrize(
    "count", [0, 1, RAYS_AT_A_TIME, RAYS_AT_A_TIME + 1, 2 * RAYS_AT_A_TIME + 3]
)
def test_every_ray_is_answered_in_order(count):
    starts = np.zeros((count, 3))
    starts[:, 2] = 3 + np.arange(count) % 1000
    hits = cast(Scene([CUBE]), starts, np.full((count, 3), DOWN))
    assert (hits.distance.shape, hits.n_W.shape, hits.body.shape) == (
        (count,),
        (count, 3),
        (count,),
    )
    np.testing.assert_allclose(hits.distance, starts[:, 2] - 2.5, rtol=1e-9)


@needs_bullet
def test_one_ray_more_and_pybullet_loses_one():
    """Why `RAYS_AT_A_TIME` is what it is."""
    with BulletWorld(SCENE) as world:
        for count, answered in (
            (RAYS_AT_A_TIME, RAYS_AT_A_TIME),
            (RAYS_AT_A_TIME + 1, RAYS_AT_A_TIME),
        ):
            starts, ends = [(0, 0, 5)] * count, [(0, 0, 0)] * count
            assert len(world.call("rayTestBatch", starts, ends)) == answered


# --- what a body is made of -------------------------------------------------------------------


@needs_bullet
def test_a_ray_meets_the_collision_shape():
    for collision, distance in ((Box((2, 2, 2)), 2.0), (Sphere(0.25), 2.75), (None, np.inf)):
        scene = Scene([CUBE])
        hits = cast(scene, [(0, 0, 5)], [DOWN], collision={"cube": collision})
        assert hits.distance[0] == pytest.approx(distance, rel=1e-9)
    for visual in (Box((9, 9, 9)), None):
        hits = cast(Scene([CUBE]), [(0, 0, 5)], [DOWN], visual={"cube": visual})
        assert hits.distance[0] == pytest.approx(2.5, rel=1e-12)


@needs_bullet
@pytest.mark.parametrize(
    ("shape", "to_side", "to_end"),
    [
        (Box((0.6, 0.8, 2.4)), 0.3, 1.2),
        (Sphere(0.3), 0.3, 0.3),
        (Capsule(0.3, 2.4), 0.3, 1.5),
        (Cylinder(0.3, 2.4), 0.3, 1.2),
    ],
)
def test_shapes_have_their_sizes(shape, to_side, to_end):
    scene = Scene([Body(name="body", shape=shape, X_WB=IDENTITY)])
    hits = cast(scene, [(5, 0, 0), (0, 0, 5), (0, 0, -5)], [(-1, 0, 0), DOWN, UP])
    np.testing.assert_allclose(5 - hits.distance, [to_side, to_end, to_end], rtol=1e-9)


@needs_bullet
def test_a_triangle_mesh_keeps_its_hollows_and_is_met_from_both_sides():
    """A trough of two faces; its hull would be met at 0 everywhere."""
    vertices = np.array([[-1.0, -1, 0], [0, -1, -1], [1, -1, 0], [-1, 1, 0], [0, 1, -1], [1, 1, 0]])
    faces = np.array([[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]])
    trough = TriangleMesh(vertices, faces)
    scene = Scene([Body(name="trough", shape=trough, X_WB=pose(translation=(0, 0, 2)))])
    hits = cast(scene, [(0.5, 0.3, 5), (0.5, 0.3, 0)], [DOWN, UP])
    np.testing.assert_allclose(hits.distance, [3.5, 1.5], rtol=1e-6)
    front = np.array([-1, 0, 1]) / np.sqrt(2)
    np.testing.assert_allclose(hits.n_W, [front, -front], atol=1e-6)
    assert hits.face.tolist() == [-1, -1]  # it is not said


@needs_bullet
@pytest.mark.parametrize(("vertices", "faces"), [(MOST_VERTICES, 1), (3, MOST_FACES)])
@pytest.mark.parametrize("role", ["collision", "visual"])
def test_a_mesh_can_be_as_large_as_is_told(role, vertices, faces):
    def mesh(vertices, faces):
        corners = np.zeros((vertices, 3))
        corners[:3] = TRIANGLE.vertices
        return TriangleMesh(corners, np.repeat(TRIANGLE.faces, faces, axis=0))

    scene = Scene([CUBE])
    BulletWorld(scene, **{role: {"cube": mesh(vertices, faces)}}).close()
    larger = mesh(vertices + (vertices > 3), faces + (faces > 1))
    with pytest.raises(ValueError, match="body 'cube': Bullet takes at most 131072 vertices and"):
        BulletWorld(scene, **{role: {"cube": larger}})
    # Without the check there would be an error, but none that helps.
    with BulletWorld(scene) as world, silenced(), pytest.raises((engine().error, SystemError)):
        world.call(
            "createCollisionShape",
            world.constant("GEOM_MESH"),
            vertices=larger.vertices.tolist(),
            indices=larger.faces.ravel().tolist(),
        )


@needs_bullet
def test_only_bodies_with_a_mass_move():
    with BulletWorld(SCENE, mass_kg={"ball": 2.0}) as world:
        world.call("setGravity", 0, 0, -10)
        for _ in range(24):  # of 1/240 s
            world.call("stepSimulation")
        heights = [
            world.call("getBasePositionAndOrientation", world.uid_of(name))[0][2]
            for name in ("floor", "cube", "ball")
        ]
    # Semi-implicit Euler: after n steps of h, g h^2 n (n + 1) / 2. Damping would show at once.
    fallen = 10 / 240**2 * 24 * 25 / 2
    assert heights == pytest.approx([0, 2, 2 - fallen], abs=1e-9)


@needs_bullet
def test_ids_of_bullet_stand_for_places_in_the_scene():
    with BulletWorld(SCENE) as world:
        uids = [[world.uid_of(name) for name in ("ball", "floor", "cube")], [-1, -1, -1]]
        places = world.bodies_of(uids)
        assert places.tolist() == [[2, 0, 1], [-1, -1, -1]]
        assert places.dtype == np.int32
        assert world.bodies_of([]).tolist() == []
        stranger = world.call("createMultiBody")
        for uid in (stranger, -2):
            with pytest.raises(ValueError, match=f"body {uid} is none of the scene"):
                world.bodies_of([0, uid])
        with pytest.raises(ValueError, match="there are: floor, cube, ball"):
            world.uid_of("bell")


@needs_bullet
@pytest.mark.parametrize(
    ("roles", "error", "message"),
    [
        ({"collision": {"bell": None}}, ValueError, "no body is named 'bell'"),
        ({"visual": {"bell": None}}, ValueError, "no body is named 'bell'"),
        ({"mass_kg": {"bell": 1.0}}, ValueError, "no body is named 'bell'"),
        (
            {"collision": {"ball": 0.5}},
            TypeError,
            "body 'ball': expected a collision shape or None",
        ),
        ({"visual": {"ball": "box"}}, TypeError, "body 'ball': expected a visual shape or None"),
        ({"mass_kg": {"ball": 0.0}}, ValueError, "body 'ball': mass_kg: expected a positive"),
        ({"mass_kg": {"floor": 1.0}}, ValueError, "body 'floor': only a body with a solid"),
        (
            {"mass_kg": {"ball": 1.0}, "collision": {"ball": TRIANGLE}},
            ValueError,
            "body 'ball': only a body with a solid",
        ),
        (
            {"mass_kg": {"ball": 1.0}, "collision": {"ball": None}},
            ValueError,
            "body 'ball': only a body with a solid",
        ),
    ],
)
def test_what_cannot_be_built_is_refused(roles, error, message):
    with pytest.raises(error, match=message):
        BulletWorld(SCENE, **roles)


# --- its life ---------------------------------------------------------------------------------


@needs_bullet
def test_worlds_know_nothing_of_one_another():
    with BulletWorld(Scene([CUBE])) as one, BulletWorld(Scene([BALL])) as other:
        assert one.client != other.client
        rays = Rays.through([(0, 0, 5), (3, 0, 5)], [DOWN, DOWN])
        assert one.cast_first(rays).hit.tolist() == [True, False]
        assert other.cast_first(rays).hit.tolist() == [False, True]


@needs_bullet
def test_closing_twice_does_no_harm_and_a_closed_world_says_so():
    with BulletWorld(SCENE) as world:
        world.close()
        assert not is_open(world.client)
        again = BulletWorld(SCENE)  # Bullet gives its number anew
        assert again.client == world.client
    assert is_open(again.client)
    again.close()
    with pytest.raises(RuntimeError, match="this BulletWorld is closed"):
        world.cast_first(Rays.through([(0, 0, 5)], [DOWN]))


@needs_bullet
def test_a_world_that_nobody_holds_is_closed():
    client = BulletWorld(SCENE).client
    gc.collect()
    assert not is_open(client)


@needs_bullet
@pytest.mark.parametrize("refusal", ["bullet", "interrupt"])
def test_a_world_that_fails_to_be_made_is_closed(monkeypatch, refusal):
    pybullet, clients = engine(), []
    create = pybullet.createMultiBody

    def refuse_the_second(*args, physicsClientId, **keywords):
        clients.append(physicsClientId)
        if len(clients) == 2:
            raise pybullet.error("no") if refusal == "bullet" else KeyboardInterrupt
        return create(*args, physicsClientId=physicsClientId, **keywords)

    monkeypatch.setattr(pybullet, "createMultiBody", refuse_the_second)
    error, message = {
        "bullet": (RuntimeError, "^body 'cube': Bullet refuses it: no$"),
        "interrupt": (KeyboardInterrupt, "^$"),
    }[refusal]
    with pytest.raises(error, match=message):
        BulletWorld(SCENE)
    assert not is_open(clients[0])


@needs_bullet
def test_a_bullet_with_no_world_left_says_so(monkeypatch):
    monkeypatch.setattr(engine(), "connect", lambda mode: -1)
    with pytest.raises(RuntimeError, match="no new world"):
        BulletWorld(SCENE)


TALK = """
from course.world import Body, Box, Plane, Rays, Scene, Sphere, pose
from course.world.bullet import BulletWorld

shapes = {"floor": Plane(), "cube": Box((1, 1, 1)), "ball": Sphere(0.5)}
scene = Scene([Body(name=name, shape=shape, X_WB=pose()) for name, shape in shapes.items()])
with BulletWorld(scene, mass_kg={"ball": 1.0}, visual={"cube": None}) as world:
    world.cast_first(Rays.through((0, 0, 3), [(0, 0, -1)]))
    world.call("stepSimulation")
"""


@needs_bullet
def test_nothing_that_it_prints_is_heard():
    """Its build time at the import, and a warning for each plane that is drawn."""
    run = subprocess.run([sys.executable, "-c", TALK], capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    loud = TALK.replace("from course.world.bullet", "import pybullet\nfrom course.world.bullet")
    run = subprocess.run([sys.executable, "-c", loud], capture_output=True, check=True)
    assert b"pybullet build time" in run.stdout + run.stderr


def test_a_missing_pybullet_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pybullet", None)
    assert not available()
    with pytest.raises(
        ImportError, match=r"pip install pybullet \(.*Linux x86-64 with Python 3.11"
    ):
        BulletWorld(SCENE)


# --- what is no world, no ray and no id -------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scene": None}, r"scene: expected Scene\(bodies\), got None"),
        ({"scene": SCENE, "mass_kg": [1.0]}, r"mass_kg: expected \{name of a body: value\}"),
    ],
    ids=["scene", "masses"],
)
def test_what_makes_no_world_is_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        BulletWorld(**arguments)


@needs_bullet
def test_what_is_no_ray_and_no_id_is_refused():
    with BulletWorld(SCENE) as world:
        with pytest.raises(TypeError, match=r"rays: expected Rays\(p_WO=, d_W=\), got list"):
            world.cast_first([(0, 0, 1)])
        with pytest.raises(TypeError, match="uids: expected integers, got float64"):
            world.bodies_of([0.9])
        assert world.bodies_of([]).shape == (0,)


@needs_bullet
def test_a_reach_beyond_all_numbers_is_a_reach():
    hits = cast(SCENE, [(0, 0, 5)], [DOWN], max_distance=1e300)
    assert hits.body.tolist() == [1]
    np.testing.assert_allclose(hits.distance, [2.5], atol=1e-6)


@needs_bullet
def test_a_world_that_was_disconnected_can_still_be_closed():
    world = BulletWorld(SCENE)
    world.call("disconnect")
    world.close()
