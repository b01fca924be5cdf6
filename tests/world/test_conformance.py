"""Every caster keeps what it declares, and no declaration can be changed without a case that fails."""

from dataclasses import replace

import numpy as np
import pytest

from course.world.analytic import AnalyticCaster
from course.world.capabilities import InsideStart
from course.world.conformance import assert_caster_conforms
from course.world.embree import EmbreeCaster
from course.world.rays import RayHits
from course.world.scene import NO_BODY
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere

CASTERS = [AnalyticCaster, EmbreeCaster]


@pytest.mark.parametrize("make_caster", CASTERS)
def test_casters_conform(make_caster):
    assert_caster_conforms(make_caster)


class Disguised:
    """A caster with other declarations, or with other answers, than its own."""

    def __init__(self, caster, *, declare=None, answer=None):
        self.scene = caster.scene
        self.capabilities = replace(caster.capabilities, **(declare or {}))
        self._cast, self._answer = caster.cast_first, answer

    def cast_first(self, rays):
        hits = self._cast(rays)
        return self._answer(hits) if self._answer else hits


SHAPES = {Plane, Box, Sphere, Capsule, Cylinder}

OTHER_DECLARATIONS = [
    *[(AnalyticCaster, {"inside_start": x}) for x in InsideStart if x is not InsideStart.ZERO],
    *[(EmbreeCaster, {"inside_start": x}) for x in InsideStart if x is not InsideStart.EXIT],
    *[(c, {"below_plane": x}) for c in CASTERS for x in InsideStart if x is not InsideStart.MISS],
    *[(c, {"end_inclusive": False}) for c in CASTERS],
    *[(c, {"shapes": frozenset(SHAPES - {x})}) for c in CASTERS for x in SHAPES],
    (AnalyticCaster, {"precision": "float32"}),
    (EmbreeCaster, {"precision": "float64"}),
    (EmbreeCaster, {"distance_tolerance": 1e-9}),
    (AnalyticCaster, {"distance_tolerance": 0.0}),
    (AnalyticCaster, {"sag": 1e-3}),
    (EmbreeCaster, {"sag": 0.0}),
    (EmbreeCaster, {"sag": 5e-4}),
    (EmbreeCaster, {"sag": 5e-3}),
]


@pytest.mark.parametrize(("make_caster", "declare"), OTHER_DECLARATIONS)
def test_each_declaration_is_needed(make_caster, declare):
    with pytest.raises(AssertionError, match="caster, case '"):
        assert_caster_conforms(lambda scene: Disguised(make_caster(scene), declare=declare))


def altered(**fields):
    """Answers in which some fields are changed by a function of the hits."""

    def answer(hits):
        values = {name: getattr(hits, name) for name in ("rays", "distance", "n_W", "body")}
        return RayHits(**values | {name: change(hits) for name, change in fields.items()})

    return answer


WRONG_ANSWERS = {
    "distance too long": altered(distance=lambda h: h.distance * (1 + 1e-4)),
    "a miss reads 0 m": altered(distance=lambda h: np.where(h.hit, h.distance, 0)),
    "a miss has a normal": altered(n_W=lambda h: np.nan_to_num(h.n_W)),
    "inward normals": altered(n_W=lambda h: -h.n_W),
    "normals not unit": altered(n_W=lambda h: 2 * h.n_W),
    "normals against the ray": altered(n_W=lambda h: -h.rays.d_W),
    "body 0 everywhere": altered(body=lambda h: np.where(h.hit, 0, NO_BODY).astype(np.int32)),
    "bodies in int64": altered(body=lambda h: h.body.astype(np.int64)),
    "rows in reverse": altered(
        body=lambda h: h.body[::-1].copy(),
        distance=lambda h: h.distance[::-1].copy(),
        n_W=lambda h: h.n_W[::-1].copy(),
    ),
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
@pytest.mark.parametrize("make_caster", CASTERS)
def test_wrong_answers_are_caught(make_caster, answer):
    with pytest.raises(AssertionError, match="caster, case '"):
        assert_caster_conforms(lambda scene: Disguised(make_caster(scene), answer=answer))


def test_a_failure_names_caster_case_ray_and_values():
    late = WRONG_ANSWERS["distance too long"]
    message = (
        "analytic caster, case 'known hits': plane, straight down: distance of ray 0: "
        r"expected 3\.0, got 3\.000[0-9]+ \(1 of 1 rays differ\)"
    )
    with pytest.raises(AssertionError, match=message):
        assert_caster_conforms(lambda scene: Disguised(AnalyticCaster(scene), answer=late))
