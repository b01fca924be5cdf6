"""The static lab player: a lab on a page, where no kernel runs.

Without JavaScript the page shows the default picture with its words and numbers. With it,
`player.js` reads the manifest that stands beside them and lets the reader move one parameter at a
time through the frames that were drawn when the book was built.
"""

import json
from collections.abc import Sequence
from html import escape

from course.display.frames import Frame, frames
from course.teaching.lab import Lab, Parameter, readout_rows
from course.teaching.panel import readout_html

__all__ = ["frames", "player_html"]

_NOTE = (
    "On this page one parameter moves at a time: moving one puts the others back to their default. "
    "In JupyterLab you move them all."
)


def player_html(lab: Lab, drawn: Sequence[Frame], url_prefix: str) -> str:
    """The player of `lab` as HTML.

    Args:
        lab: the lab.
        drawn: its frames, from `frames(lab, folder)`.
        url_prefix: where the page finds the frames' files, such as `_static/labs/my-lab/`.

    Raises:
        ValueError: the frames are not those of the lab, or differ but share one alt text.
    """
    if [frame.setting for frame in drawn] != list(lab.star()):
        raise ValueError(f"the {len(drawn)} frames given are not those of lab {lab.name!r}")
    _check_words(lab, drawn)
    default = drawn[0]
    width, height = default.size
    controls = "".join(_control(parameter) for parameter in lab.parameters)
    return (
        f'<div class="lab-player" data-lab="{escape(lab.name)}">'
        f'<figure><img class="lab-picture" src="{escape(url_prefix + default.file.name)}" '
        f'width="{width}" height="{height}" alt="{escape(default.alt)}">'
        f"<figcaption>{escape(lab.title)}</figcaption></figure>"
        f'<div class="lab-controls" role="group" aria-label="{escape(lab.title)}" hidden>'
        f'{controls}<p class="lab-note">{_NOTE}</p></div>'
        f"{readout_html(default.readout, css_class='lab-readout')}"
        '<p class="lab-status" role="status"></p>'
        '<script type="application/json" class="lab-manifest">'
        f"{_manifest(lab, drawn, url_prefix)}</script></div>"
    )


def _control(parameter: Parameter) -> str:
    values = parameter.page_values
    default = escape(parameter.text(parameter.default))
    return (
        f'<label class="lab-control"><span>{escape(parameter.label)}: '
        f'<span class="lab-value">{default}</span></span>'
        f'<input type="range" name="{escape(parameter.name)}" '
        f'min="0" max="{len(values) - 1}" step="1" '
        f'value="{values.index(parameter.default)}" aria-label="{escape(parameter.label)}" '
        f'aria-valuetext="{default}" autocomplete="off"></label>'
    )


def _manifest(lab: Lab, drawn: Sequence[Frame], url_prefix: str) -> str:
    indices = {tuple(frame.setting.items()): index for index, frame in enumerate(drawn)}
    manifest = {
        "frames": [
            {
                "src": url_prefix + frame.file.name,
                "alt": frame.alt,
                "readout": readout_rows(frame.readout),
            }
            for frame in drawn
        ],
        "parameters": [
            {
                "label": parameter.label,
                "texts": [parameter.text(value) for value in parameter.page_values],
                "default": parameter.page_values.index(parameter.default),
                "frames": [
                    indices[tuple((lab.defaults | {parameter.name: value}).items())]
                    for value in parameter.page_values
                ],
            }
            for parameter in lab.parameters
        ],
    }
    # Inside a script element only "</" could end it early.
    return json.dumps(manifest, ensure_ascii=False).replace("</", "<\\/")


def _check_words(lab: Lab, drawn: Sequence[Frame]) -> None:
    """Pictures that differ need words that differ, or some readers miss the change."""
    described: dict[str, Frame] = {}
    for frame in drawn:
        if not frame.alt.strip() or frame.alt.endswith(".png"):
            raise ValueError(
                f"lab {lab.name!r} at {frame.setting}: alt text {frame.alt!r}, expected words"
            )
        other = described.setdefault(frame.alt, frame)
        if other.file.read_bytes() != frame.file.read_bytes():
            raise ValueError(
                f"lab {lab.name!r}: {other.setting} and {frame.setting} look different "
                f"but share the alt text {frame.alt!r}"
            )
