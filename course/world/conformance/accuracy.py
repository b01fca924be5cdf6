"""Cases of how far answers are off: at curved surfaces, and in random scenes."""

import numpy as np

from course.world.agreement import assert_hits, clear_rays
from course.world.analytic import AnalyticCaster
from course.world.conformance.tools import MakeCaster, cast, supports
from course.world.poses import IDENTITY
from course.world.random_scenes import random_rays, random_scene
from course.world.scene import Body, Scene
from course.world.shapes import Capsule, Cylinder, Shape, Sphere

CURVED: tuple[tuple[Shape, float, float], ...] = (
    # Shape of radius 1; z of its centre, or of the centre of its cap; flattening of the directions
    (Sphere(1), 0.0, 1.0),
    (Capsule(1, 1), 0.5, 1.0),
    (Cylinder(1, 1), 0.25, 0.0),
)


def sag_is_real(make_caster: MakeCaster) -> None:
    """Of rays straight down to curved surfaces, some err as much as declared, and none more."""
    worst = {}
    for shape, z, flatten in CURVED:
        if supports(make_caster, type(shape)):
            caster = make_caster(Scene([Body(name="curved", shape=shape, X_WB=IDENTITY)]))
            outward = np.random.default_rng(1).normal(size=(4000, 3)) * (1, 1, flatten)
            outward[:, 2] = np.abs(outward[:, 2])
            outward /= np.linalg.norm(outward, axis=1, keepdims=True)
            hits = cast(caster, 3 * outward + (0, 0, z), -outward)
            worst[shape] = np.abs(hits.distance - 2.0).max()
    declared = make_caster(Scene()).capabilities
    sag, rounding = declared.sag, declared.distance_tolerance * 6
    for shape, error in worst.items():
        assert error <= sag + rounding, f"{shape} is off by {error:.3g} m, declared is {sag:.3g} m"
    largest = max(worst.values(), default=sag)
    assert largest >= sag / 2 - rounding, (
        f"curves of radius 1 m are off by {largest:.3g} m at worst, declared is {sag:.3g} m"
    )


def random_scenes(make_caster: MakeCaster) -> None:
    """Against the analytic caster, wherever a slightly larger or smaller scene answers alike."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        caster = make_caster(random_scene(rng, make_caster(Scene()).capabilities.shapes))
        rays = random_rays(rng, 600)
        truth = AnalyticCaster(caster.scene).cast_first(rays)
        clear = clear_rays(caster, rays)
        assert clear.mean() > 0.7, f"seed {seed}: only {clear.mean():.0%} of the rays are clear"
        assert_hits(
            caster,
            caster.cast_first(rays),
            distance=truth.distance,
            n_W=truth.n_W,
            body=truth.body,
            where=clear,
            title=f"seed {seed}",
        )
