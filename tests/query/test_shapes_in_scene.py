import re
from dataclasses import FrozenInstanceError

import pytest

from course.query import QueryScene, QueryShape, raycast
from course.world import Scene


def test_settings_stand_beside_a_body_that_stays_as_it_is(row):
    changed = row.with_settings("r0", QueryShape(takes_part=False))
    assert changed.scene is row.scene
    assert changed.candidate("r0").body is row.candidate("r0").body
    assert not changed.candidate("r0").settings.takes_part
    assert row.candidate("r0").settings == QueryShape()


def test_a_body_keeps_its_name_when_another_goes_though_its_place_changes(row):
    fewer = row.without("r7")
    assert "r7" not in [candidate.name for candidate in fewer.candidates]
    assert fewer.scene.index_of("r3") == row.scene.index_of("r3") - 1
    assert fewer.candidate("r3").body is row.candidate("r3").body


def test_settings_go_with_their_body(row):
    hidden = row.with_settings("r7", QueryShape(dynamic=True))
    assert "r7" not in hidden.without("r7").settings
    assert "r7" in hidden.without("r3").settings


def test_each_body_that_takes_part_is_in_one_tree(make_random_scene, rng):
    scene = make_random_scene(rng)
    static = set(scene.static_tree.boxes)
    dynamic = set(scene.dynamic_tree.boxes)
    assert static
    assert dynamic
    assert not static & dynamic
    for place, candidate in enumerate(scene.candidates):
        assert (place in static | dynamic) == candidate.settings.takes_part
        assert (place in dynamic) <= candidate.settings.dynamic


def test_an_empty_scene_has_nothing_to_meet():
    assert not raycast(QueryScene(Scene()), (0, 0, 0), (1, 0, 0), 1).found


def test_a_scene_cannot_be_changed(row):
    with pytest.raises(FrozenInstanceError):
        row.settings = {}
    with pytest.raises(TypeError):
        row.settings["r0"] = QueryShape()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"r10": QueryShape()}, ValueError, "no body is named 'r10'; there are: r7, r3, "),
        ({"r0": True}, TypeError, "settings of 'r0': expected a QueryShape, got True"),
    ],
)
def test_settings_of_no_body_are_refused(row, settings, error, message):
    with pytest.raises(error, match=re.escape(message)):
        QueryScene(row.scene, settings)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"dynamic": 1}, TypeError, "QueryShape.dynamic: expected True or False, got 1"),
        ({"words": (1 << 32, 0, 0, 0)}, ValueError, "QueryShape.words: word 0: expected at most"),
        ({"simulation_words": 1}, TypeError, "QueryShape.simulation_words: expected four words"),
    ],
)
def test_broken_settings_are_refused(settings, error, message):
    with pytest.raises(error, match=re.escape(message)):
        QueryShape(**settings)


def test_only_a_scene_is_a_scene():
    with pytest.raises(TypeError, match=r"QueryScene\.scene: expected a Scene, got None"):
        QueryScene(None)
