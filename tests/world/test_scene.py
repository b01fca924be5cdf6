import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from course.world.poses import IDENTITY
from course.world.scene import Body, Scene
from course.world.shapes import Plane, Sphere


def body(name="ball", **changes):
    return Body(**{"name": name, "shape": Sphere(1), "X_WB": IDENTITY} | changes)


def test_a_body_is_found_by_its_name():
    scene = Scene([body("floor", shape=Plane()), body("ball")])
    assert scene.index_of("ball") == 1
    assert isinstance(scene.bodies, tuple)
    with pytest.raises(ValueError, match="no body is named 'bal'; there are: floor, ball"):
        scene.index_of("bal")


def test_a_pose_may_be_given_as_a_matrix():
    np.testing.assert_array_equal(body(X_WB=np.eye(4)).X_WB.as_matrix(), np.eye(4))


def test_names_are_ids():
    with pytest.raises(ValueError, match="two bodies are named 'ball'; names are ids"):
        Scene([body("ball"), body("ball")])


def test_a_scene_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Scene().bodies = (body(),)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"name": ""}, TypeError, "Body.name: expected a text that is not empty, got ''"),
        ({"name": 3}, TypeError, "Body.name: expected a text that is not empty, got 3"),
        ({"shape": "box"}, TypeError, "body 'ball': expected a shape (Plane(), Box(...), "),
        ({"shape": Sphere}, TypeError, "body 'ball': expected a shape (Plane(), Box(...), "),
        ({"label": -1}, ValueError, "body 'ball': label: expected at least 0, got -1"),
        ({"label": 1.0}, TypeError, "body 'ball': label: expected a whole number, got 1.0"),
        ({"X_WB": 2 * np.eye(4)}, ValueError, "body 'ball': X_WB: expected the last row"),
    ],
)
def test_a_broken_body_is_refused(changes, error, message):
    with pytest.raises(error, match=re.escape(message)):
        body(**changes)


def test_a_scene_holds_bodies_only():
    with pytest.raises(TypeError, match="Scene: expected bodies, got 'ball'"):
        Scene(["ball"])
