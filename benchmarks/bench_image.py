"""Speed of an image: range, label and unit normal at 640 x 480, as ratios to what others take for the rays alone.

Absolute times depend on the machine. A ratio of two times taken in turns in one process hardly does, so budgets are
ratios: at most 1.4 x raw Embree, and at least 10 x as fast as pybullet's `rayTestBatch`, on the same rays.

pybullet's TinyRenderer is no caster of rays, and not to be beaten: its ratio says which picture to wait for.
"""

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
import pytest
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from course.sensors.bullet_camera import projection_matrix
from course.sensors.camera import cast_image
from course.sensors.intrinsics import Intrinsics, PixelCentre, unit_rays
from course.sensors.ranges import ClippingRange
from course.world.bullet import BulletWorld, available
from course.world.embree import EmbreeCaster
from course.world.native import silenced
from course.world.poses import pose
from course.world.scene import Body, Scene
from course.world.shapes import Box, Plane, Sphere
from course.world.triangles import mesh_in_world

MOST_OF_RAW_EMBREE = 1.4
LEAST_OF_PYBULLET = 10
LEAST_OF_TINY_RENDERER = 0.5  # measured: 1.3 to 1.6; it is unlike work, hence a loose bound
BULLET_BATCH = 16_383  # of 16,384 rays, pybullet returns 16,383, without a word
REACH = 20.0  # m, the end of pybullet's rays

CAMERA = Intrinsics.from_vertical_fov(
    width=640, height=480, fov_y_rad=1.08, pixel_centre=PixelCentre.HALF
)
X_WC = pose()  # looks along z of the world, y down


def bodies(*, floor: bool) -> list[Body]:
    """20 boxes and 20 spheres in front of the camera, and a floor under them."""
    rng = np.random.default_rng(0)
    shapes = [Box((0.5, 0.5, 0.5)), Sphere(0.3)]
    placed = [
        Body(
            name=f"body {i}",
            shape=shapes[i % 2],
            X_WB=pose(translation=rng.uniform((-2, -2, 3), (2, 2, 7))),
            label=i,
        )
        for i in range(40)
    ]
    if floor:  # solid downwards, which is +y here
        X_WF = pose(translation=(0, 2.5, 0), rotation=[[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        placed.append(Body(name="floor", shape=Plane(), X_WB=X_WF, label=40))
    return placed


def times(*calls: Callable[[], object], rounds: int) -> list[float]:
    """Shortest time of each call, s: what else the machine does can only add to it.

    The calls take turns, so that a slow spell meets all of them.
    """
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, times_ in zip(calls, taken, strict=True):
            start = perf_counter()
            call()
            times_.append(perf_counter() - start)
    return [min(times_) for times_ in taken]


def report(benchmark, capsys, name: str, ratio: float) -> None:
    """Print a ratio, and keep it with the benchmark."""
    benchmark.extra_info[name] = round(ratio, 3)
    with capsys.disabled():
        print(f"\n{name}: {ratio:.2f}")


@pytest.mark.parametrize("floor", [False, True], ids=["bodies", "bodies and a floor"])
def test_an_image_takes_little_more_than_its_rays(benchmark, capsys, floor):
    """The floor is extra: raw Embree knows the bodies only, and its rays go on."""
    scene = Scene(bodies(floor=floor))
    caster = EmbreeCaster(scene)
    raw = EmbreeScene(robust=True)
    for body in scene.bodies:
        if not isinstance(body.shape, Plane):
            mesh = mesh_in_world(body)
            TriangleMesh(raw, mesh.vertices.astype(np.float32), mesh.faces)
    d_W = np.ascontiguousarray(unit_rays(CAMERA, "float32").reshape(-1, 3))
    p_WO = np.zeros_like(d_W)

    benchmark.pedantic(cast_image, (caster, CAMERA, X_WC), rounds=5, warmup_rounds=2)
    image, rays_only = times(
        lambda: cast_image(caster, CAMERA, X_WC),
        lambda: raw.run(p_WO, d_W, output=True),
        rounds=40,
    )
    report(benchmark, capsys, "image / raw Embree", image / rays_only)
    assert image / rays_only <= MOST_OF_RAW_EMBREE


@pytest.fixture
def bullet() -> Iterator[Callable[[], object]]:
    """Cast the rays of the camera at the bodies with pybullet, in batches."""
    with silenced():  # it prints its build time
        pybullet = pytest.importorskip("pybullet", reason="pybullet has no wheel here")
    client = pybullet.connect(pybullet.DIRECT)
    for body in bodies(floor=False):
        match body.shape:
            case Box(size):
                half = [edge / 2 for edge in size]
                shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=half)
            case Sphere(radius):
                shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=radius)
        pybullet.createMultiBody(0, shape, basePosition=body.X_WB.translation.tolist())
    ends = REACH * unit_rays(CAMERA).reshape(-1, 3)
    batches = [
        (np.zeros_like(batch).tolist(), batch.tolist())
        for batch in np.array_split(ends, -(-len(ends) // BULLET_BATCH))
    ]
    yield lambda: [pybullet.rayTestBatch(starts, ends_) for starts, ends_ in batches]
    pybullet.disconnect(client)


def test_an_image_is_taken_many_times_as_fast_as_by_pybullet(benchmark, capsys, bullet):
    """The same bodies and rays, whose ends pybullet is given."""
    caster = EmbreeCaster(Scene(bodies(floor=False)))
    benchmark.pedantic(cast_image, (caster, CAMERA, X_WC), rounds=5, warmup_rounds=2)
    image, by_bullet = times(lambda: cast_image(caster, CAMERA, X_WC), bullet, rounds=5)
    report(benchmark, capsys, "pybullet / image", by_bullet / image)
    assert by_bullet / image >= LEAST_OF_PYBULLET


@pytest.fixture
def tiny_renderer() -> Iterator[Callable[[], object]]:
    """Draw the bodies as the camera sees them: what pybullet takes, without what `bullet_image` adds."""
    if not available():
        pytest.skip("pybullet has no wheel here")
    projection = projection_matrix(CAMERA, ClippingRange(near=0.1, far=REACH))
    view = np.diag([1.0, -1.0, -1.0, 1.0])
    with BulletWorld(Scene(bodies(floor=True))) as world:
        yield lambda: world.call(
            "getCameraImage",
            CAMERA.width,
            CAMERA.height,
            view.ravel(order="F").tolist(),
            projection.ravel(order="F").tolist(),
            shadow=0,
            renderer=world.constant("ER_TINY_RENDERER"),
        )


def test_an_image_takes_as_long_as_a_picture_by_tiny_renderer(benchmark, capsys, tiny_renderer):
    """Its spheres are coarse and its pixels have a colour; those of the cast are fine and have a normal."""
    caster = EmbreeCaster(Scene(bodies(floor=True)))
    benchmark.pedantic(cast_image, (caster, CAMERA, X_WC), rounds=5, warmup_rounds=2)
    image, drawn = times(lambda: cast_image(caster, CAMERA, X_WC), tiny_renderer, rounds=10)
    report(benchmark, capsys, "TinyRenderer / image", drawn / image)
    assert drawn / image >= LEAST_OF_TINY_RENDERER
