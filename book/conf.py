"""Configuration of the static book; `course book` calls Sphinx with it.

Nothing on a page comes from another host: formulas are drawn by Node when the book is built, and
the style and fonts of KaTeX stand in `static/katex`, in the version of the script that draws.
"""

import os
import sys
from pathlib import Path

import sphinxcontrib.katex
import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # Sphinx looks for modules of ours only there

from katex_start import start_server_process  # noqa: E402

BOOK = yaml.safe_load((HERE.parent / "book.yml").read_text(encoding="utf-8"))

project = BOOK["title"]
language = os.environ.get("BOOK_LANGUAGE", BOOK["languages"][0])
locale_dirs = [str(HERE / "locales")]
gettext_compact = False

extensions = ["myst_nb", "sphinx_design", "sphinxcontrib.katex"]
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 3

# The notebooks are executed by `course notebooks`; the book shows what they hold.
nb_execution_mode = "off"
nb_output_stderr = "warn"  # a stored warning is a fault of the notebook, and stops the build
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # its default comes from other hosts
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

katex_prerender = True
katex_css_path = "katex/katex.min.css"
# A formula that KaTeX cannot read stops the build; by default it would be printed in red.
sphinxcontrib.katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
sphinxcontrib.katex.KaTeXServer.start_server_process = classmethod(start_server_process)
sphinxcontrib.katex.STARTUP_TIMEOUT = sphinxcontrib.katex.RENDER_TIMEOUT = 60.0  # s

html_theme = "furo"
pygments_dark_style = "a11y-dark"  # as its light one; the default underlines imports like links
html_title = project
html_static_path = ["static"]
html_css_files = ["workbook.css"]
html_js_files = [
    (name, {"defer": "defer"}) for name in ("player.js", "question.js", "scene.js", "scroll.js")
]
templates_path = ["templates"]
html_context = {"licence": BOOK["licence"]}
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False  # its icon stands outside the landmarks of Furo's page
