"""One output, two lives: a widget where a kernel runs, plain HTML wherever the notebook is only read.

JupyterLab prefers the widget. `course notebooks` strips the widget before it stores the output, so what
git, the replay and the book see is the HTML alone, which must therefore say everything by itself.
"""

from dataclasses import dataclass, field
from typing import Any

WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


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
