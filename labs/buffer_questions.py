"""The prediction and the quiz of chapter 04, hit buffers, in the order of the chapter."""

from course.teaching.question import Choice, Guess, Prediction, Question

FOUR_OF_TEN = Prediction(
    name="four-of-ten-from-the-far-end",
    prompt="The same ten boxes, now seen from the other end of the row. The nearest one is met at 2.5 m, the others "
    "at 4.5 m, 6.5 m, … 20.5 m, and the buffer has room for four touches. "
    "What is the smallest distance in it?",
    unit="m",
    tolerance=0.01,
    choices=(
        Guess(
            value=2.5,
            feedback="That is the nearest of all. A buffer that kept the nearest four would hold it; this one keeps "
            "the first four that arrive.",
        ),
        Guess(
            value=4.5,
            feedback="From the left the box at 4.5 m came first. It still does, but from this end it is far away.",
        ),
        Guess(
            value=8.5,
            feedback="That is the farthest of the nearest four. The four that are kept are others.",
        ),
        Guess(
            value=12.5,
            feedback="The tree is walked in the same order, whichever way the ray looks. So the first four are "
            "those of the left end, which are far away from here.",
        ),
    ),
)

PREDICTIONS = (FOUR_OF_TEN,)

SIXTEEN_OF_SIXTEEN = Question(
    name="sixteen-of-sixteen",
    prompt="A buffer with room for 16 touches comes back with 16. How many shapes does the ray touch?",
    choices=(
        Choice(
            text="exactly 16",
            feedback="That would be so if it was filled exactly. One that ran over has the same count.",
        ),
        Choice(
            text="more than 16",
            feedback="That would be so if it ran over. One that was filled exactly has the same count.",
        ),
        Choice(
            text="at least 16",
            feedback="Full says no more than that. Only a buffer with an empty place is known to be complete.",
            right=True,
        ),
    ),
)

STILL_FULL = Question(
    name="still-full",
    prompt="You give the buffer room for 32, and it comes back with 32. What now?",
    choices=(
        Choice(
            text="ask again, in chunks or with more room, until one comes back that is not full",
            feedback="An empty place proves that nothing was lost. Chunks need no guess at all.",
            right=True,
        ),
        Choice(
            text="sort them: the nearest 32 are there",
            feedback="Sorting puts into order what was kept. The nearest may not be among it.",
        ),
        Choice(
            text="use them: twice the room is room enough",
            feedback="Was it not full again? A larger buffer is a larger guess.",
        ),
    ),
)

WHERE_ANY_BELONGS = Question(
    name="where-any-belongs",
    prompt="Which of these questions may be asked with the any-hit flag?",
    choices=(
        Choice(
            text="how far away is the wall that the laser beam meets?",
            feedback="Any stops at the first hit that it finds, and its distance may be that of another thing.",
        ),
        Choice(
            text="is the way of the gripper free?",
            feedback="A yes or no: any hit within the way is enough for it.",
            right=True,
        ),
        Choice(
            text="which object is under the mouse pointer?",
            feedback="The nearest one is, and any hit need not be the nearest.",
        ),
    ),
)

QUIZ = (SIXTEEN_OF_SIXTEEN, STILL_FULL, WHERE_ANY_BELONGS)

TRUE_WITHOUT_TOUCHES = Question(
    name="true-without-touches",
    prompt="“The query returned true, but the number of touches is 0. Is that a bug?” What is the cause?",
    choices=(
        Choice(
            text="the buffer ran over and was emptied",
            feedback="A buffer that ran over is full: it loses what comes next, and keeps what it has.",
        ),
        Choice(
            text="the one hit is a block, which is kept apart from the touches",
            feedback="True says that something was met. All hits are the touches, and the block if there is one.",
            right=True,
        ),
        Choice(
            text="the filter removed the touches after they were counted",
            feedback="A filter decides before anything is kept, and what it removes makes no query true.",
        ),
    ),
)

DISTANCE_THAT_JUMPS = Question(
    name="distance-that-jumps",
    prompt="“Nothing moves, only my range sensor turns a little. Its reading jumps between a box at 2 m and a shelf "
    "behind it at 6 m, though the box is always in the way.” What is the cause?",
    choices=(
        Choice(
            text="the query runs with the any-hit flag",
            feedback="It reports whichever it finds first, as a block. A distance needs the closest hit.",
            right=True,
        ),
        Choice(
            text="the buffer for touches is too small",
            feedback="That loses touches, too. But a query for the closest block needs no buffer at all, and this "
            "sensor reads one distance a ray.",
        ),
        Choice(
            text="the box is hit from inside",
            feedback="Then it would read 0 m, in PhysX. It reads the shelf.",
        ),
    ),
)

MASKED_AND_STILL_HIT = Question(
    name="masked-and-still-hit",
    prompt="“I took the gripper out of my sensor's mask while the program ran. The query goes on reporting the "
    "gripper; in a new process it does not.” What is the cause?",
    choices=(
        Choice(
            text="the mask is compared after the exact intersection",
            feedback="It is compared before, and either way it would remove the gripper.",
        ),
        Choice(
            text="the tree was not built anew",
            feedback="A tree knows of boxes, not of masks.",
        ),
        Choice(
            text="the query cache still holds the gripper",
            feedback="What is cached is tried first, without any filter, and counts as a block. A change of the "
            "mask must empty the cache.",
            right=True,
        ),
    ),
)

DIAGNOSIS = (TRUE_WITHOUT_TOUCHES, DISTANCE_THAT_JUMPS, MASKED_AND_STILL_HIT)
"""Symptoms whose cause is to be found, to be asked by name beside the text."""
