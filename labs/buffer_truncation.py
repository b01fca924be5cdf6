"""Lab: buffer truncation, or what a full hit buffer holds.

Boxes stand in one row, and a ray meets them all. The query has room for so many touches; they arrive in the order of
the scene's tree, and what comes when the buffer is full is lost. Read which were kept, whether the nearest is among
them, what the count says, and what a record of completeness 完整性 says that no engine keeps.

Scene and model, which a chapter may use without any picture, are in `labs.buffer_truncation_model`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.teaching.lab import Lab, Parameter, Readout
from labs.buffer_exercises import EXERCISES
from labs.buffer_questions import DIAGNOSIS, PREDICTIONS, QUIZ
from labs.buffer_truncation_model import (
    BLOCKS,
    FIRST_M,
    LEFT,
    MOST,
    NO_BLOCK,
    RIGHT,
    SIZE_M,
    Truncation,
    centre,
    model,
)

# --- picture and readout ------------------------------------------------------------------------------------

Look = tuple[Mapping[str, Any], str, str, str]
"""Of a box: how it is drawn, what is written in it, in which colour, and what that means."""

KEPT_COLOUR, LOST_COLOUR = "#1f5fa8", "#b3541e"
KEPT = {"facecolor": "#d5e3f3", "edgecolor": KEPT_COLOUR, "linestyle": "-", "linewidth": 1.4}
LOST = {"facecolor": "white", "edgecolor": LOST_COLOUR, "linestyle": "--", "linewidth": 1.4}
BLOCK = {"facecolor": "0.2", "edgecolor": "black", "linestyle": "-", "linewidth": 1.4}
BEHIND = {"facecolor": "white", "edgecolor": "0.55", "linestyle": ":", "linewidth": 1.4}
LOOKS: tuple[Look, Look, Look, Look] = (
    (KEPT, "1", "black", "kept, its place in the buffer"),
    (LOST, "×", LOST_COLOUR, "lost: no room"),
    (BLOCK, "B", "white", "the block, kept apart"),
    (BEHIND, "", "black", "behind the block"),
)
END_M = centre(MOST - 1) + SIZE_M / 2 + FIRST_M  # where the longest row is looked at from its right
TOP_M = 31  # of the lower panel


class RowAndBuffer:
    """The row from the side; below it the buffer, place by place.

    One panel above the other, and large letters, as a telephone shows the figure at half its size.
    """

    def __init__(self) -> None:
        self.figure = Figure(figsize=(5.2, 5.0), dpi=110, facecolor="white")
        # Fixed places: a layout engine would measure all texts anew at every move of a slider.
        self._draw_row(self.figure.add_axes((0.03, 0.735, 0.94, 0.12)))
        self._draw_buffer(self.figure.add_axes((0.115, 0.225, 0.855, 0.37)))
        _draw_key(self.figure)
        self._count = self.figure.text(0.03, 0.075, "", fontsize=9, va="center_baseline")
        self._record = self.figure.text(0.03, 0.03, "", fontsize=9, va="center_baseline")

    def _draw_row(self, side: Axes) -> None:
        side.set(xlim=(-0.7, END_M + 0.7), ylim=(-0.7, 0.7), yticks=())
        side.set_xticks(range(0, 29, 4))
        side.set_xlabel("x of W (m)")
        (self._line,) = side.plot([], [], "-", color="black", linewidth=1)
        (self._eye,) = side.plot([], [], color="black", markersize=9)
        self._boxes = [
            side.add_patch(Rectangle((0, -0.5), SIZE_M, 1, zorder=2)) for _ in range(MOST)
        ]
        self._letters = [
            side.text(0, 0, "", fontsize=8, ha="center", va="center_baseline") for _ in range(MOST)
        ]

    def _draw_buffer(self, buffer: Axes) -> None:
        buffer.set(xlim=(0.4, MOST + 0.6), ylim=(0, TOP_M), xticks=range(1, MOST + 1))
        buffer.set(xlabel="place in the buffer, in order of arrival", ylabel="distance (m)")
        self._room = Rectangle((0.5, 0), 0, TOP_M, facecolor="0.93", zorder=0)
        buffer.add_patch(self._room)
        (self._end,) = buffer.plot([], [], "-.", color="0.25", linewidth=1.2)
        (self._nearest,) = buffer.plot([], [], "--", color=LOST_COLOUR, linewidth=1.2)
        (self._stems,) = buffer.plot([], [], "-", color=KEPT_COLOUR, linewidth=2)
        (self._points,) = buffer.plot([], [], "o", color=KEPT_COLOUR, markersize=6)
        self._numbers = [
            buffer.text(place, 0, "", fontsize=8, ha="center") for place in range(1, MOST + 1)
        ]
        self._room_word = buffer.text(0, TOP_M - 2.6, "", fontsize=9)
        buffer.set_title(
            "dashed: the nearest box of all", fontsize=9, loc="left", color=LOST_COLOUR
        )

    def show(self, data: Truncation) -> None:
        """Move everything to what the model says."""
        start, heading = data.p_WO[0], data.d_W[0]
        self._line.set_data([start, start + heading * (data.distance_m[-1] + 2)], [0, 0])
        self._eye.set_data([start], [0])
        self._eye.set_marker(">" if heading > 0 else "<")
        middles = start + heading * (data.distance_m + SIZE_M / 2)
        for index, (box, letter) in enumerate(zip(self._boxes, self._letters, strict=True)):
            there = index < len(middles)
            box.set_visible(there)
            letter.set_visible(there)
            if not there:
                continue
            look, word, colour, _label = _look(data, index)
            box.set(x=middles[index] - SIZE_M / 2, **look)
            place = data.place[index]
            letter.set(position=(middles[index], 0), text=str(place) if place else word)
            letter.set_color(colour)
        self._show_buffer(data)
        self._count.set_text(count_text(data))
        self._record.set_text(record_text(data))

    def _show_buffer(self, data: Truncation) -> None:
        touches = [hit.distance for hit in data.result.touches]
        places = list(range(1, len(touches) + 1))
        self._room.set_width(data.capacity)
        self._end.set_data([data.capacity + 0.5] * 2, [0, TOP_M])
        self._nearest.set_data([0.4, MOST + 0.6], [data.distance_m[0]] * 2)
        self._points.set_data(places, touches)
        broken = np.full(len(touches), np.nan)
        self._stems.set_data(
            np.repeat(places, 3),
            np.stack([np.zeros(len(touches)), touches, broken], axis=1).ravel(),
        )
        for place, number in enumerate(self._numbers):
            held = place < len(touches)
            number.set_visible(held)
            if held:
                number.set(y=touches[place] + 1.3, text=f"{touches[place]:g}")
        left = data.capacity > MOST / 2
        self._room_word.set(
            text=f"room for {data.capacity}",
            x=data.capacity + (0.35 if left else 0.65),
            ha="right" if left else "left",
        )


def _look(data: Truncation, index: int) -> Look:
    """How a box is drawn."""
    kept, lost, block, behind = LOOKS
    if data.is_block[index]:
        return block
    if data.place[index]:
        return kept
    return lost if data.lost[index] else behind


def _draw_key(figure: Figure) -> None:
    """What each kind of box means, at the top."""
    places = ((0.03, 0.962), (0.6, 0.962), (0.03, 0.905), (0.6, 0.905))
    for (x, y), (look, word, colour, label) in zip(places, LOOKS, strict=True):
        sample = Rectangle((x, y - 0.018), 0.0346, 0.036, transform=figure.transFigure, **look)
        figure.add_artist(sample)
        figure.text(
            x + 0.0173, y, word, color=colour, ha="center", va="center_baseline", fontsize=8
        )
        figure.text(x + 0.055, y, label, va="center_baseline", fontsize=9)


def count_text(data: Truncation) -> str:
    """What an engine lets one know."""
    result = data.result
    block = "a block" if result.has_block else "no block"
    full = "full, so perhaps truncated" if result.may_be_truncated else "not full"
    if not data.capacity:
        full = "no buffer"
    return (
        f"An engine says: {block}, {_touches(result.n_touches)}, room for {data.capacity}: {full}."
    )


def record_text(data: Truncation) -> str:
    """What the record of this workbook says about completeness."""
    lost = int(data.lost.sum())
    states = {
        True: "complete",
        False: "not complete" + (f", {_touches(lost)} lost" if lost else ""),
        None: "it stopped when it was full, so nobody knows",
    }
    return f"Our record says: {states[data.result.complete]}."


def _touches(count: int) -> str:
    return f"{count} touch" if count == 1 else f"{count} touches"


def readout(data: Truncation) -> Readout:
    """The nearest box, and the nearest one that was reported."""
    nearest, reported = float(data.distance_m[0]), data.nearest_reported_m
    return {
        "nearest box of all": (nearest, "m"),
        "nearest hit reported": (reported, "m"),
        "too far by": (reported - nearest, "m"),
    }


def alt(data: Truncation) -> str:
    """The picture in words."""
    side = LEFT if data.d_W[0] > 0 else RIGHT
    count = len(data.distance_m)
    boxes = "one box" if count == 1 else f"a row of {count} boxes"
    touches = ", ".join(f"{hit.distance:g}" for hit in data.result.touches)
    buffer = (
        f"the buffer holds hits at {touches} m, in this order" if touches else "no touch is kept"
    )
    block = f"; the block is at {data.result.block.distance:g} m" if data.result.has_block else ""
    nearest = "is lost" if data.lost[0] else "is reported"
    return (
        f"A ray from the {side} meets {boxes}; there is room for {_touches(data.capacity)}. In the picture {buffer}"
        f"{block}. The nearest box, at {data.distance_m[0]:g} m, {nearest}. {count_text(data)} {record_text(data)}"
    )


# --- the lab ------------------------------------------------------------------------------------------------

LAB = Lab(
    name="buffer-truncation",
    title="Hit buffers",
    parameters=(
        Parameter(
            name="capacity",
            label="room in the buffer",
            unit="",
            values=tuple(range(MOST + 1)),
            default=4,
        ),
        Parameter(
            name="n_shapes",
            label="boxes along the ray",
            unit="",
            values=tuple(range(1, MOST + 1)),
            default=10,
        ),
        Parameter(
            name="seen_from",
            label="the ray comes from the",
            unit="",
            values=(LEFT, RIGHT),
            default=RIGHT,
        ),
        Parameter(
            name="block",
            label="a block is",
            unit="",
            values=tuple(BLOCKS),
            default=NO_BLOCK,
        ),
    ),
    model=model,
    picture=RowAndBuffer,
    readout=readout,
    alt=alt,
    exercises=EXERCISES,
    predictions=PREDICTIONS,
    quiz=(*QUIZ, *DIAGNOSIS),
)
