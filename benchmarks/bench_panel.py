"""Speed of a lab's panel: a move of each slider, as a ratio to drawing an empty figure of the same panels."""

from itertools import cycle
from time import perf_counter

import pytest
from matplotlib.figure import Figure

from course.teaching.bundle import png
from course.teaching.lab import Lab
from course.teaching.panel import Panel
from labs import off_axis_depth

MOST_OF_EMPTY_FIGURE = 2.0
MODEL_SECONDS = 0.020


def empty_like(figure: Figure) -> Figure:
    """A figure of the same size with axes in the same places and nothing on them."""
    empty = Figure(figsize=figure.get_size_inches(), dpi=figure.dpi)
    for axes in figure.axes:
        empty.add_axes(axes.get_position(original=True))
    return empty


@pytest.mark.parametrize("lab", [off_axis_depth.LAB], ids=lambda lab: lab.name)
def test_a_move_of_a_slider_costs_little_more_than_an_empty_figure(benchmark, capsys, lab: Lab):
    panel, empty = Panel(lab), empty_like(lab.picture().figure)
    turns = {p.name: cycle(p.values) for p in lab.parameters}
    names = cycle(turns)

    def move() -> None:
        control = panel.controls[name := next(names)]
        shown = control.value
        while control.value == shown:  # a slider that stays where it is draws nothing
            control.value = next(turns[name])

    benchmark.pedantic(move, rounds=5, warmup_rounds=2)
    moves, empties, models = [], [], []
    for _ in range(20):  # in turns, so that a slow spell meets all of them
        for call, taken in (
            (move, moves),
            (lambda: png(empty), empties),
            (lambda: lab.model(**lab.defaults), models),
        ):
            start = perf_counter()
            call()
            taken.append(perf_counter() - start)
    ratio = min(moves) / min(empties)
    benchmark.extra_info["panel / empty figure"] = round(ratio, 3)
    with capsys.disabled():
        print(f"\npanel / empty figure: {ratio:.2f}; model {1e3 * min(models):.1f} ms")
    assert ratio <= MOST_OF_EMPTY_FIGURE
    assert min(models) <= MODEL_SECONDS
