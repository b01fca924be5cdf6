import re
from base64 import b64decode
from dataclasses import dataclass

import ipywidgets as widgets
import pytest
from matplotlib.figure import Figure

from course.teaching.bundle import WIDGET_MIME, png
from course.teaching.lab import Lab, Parameter
from course.teaching.panel import Panel, explore, readout_html

HOSTILE = "\"'<b>&"


@dataclass(frozen=True, kw_only=True)
class Square:
    side: float
    kind: str


class SquarePicture:
    def __init__(self) -> None:
        self.figure = Figure(figsize=(2, 1), dpi=50)
        (self._line,) = self.figure.add_subplot(xlim=(0, 5), ylim=(0, 5)).plot([], [])

    def show(self, data: Square) -> None:
        self._line.set_data([0, data.side, data.side, 0], [0, 0, data.side, data.side])


def model(*, side: float, kind: str) -> Square:
    if side > 3:
        raise ValueError("too large")
    return Square(side=side, kind=kind)


LAB = Lab(
    name="square",
    title="A square",
    parameters=(
        Parameter(name="side", label="Side", unit="m", values=(1.0, 2.0, 3.0, 4.0), default=2.0),
        Parameter(name="kind", label="Kind", unit="", values=("full", "half"), default="full"),
    ),
    model=model,
    picture=SquarePicture,
    readout=lambda data: {f"area {HOSTILE}": (data.side**2 / (1 + (data.kind == "half")), "m²")},
    alt=lambda data: f"A square of {data.side:g} m, {data.kind} {HOSTILE}",
)


def image(panel: Panel) -> bytes:
    return panel.widget.children[1].value


def numbers(panel: Panel) -> str:
    return panel.widget.children[0].children[1].value


def test_a_panel_begins_at_the_defaults():
    panel = Panel(LAB)
    assert {name: control.value for name, control in panel.controls.items()} == LAB.defaults
    assert panel.text == f"A square: area {HOSTILE} 4.000 m²"


def test_moving_a_control_changes_picture_and_readout():
    panel = Panel(LAB)
    picture, readout = image(panel), numbers(panel)
    panel.controls["side"].value = 3.0
    assert image(panel) != picture
    assert "9.000 m²" in numbers(panel)
    panel.controls["kind"].value = "half"
    assert "4.500 m²" in numbers(panel)
    panel.controls["kind"].value = "full"
    panel.controls["side"].value = 2.0
    assert (image(panel), numbers(panel)) == (picture, readout)


def test_a_moved_panel_shows_what_a_fresh_picture_would():
    panel = Panel(LAB)
    panel.controls["side"].value = 1.0
    fresh = SquarePicture()
    fresh.show(model(side=1.0, kind="full"))
    assert image(panel) == png(fresh.figure)


def test_two_panels_are_independent():
    one, other = Panel(LAB), Panel(LAB)
    before = image(other), numbers(other), other.text
    one.controls["side"].value = 1.0
    assert (image(other), numbers(other), other.text) == before
    assert image(one) != image(other)


def test_controls_offer_every_value_with_its_unit():
    controls = Panel(LAB).controls
    assert [label for label, _ in controls["side"].options] == ["1 m", "2 m", "3 m", "4 m"]
    assert [label for label, _ in controls["kind"].options] == ["full", "half"]


def test_a_setting_that_the_model_refuses_is_said_and_the_panel_lives_on():
    panel = Panel(LAB)
    with pytest.raises(ValueError, match=r"^too large$"):
        panel.controls["side"].value = 4.0
    panel.controls["side"].value = 1.0
    assert "1.000 m²" in numbers(panel)


def test_what_is_stored_is_the_default_in_a_picture_in_words_and_in_numbers():
    bundle = explore(LAB)._repr_mimebundle_()
    html = bundle["text/html"]
    assert html.startswith('<div class="lab" data-lab="square"><img src="data:image/png;base64,')
    picture = re.search(r"base64,([A-Za-z0-9+/=]+)", html)[1]
    assert b64decode(picture) == image(Panel(LAB))
    assert 'alt="A square of 2 m, full &quot;&#x27;&lt;b&gt;&amp;"' in html
    assert "<b>" not in html
    assert bundle["text/plain"] == f"A square: area {HOSTILE} 4.000 m²"
    assert WIDGET_MIME in bundle


def test_exploring_twice_stores_the_same():
    assert explore(LAB).html == explore(LAB).html


def test_a_readout_is_a_table_with_row_headings():
    assert readout_html({"a<b": (1.0, "m"), "hits": (2, "")}) == (
        '<table class="readout"><tbody>'
        '<tr><th scope="row">a&lt;b</th><td>1.000 m</td></tr>'
        '<tr><th scope="row">hits</th><td>2.000</td></tr>'
        "</tbody></table>"
    )


def test_numbers_have_a_slider_and_words_a_list():
    controls = Panel(LAB).controls
    assert isinstance(controls["side"], widgets.SelectionSlider)
    assert isinstance(controls["kind"], widgets.Dropdown)
