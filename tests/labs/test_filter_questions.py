"""The prediction is settled by a query, and the quiz says what the query and the engine do."""

import pytest

from course.query import QueryShape, raycast, words_allow
from course.world import Body, Box, Scene, pose
from course.world.bullet import BulletWorld, available
from labs.filter_layers import LAB
from labs.filter_layers_model import model, scene
from labs.filter_questions import OTHER_WORD, PREDICTIONS, QUIZ, WITHOUT_THE_HAND


def test_the_lab_settles_the_prediction():
    data = model(**LAB.defaults | {"words": "0000 (compare nothing)", "pre": "leaves out the hand"})
    chosen = WITHOUT_THE_HAND.choices[WITHOUT_THE_HAND.settled_by(data.range_m)]
    assert chosen.value == 0.3


def test_the_other_choices_of_the_prediction_are_what_stands_behind_and_before():
    met = {
        raycast(scene(), (0, 0, 0), (1, 0, 0), 4).block.distance,
        model(**LAB.defaults | {"words": "0000 (compare nothing)"}).range_m,
        model(**LAB.defaults).range_m,
    }
    wrong = [choice.value for choice in WITHOUT_THE_HAND.choices if choice.value != 0.3]
    assert sorted(met) == pytest.approx(wrong, abs=1e-12)


def test_only_the_right_choice_of_words_sees_the_shape():
    for choice in OTHER_WORD.choices[:3]:
        words = tuple(int(word) for word in choice.text.strip("()").split(","))
        assert words_allow(words, (4, 0, 0, 0)) is choice.right


def test_a_trigger_and_what_collides_with_nothing_are_hit():
    for settings in (QueryShape(trigger=True), QueryShape(simulation_words=(0, 0, 0, 0))):
        asked = scene().with_settings("hand", settings)
        assert raycast(asked, (0, 0, 0), (1, 0, 0), 4).block.name == "hand"


@pytest.mark.skipif(not available(), reason="pybullet has no wheel here")
def test_group_2_with_mask_2_hides_from_bullets_rays_and_mask_1_and_3_do_not():
    box = Body(name="box", shape=Box((1, 1, 1)), X_WB=pose())
    with BulletWorld(Scene([box])) as world:
        met = []
        for mask in (2, 3, 1):
            world.call("setCollisionFilterGroupMask", world.uid_of("box"), -1, 2, mask)
            met.append(world.call("rayTest", [-3, 0, 0], [3, 0, 0])[0][0] >= 0)
    assert met == [False, True, True]


def test_no_quiz_question_gives_its_answer_away_by_its_place():
    places = [[choice.right for choice in question.choices].index(True) for question in QUIZ]
    assert len(set(places)) > 2
    names = [question.name for question in (*PREDICTIONS, *QUIZ)]
    assert len(set(names)) == len(names)
