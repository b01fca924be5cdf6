"""Lab: filter layers.

A ray leaves the hand of a robot, and eight shapes stand on its way. Set words, flags and callbacks of the query, and
read at which layer each shape leaves and which one the ray reports.
"""

from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.query import Layer, QueryShape
from course.teaching.lab import Lab, Parameter, Readout
from labs.filter_exercises import EXERCISES
from labs.filter_layers_model import (
    CRATE,
    KINDS,
    LEFT_OUT,
    NEARER_THAN_M,
    REACH_M,
    RULE,
    STAGES,
    THINGS,
    WORDS,
    FilterRun,
    model,
)
from labs.filter_questions import PREDICTIONS, QUIZ

LAYERS = tuple(Layer)

# --- picture and readout ------------------------------------------------------------------------------------

RAY_COLOUR, KEPT_COLOUR, LEFT_COLOUR = "#b3541e", "#1f5fa8", "0.45"


class RayAndTable:
    """The ray along its shapes; below it, for each of them, how far it came through the layers."""

    def __init__(self) -> None:
        self.figure = Figure(figsize=(5.2, 7.4), dpi=110, facecolor="white")
        # Fixed places: a layout engine would measure all texts anew at every move of a slider.
        self._answer = self.figure.text(0.02, 0.975, "", va="center_baseline", fontsize=11)
        self._draw_ray(self.figure.add_axes((0.02, 0.8, 0.96, 0.14)))
        for y, line in ((0.772, KEY[0]), (0.749, KEY[1])):
            self.figure.text(0.02, y, line, va="center_baseline", fontsize=8.5)
        self._draw_table(self.figure.add_axes((0.155, 0.055, 0.825, 0.488)))

    def _draw_ray(self, side: Axes) -> None:
        side.set(xlim=(-0.2, 3.6), ylim=(-0.45, 0.62), aspect="auto", xticks=(), yticks=())
        side.spines[:].set_visible(False)
        self._patches: dict[str, list[Rectangle]] = {}
        for number, (name, thing) in enumerate(THINGS.items(), start=1):
            start, end = thing.x_m
            self._patches[name] = [
                Rectangle((start, low), end - start, high - low, linewidth=1.3)
                for low, high in thing.parts_m
            ]
            for patch in self._patches[name]:
                side.add_patch(patch)
            side.text(thing.middle_m, 0.46, str(number), ha="center", va="bottom", fontsize=9)
        (self._beyond,) = side.plot([], [], ":", color=RAY_COLOUR, linewidth=1.5)
        (self._ray,) = side.plot([], [], "-", color=RAY_COLOUR, linewidth=2.5)
        (self._end,) = side.plot([], [], "o", color=KEPT_COLOUR, markersize=8)
        side.plot(0, 0, marker=">", color="black", markersize=7)

    def _draw_table(self, table: Axes) -> None:
        columns, rows = len(LAYERS), len(THINGS)
        table.set(xlim=(-0.75, columns - 0.5), ylim=(rows - 0.5, -0.5))
        table.set(xticks=(), yticks=range(rows))
        names = [f"{number} {name}" for number, name in enumerate(THINGS, start=1)]
        table.set_yticklabels(names, fontsize=9)
        table.tick_params(length=0)
        table.spines[:].set_visible(False)
        for column, layer in enumerate(LAYERS):
            table.plot([column, column], [-0.5, rows - 0.5], "-", color="0.88", linewidth=1)
            table.text(
                column,
                -0.65,
                f"{column + 1} {layer.value}",
                rotation=90,
                ha="center",
                va="bottom",
                fontsize=9,
            )
        self._ways = [
            table.plot([], [], "-", color=LEFT_COLOUR, linewidth=2)[0] for _ in range(rows)
        ]
        self._called = table.plot(
            [], [], "o", color="black", fillstyle="none", markersize=13, markeredgewidth=1.2
        )[0]
        self._left = table.plot([], [], "x", color="black", markersize=8, markeredgewidth=2)[0]
        self._kept = table.plot([], [], "o", color=KEPT_COLOUR, markersize=10)[0]
        samples = ((0.03, self._left, "left here"), (0.33, self._called, "callback called"))
        for x, line, words in (*samples, (0.72, self._kept, "reported")):
            sample = type(line)([x], [0.027])
            sample.update_from(line)
            sample.set(transform=self.figure.transFigure, clip_on=False)
            self.figure.add_artist(sample)
            self.figure.text(x + 0.035, 0.027, words, va="center_baseline", fontsize=9)

    def show(self, data: FilterRun) -> None:
        """Move everything to where the model says."""
        result, log = data.result, data.result.log
        self._answer.set_text(answer_text(data))
        end = min(data.range_m, REACH_M)
        self._ray.set_data([0, end], [0, 0])
        self._beyond.set_data([end, REACH_M], [0, 0])
        self._end.set_data([end] if result.has_block else [], [0] if result.has_block else [])
        for name, patches in self._patches.items():
            for patch in patches:
                patch.set(**_look(data.scene.candidate(name).settings))

        ends = [LAYERS.index(log.left[name]) for name in THINGS]
        reported = [layer is Layer.REPORTED for layer in map(LAYERS.__getitem__, ends)]
        for row, (way, column, kept) in enumerate(zip(self._ways, ends, reported, strict=True)):
            way.set_data([-0.6, column], [row, row])
            way.set(color=KEPT_COLOUR if kept else LEFT_COLOUR, linewidth=4 if kept else 2)
        places = list(zip(ends, range(len(ends)), reported, strict=True))
        self._left.set_data(*_columns((x, y) for x, y, kept in places if not kept))
        self._kept.set_data(*_columns((x, y) for x, y, kept in places if kept))
        self._called.set_data(
            *_columns(
                (LAYERS.index(layer), row)
                for layer, names in (
                    (Layer.PRE_FILTER, log.pre_calls),
                    (Layer.POST_FILTER, log.post_calls),
                )
                for row, name in enumerate(THINGS)
                if name in names
            )
        )


KEY = (
    "grey: static · hatched: dynamic · dotted edge: a trigger",
    "empty with a dashed edge: does not take part in queries",
)


def _look(settings: QueryShape) -> dict[str, str]:
    """How a shape is drawn: its kind by its filling, what else it is by its edge."""
    if not settings.takes_part:
        return {"facecolor": "white", "hatch": "", "linestyle": "--", "edgecolor": "0.35"}
    return {
        "facecolor": "white" if settings.dynamic else "0.83",
        "hatch": "////" if settings.dynamic else "",
        "linestyle": ":" if settings.trigger else "-",
        "edgecolor": "0.35",
    }


def _columns(points: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    pairs = list(points)
    return [x for x, _ in pairs], [y for _, y in pairs]


def answer_text(data: FilterRun) -> str:
    """What the ray reports, in one line."""
    if not data.result.has_block:
        return "The ray reports nothing."
    hit = data.result.block
    return f"The ray reports the {hit.name}, at {hit.distance:.3f} m."


def readout(data: FilterRun) -> Readout:
    """The reading, and how often the callbacks were called; `inf` if nothing is reported."""
    log = data.result.log
    return {
        "reading": (data.range_m, "m"),
        "pre-filter called": (len(log.pre_calls), "times"),
        "post-filter called": (len(log.post_calls), "times"),
    }


def alt(data: FilterRun) -> str:
    """The picture in words."""
    log = data.result.log
    switches = "; ".join(f"{label}: {choice}" for label, choice in data.choices.items())
    leaving = "; ".join(
        f"at {layer.value}: {', '.join(name for name in THINGS if log.left[name] is layer)}"
        for layer in LAYERS
        if layer is not Layer.REPORTED and log.at(layer)
    )
    calls = " and ".join(
        f"the {stage}-filter for {', '.join(n for n in THINGS if n in names) or 'none'}"
        for stage, names in (("pre", log.pre_calls), ("post", log.post_calls))
    )
    return (
        f"A ray along eight shapes. {switches}. {answer_text(data)} "
        f"Left {leaving}. Called: {calls}."
    )


# --- the lab ------------------------------------------------------------------------------------------------


def _switch(name: str, label: str, choices: Iterable[str], default: str) -> Parameter:
    return Parameter(name=name, label=label, unit="", values=tuple(choices), default=default)


LAB = Lab(
    name="filter-layers",
    title="Filter layers",
    parameters=(
        _switch("words", "words of the query", WORDS, "0011 obstacles, robot"),
        _switch("rule", "comparing words", RULE, "on"),
        _switch("kinds", "the query looks at", KINDS, "static and dynamic"),
        _switch("pre", "pre-filter", LEFT_OUT, "leaves out the robot"),
        _switch("post", "post-filter", NEARER_THAN_M, "not given"),
        _switch("stages", "stages that are on", STAGES, "pre and post"),
        _switch("crate", "the crate is", CRATE, "an ordinary shape"),
    ),
    model=model,
    picture=RayAndTable,
    readout=readout,
    alt=alt,
    exercises=EXERCISES,
    predictions=PREDICTIONS,
    quiz=QUIZ,
)
