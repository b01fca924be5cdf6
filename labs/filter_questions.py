"""What chapter 03 lets one predict, and its quiz."""

from course.teaching.question import Choice, Guess, Prediction, Question

WITHOUT_THE_HAND = Prediction(
    name="without-the-hand",
    prompt="The stage is on now, and the pre-filter leaves out the hand, in which the sensor sits. "
    "Before it are a finger of the same hand at 0.3 m, a zone that only triggers something at 0.7 m, "
    "a pane of glass at 1.25 m and a crate at 2.4 m. What does the ray report?",
    unit="m",
    tolerance=1e-3,
    choices=(
        Guess(
            value=0.0,
            feedback="The hand is left out now: the callback runs, as its stage is on.",
        ),
        Guess(
            value=0.3,
            feedback="The finger is another shape than the hand, and nobody left it out. "
            "A robot is all of its shapes.",
        ),
        Guess(
            value=0.7,
            feedback="The zone would be next, trigger or not: but the finger comes before it.",
        ),
        Guess(
            value=2.4,
            feedback="That is the first thing that a robot could bump into. The query was not told so.",
        ),
    ),
)

PREDICTIONS = (WITHOUT_THE_HAND,)

NEVER_CALLED = Question(
    name="never-called",
    prompt="“My pre-filter is given, its stage is on, the ray goes right through the crate and then into the wall. The "
    "callback is called for the wall, and never for the crate.” What do you ask first?",
    choices=(
        Choice(
            text="whether the callback returns the right type",
            feedback="It would have to be called first. For the crate it is not.",
        ),
        Choice(
            text="what the crate collides with",
            feedback="The words for collisions are another set. No query reads them.",
        ),
        Choice(
            text="whether the crate takes part, is of a kind that is looked at, and shares a bit with the query",
            feedback="These layers come before the callback. As the wall comes to it, the stage is on and the callback "
            "is given; what is left differs from shape to shape.",
            right=True,
        ),
        Choice(
            text="whether the crate is a trigger",
            feedback="A trigger that takes part is a shape like any other to a ray.",
        ),
    ),
)

NO_COLLISION = Question(
    name="no-collision",
    prompt="In PhysX you clear the simulation words of the floor: boxes now fall through it. And a ray from above?",
    choices=(
        Choice(
            text="it still hits the floor",
            feedback="Simulation words say what collides, query words what rays see.",
            right=True,
        ),
        Choice(
            text="it goes through the floor as well",
            feedback="That would be so if both read the same words. In Bullet they do; in PhysX they are two sets.",
        ),
        Choice(
            text="it hits the floor only if a callback says so",
            feedback="Without a callback what takes part is hit.",
        ),
    ),
)

OTHER_WORD = Question(
    name="other-word",
    prompt="A shape has the query words (4, 0, 0, 0). Which query sees it?",
    choices=(
        Choice(
            text="(0, 4, 0, 0)",
            feedback="Word is compared with word, at the same place.",
        ),
        Choice(
            text="(3, 0, 0, 0)",
            feedback="3 has the bits 1 and 2. 3 & 4 is 0.",
        ),
        Choice(
            text="(5, 0, 0, 0)",
            feedback="5 & 4 is 4, and one common bit in one word is enough.",
            right=True,
        ),
        Choice(
            text="none of these; only (0, 0, 0, 0) sees it",
            feedback="That one sees it too, as it compares nothing. But it is not the only one.",
        ),
    ),
)

BY_DISTANCE = Question(
    name="by-distance",
    prompt="A sensor cannot see what is nearer than 0.2 m, and shall report what is behind it. Where do you say that?",
    choices=(
        Choice(
            text="in the words",
            feedback="Words know the shape. They do not know where the ray meets it.",
        ),
        Choice(
            text="in the pre-filter",
            feedback="It runs before the exact intersection: there is no distance yet.",
        ),
        Choice(
            text="after the query: drop the reading if it is below 0.2 m",
            feedback="Then what stands behind the dropped shape is lost too: the query stopped at the closest.",
        ),
        Choice(
            text="in the post-filter",
            feedback="It has the hit in hand, and the query goes on behind what it drops.",
            right=True,
        ),
    ),
)

GONE_IN_BULLET = Question(
    name="gone-in-bullet",
    prompt="In Bullet you put one body into group 2 with mask 2, so that it collides with its own kind only. "
    "Since then no ray with the default mask −1 meets it. Why?",
    choices=(
        Choice(
            text="the ray's mask lacks the bit 2",
            feedback="−1 has all bits.",
        ),
        Choice(
            text="the body's mask lacks the bit of the ray's group, which is 1",
            feedback="Bullet asks both sides. Mask 3 brings the body back.",
            right=True,
        ),
        Choice(
            text="a ray never meets a body of a group above 1",
            feedback="Group 2 with mask 1 is met.",
        ),
    ),
)

QUIZ = (NEVER_CALLED, NO_COLLISION, OTHER_WORD, BY_DISTANCE, GONE_IN_BULLET)
