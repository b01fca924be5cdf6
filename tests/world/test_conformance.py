"""Every caster keeps what it declares, and no declaration can be changed without a case that fails."""

from dataclasses import replace

import numpy as np
import pytest

from course.world.analytic import AnalyticCaster
from course.world.capabilities import InsideStart
from course.world.casters import AllHitsCaster
from course.world.conformance import assert_caster_conforms
from course.world.embree import EmbreeCaster
from course.world.rays import RayHits
from course.world.scene import NO_BODY
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh

CASTERS = [AnalyticCaster, EmbreeCaster]


@pytest.mark.parametrize("make_caster", CASTERS)
def test_casters_conform(make_caster):
    assert_caster_conforms(make_caster)


class Disguised:
    """A caster with other declarations, or with other answers, than its own."""

    def __init__(self, caster, *, declare=None, answer=None, answer_all=None):
        self.scene = caster.scene
        self.capabilities = replace(caster.capabilities, **(declare or {}))
        self._cast, self._answer = caster.cast_first, answer
        if isinstance(caster, AllHitsCaster):
            self.cast_all = answer_all(caster) if answer_all else caster.cast_all

    def cast_first(self, rays):
        hits = self._cast(rays)
        return self._answer(hits) if self._answer else hits


SHAPES = {Plane, Box, Sphere, Capsule, Cylinder, TriangleMesh}

OTHER_DECLARATIONS = [
    *[(AnalyticCaster, {"inside_start": x}) for x in InsideStart if x is not InsideStart.ZERO],
    *[(EmbreeCaster, {"inside_start": x}) for x in InsideStart if x is not InsideStart.EXIT],
    *[(c, {"below_plane": x}) for c in CASTERS for x in InsideStart if x is not InsideStart.MISS],
    *[(c, {"end_inclusive": False}) for c in CASTERS],
    *[(c, {"shapes": frozenset(SHAPES - {x})}) for c in CASTERS for x in SHAPES],
    (AnalyticCaster, {"mesh_back_faces": True}),
    (EmbreeCaster, {"mesh_back_faces": False}),
    *[(c, {"face_and_uv": False}) for c in CASTERS],
    (AnalyticCaster, {"all_hits": False}),
    (EmbreeCaster, {"all_hits": True}),
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
        names = ("rays", "distance", "n_W", "body", "face", "uv")
        values = {name: getattr(hits, name) for name in names}
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
    "faces in int64": altered(face=lambda h: h.face.astype(np.int64)),
    "the next face": altered(face=lambda h: np.where(h.face >= 0, h.face ^ 1, -1).astype(np.int32)),
    "u and v exchanged": altered(uv=lambda h: h.uv[:, ::-1].copy()),
    "u and v for any shape": altered(uv=lambda h: np.nan_to_num(h.uv)),
    "face 0 for any shape": altered(face=lambda h: np.maximum(h.face, 0)),
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


def all_but(rows):
    """All hits without some of them; `rows(hits)` says which stay, in which order."""

    def make(caster):
        def cast_all(rays, *, every_face=False):
            hits = caster.cast_all(rays, every_face=every_face)
            kept = rows(hits)
            fields = {n: getattr(hits, n)[kept] for n in ("distance", "n_W", "body", "face", "uv")}
            offsets = np.searchsorted(hits.ray[kept], np.arange(len(rays) + 1))
            return replace(hits, offsets=offsets, **fields)

        return cast_all

    return make


def on_rows(hits):
    return np.arange(len(hits))


WRONG_ALL_HITS = {
    "the last one is lost": all_but(lambda h: on_rows(h)[:-1]),
    "only the first of each ray": all_but(lambda h: on_rows(h)[np.diff(h.ray, prepend=-1) > 0]),
    "far ones first": all_but(lambda h: np.lexsort((-h.distance, h.ray))),
    "bodies in order of the scene": all_but(lambda h: np.lexsort((h.body, h.ray))),
    "ties in reverse": all_but(lambda h: np.lexsort((-h.body, h.distance, h.ray))),
    "every face always": lambda caster: (
        lambda rays, every_face=False: caster.cast_all(rays, every_face=True)
    ),
    "every face never": lambda caster: lambda rays, every_face=False: caster.cast_all(rays),
    "beyond the end": lambda caster: (
        lambda rays, every_face=False: caster.cast_all(
            replace(rays, max_distance=np.inf), every_face=every_face
        )
    ),
}


@pytest.mark.parametrize("answer", WRONG_ALL_HITS.values(), ids=WRONG_ALL_HITS)
def test_wrong_answers_of_all_hits_are_caught(answer):
    with pytest.raises(AssertionError, match=r"caster, case '.*all hits'"):
        assert_caster_conforms(lambda scene: Disguised(AnalyticCaster(scene), answer_all=answer))


def test_a_failure_names_caster_case_ray_and_values():
    late = WRONG_ANSWERS["distance too long"]
    message = (
        "analytic caster, case 'known hits': plane, straight down: distance of ray 0: "
        r"expected 3\.0, got 3\.000[0-9]+ \(1 of 1 rays differ\)"
    )
    with pytest.raises(AssertionError, match=message):
        assert_caster_conforms(lambda scene: Disguised(AnalyticCaster(scene), answer=late))
