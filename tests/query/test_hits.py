import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from course.query import FieldNotValidError, HitFlag, raycast

EVERY_FIELD = HitFlag.POSITION | HitFlag.NORMAL | HitFlag.UV | HitFlag.FACE_INDEX


def test_a_field_that_nobody_asked_for_says_which_flag_it_needs(kinds):
    hit = raycast(kinds, (-3, 0, 0), (1, 0, 0), 9, hit_flags=HitFlag.NORMAL).block
    np.testing.assert_array_equal(hit.n_W, (-1, 0, 0))
    message = (
        "hit on 'B': p_WH is not valid: nobody asked for it; "
        "ask with hit_flags=... | HitFlag.POSITION"
    )
    with pytest.raises(FieldNotValidError, match=re.escape(message)):
        hit.p_WH  # noqa: B018


@pytest.mark.parametrize(("field", "what"), [("uv", "uv"), ("face", "face index")])
@pytest.mark.parametrize(("x", "name"), [(-3, "Box"), (7, "Sphere"), (27, "Capsule")])
def test_a_solid_has_no_faces_however_one_asks(kinds, x, name, field, what):
    hit = raycast(kinds, (x, 0, 0), (1, 0, 0), 9, hit_flags=EVERY_FIELD).block
    assert hit.valid == HitFlag.POSITION | HitFlag.NORMAL
    with pytest.raises(FieldNotValidError, match=f"a {name} has no {what}; only a mesh has"):
        getattr(hit, field)


def test_the_uv_of_a_mesh_leads_back_to_the_position(kinds, mesh_cube):
    hit = raycast(kinds, (17, 0.1, 0.2), (1, 0, 0), 9, hit_flags=EVERY_FIELD).block
    assert hit.valid == EVERY_FIELD
    (p_BH,) = mesh_cube.points([hit.face], [hit.uv])
    np.testing.assert_allclose(p_BH, hit.p_WH - np.array((20, 0, 0)), atol=1e-15)


def test_a_distance_is_always_valid(kinds):
    assert raycast(kinds, (-3, 0, 0), (1, 0, 0), 9, hit_flags=HitFlag(0)).block.distance == 2.5


def test_a_hit_is_a_copy_that_nothing_changes(row):
    hit = raycast(row, (-3, 0, 0), (1, 0, 0), 9).block
    row.without("r0")
    assert (hit.name, hit.distance) == ("r0", 2.5)
    with pytest.raises(FrozenInstanceError):
        hit.distance = 0.0
    with pytest.raises(ValueError, match="read-only"):
        hit.p_WH[0] = 0
    with pytest.raises(TypeError):
        hit.fields[HitFlag.UV] = (0, 0)
