"""A 3D scene to turn with the mouse, without a live server.

What is stored is the packed scene, a few kilobytes, and its description in words. On the book's
pages `scene.js` opens one viewer, shared by the whole site, when the reader asks for it; in
JupyterLab the viewer is part of the widget, which `course notebooks` strips.

    wall = Box(name="wall", size=[2, 0.1, 1])
    show_scene(Scene(shapes=(wall,)), title="A wall", alt="A wall, 2 m wide and 1 m high.")
"""

from base64 import b64encode
from html import escape
from pathlib import Path

import ipywidgets

from course.display.meshcat_commands import VIEWER_FOLDER, pack
from course.display.shapes3d import Box, Lines, Points, Scene, Shape, Sphere
from course.teaching.bundle import LiveOrStatic

__all__ = ["Box", "Lines", "Points", "Scene", "Shape", "Sphere", "show_scene", "viewer_files"]

_VIEWER = Path(__file__).with_name("viewer.html")
_SCRIPT_TAG = '<script src="main.min.js"></script>'
_MAX_BYTES = 200_000  # base64 in a notebook and in its page; a cloud this large wants to be thinned


def show_scene(scene: Scene, *, title: str, alt: str) -> LiveOrStatic:
    """A scene as the value of a cell.

    Args:
        scene: what to show.
        title: a few words; names the frame for screen readers.
        alt: what there is to see, in words, for those who do not open the scene or cannot see it.

    Raises:
        ValueError: no title or alt, or a scene too large to be stored.
    """
    for name, words in (("title", title), ("alt", alt)):
        if not words.strip():
            raise ValueError(f"the {name} of a 3D scene is empty, expected words")
    data = _encoded(scene)
    if len(data) > _MAX_BYTES:
        raise ValueError(
            f"the scene {title!r} packs to {len(data)} bytes, "
            f"expected at most {_MAX_BYTES}: show fewer points"
        )
    html = (
        f'<div class="scene3d" data-scene="{data}" data-title="{escape(title)}">'
        f"<p><strong>{escape(title)}.</strong> {escape(alt)}</p>"
        '<button type="button" hidden>Show the 3D scene</button></div>'
    )
    return LiveOrStatic(html=html, text=f"{title}. {alt}", widget=_widget(data, title))


def viewer_files() -> tuple[Path, ...]:
    """What the viewer needs in one folder: our page, MeshCat's script and its licences."""
    script = VIEWER_FOLDER / "dist" / "main.min.js"
    return (
        _VIEWER,
        script,
        VIEWER_FOLDER / "LICENSE",
        script.with_name("main.min.js.LICENSE.txt"),
        script.with_name("main.min.js.THIRD_PARTY_LICENSES.json"),
    )


def _encoded(scene: Scene) -> str:
    # Base64 has no blank, so that blanks can part the commands.
    return " ".join(b64encode(command).decode("ascii") for command in pack(scene))


def _widget(data: str, title: str) -> ipywidgets.HTML:
    page = _VIEWER.read_text(encoding="utf-8")
    script = viewer_files()[1].read_text(encoding="utf-8")
    if page.count(_SCRIPT_TAG) != 1 or "</script" in script:
        raise RuntimeError(f"{_VIEWER.name} and this version of MeshCat do not fit together")
    page = page.replace(_SCRIPT_TAG, f"<script>{script}</script>")
    page = page.replace("</body>", f'<script>showScene("{data}");</script></body>')
    return ipywidgets.HTML(
        f'<iframe title="{escape(title)}" srcdoc="{escape(page)}" '
        'style="width: 100%; max-width: 46rem; height: 24rem; '
        'border: 1px solid #8c959f; border-radius: 6px">'
        "</iframe>"
    )
