"""What a cell shows: a picture with its words, or one output with two lives.

A `Card` is a figure whose plain text is its description; the book makes that text the alt text.

A `LiveOrStatic` is a widget where a kernel runs, and plain HTML wherever the notebook is only read. JupyterLab
prefers the widget. `course notebooks` strips the widget before it stores the output, so what
git, the replay and the book see is the HTML alone, which must therefore say everything by itself.
"""

import io
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure
from PIL import Image

WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True, kw_only=True, eq=False)
class Card:
    """A figure as the value of a cell, on an opaque light ground.

    Attributes:
        figure: what is seen.
        alt: the same in words.
    """

    figure: Figure
    alt: str

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {"image/png": b64encode(small_png(self.figure)).decode(), "text/plain": self.alt}


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveOrStatic:
    """The value of a cell that is live in JupyterLab and static on a page.

    Attributes:
        html: what a reader without a kernel sees.
        text: the same in words, for terminals and screen readers.
        widget: an ipywidgets widget, or None where there is nothing to be live.
    """

    html: str
    text: str
    widget: Any = field(default=None, repr=False)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/html": self.html, "text/plain": self.text}
        if self.widget is not None:
            bundle |= {
                mime: value
                for mime, value in self.widget._repr_mimebundle_().items()
                if mime == WIDGET_MIME
            }
        return bundle


def png(figure: Figure) -> bytes:
    """A figure as PNG bytes; nothing in them tells of the machine that drew it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def small_png(figure: Figure) -> bytes:
    """The same in 256 colours, a third of the bytes, for what is stored; slower than `png`.

    A figure has few colours and their blends along edges: what changes is too little to be seen.
    """
    smaller = io.BytesIO()
    with Image.open(io.BytesIO(png(figure))) as image:
        few = image.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(smaller, "png", optimize=True)
    return smaller.getvalue()
