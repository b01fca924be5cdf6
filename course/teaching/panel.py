"""The live panel of a lab in JupyterLab: one control a parameter, one kept figure, computed anew at every move.

What is stored in the notebook is the lab at its default settings, as a picture with its words and numbers.
"""

import base64
from html import escape
from typing import Any

import ipywidgets as widgets

from course.teaching.bundle import LiveOrStatic, png
from course.teaching.lab import Lab, Parameter, Readout, readout_rows, readout_text


def explore(lab: Lab) -> LiveOrStatic:
    """The panel of a lab: live where a kernel runs, the default setting elsewhere."""
    panel = Panel(lab)
    return LiveOrStatic(html=panel.static_html(), text=panel.text, widget=panel.widget)


class Panel:
    """A lab with its controls.

    Attributes:
        controls: parameter name -> slider or list; a test moves them as a hand would.
        widget: all of it, to be displayed.
    """

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._picture = lab.picture()
        self.controls = {parameter.name: _control(parameter) for parameter in lab.parameters}
        pixels = int(self._picture.figure.get_figwidth() * self._picture.figure.dpi)
        # As wide as it was drawn: a box would stretch it, and blur it.
        self._image = widgets.Image(
            format="png",
            layout=widgets.Layout(
                width=f"{pixels}px", max_width="100%", height="auto", align_self="flex-start"
            ),
        )
        self._numbers = widgets.HTML()
        # The numbers stand beside the sliders, so that both are seen while one is moved.
        sliders = widgets.VBox([*self.controls.values()], layout=widgets.Layout(flex="1 1 20rem"))
        above = widgets.HBox(
            [sliders, self._numbers], layout=widgets.Layout(flex_flow="row wrap", grid_gap="1rem")
        )
        self.widget = widgets.VBox([above, self._image])
        self._update()
        for control in self.controls.values():
            control.observe(self._update, names="value")

    @property
    def text(self) -> str:
        """Title and readout in words."""
        return f"{self._lab.title}: {readout_text(self._readout)}"

    def static_html(self) -> str:
        """The panel as it stands, without controls."""
        picture = base64.b64encode(self._image.value).decode()
        return (
            f'<div class="lab" data-lab="{escape(self._lab.name)}">'
            f'<img src="data:image/png;base64,{picture}" alt="{escape(self._alt)}">'
            f"{readout_html(self._readout)}</div>"
        )

    def _update(self, _change: object = None) -> None:
        data = self._lab.model(**{name: control.value for name, control in self.controls.items()})
        self._picture.show(data)
        self._readout = self._lab.readout(data)
        self._alt = self._lab.alt(data)
        self._image.value = png(self._picture.figure)
        self._numbers.value = readout_html(self._readout)


def readout_html(readout: Readout, *, css_class: str = "readout") -> str:
    """The readout as a table of names and numbers with units."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in readout_rows(readout)
    )
    return f'<table class="{css_class}"><tbody>{rows}</tbody></table>'


def _control(parameter: Parameter) -> Any:
    """A slider for numbers; for words, which are long and have no order, a list to choose from."""
    words = isinstance(parameter.default, str)
    kind = widgets.Dropdown if words else widgets.SelectionSlider
    return kind(
        options=[(parameter.text(value), value) for value in parameter.values],
        value=parameter.default,
        description=parameter.label,
        style={"description_width": "initial"},
        layout=widgets.Layout(width="min(32rem, 95%)"),
    )
