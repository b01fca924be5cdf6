import io
from base64 import b64decode

import ipywidgets as widgets
import matplotlib as mpl
import matplotlib.image
import numpy as np
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure

from course.teaching.bundle import WIDGET_MIME, Card, LiveOrStatic, png, small_png


def figure() -> Figure:
    drawn = Figure(figsize=(2, 1), dpi=50)
    drawn.subplots().plot([0, 1], [1, 0])
    return drawn


def displayed(value: object) -> dict:
    """What IPython makes of the value of a cell."""
    data, _metadata = DisplayFormatter().format(value)
    return data


def test_the_same_figure_gives_the_same_bytes_and_says_nothing_of_the_machine():
    assert png(figure()) == png(figure())
    assert b"Software" not in png(figure())
    assert b"matplotlib" not in png(figure()).lower()


def test_a_card_is_a_picture_with_its_words():
    data = displayed(Card(figure=figure(), alt="A line that falls."))
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == "A line that falls."
    assert b64decode(data["image/png"]) == small_png(figure())


def test_a_stored_picture_is_small_and_looks_the_same():
    big = Figure(figsize=(4, 3), facecolor="white")
    big.subplots().imshow(np.hypot(*np.mgrid[0:5:90j, 0:5:90j]))
    whole, small = png(big), small_png(big)
    assert len(small) < 0.6 * len(whole)
    pixels = [mpl.image.imread(io.BytesIO(content))[..., :3] for content in (whole, small)]
    difference = np.abs(np.subtract(*pixels))
    assert difference.mean() < 1 / 255
    assert np.quantile(difference, 0.99) < 8 / 255


def test_a_card_stands_on_an_opaque_light_ground():
    pixels = mpl.image.imread(io.BytesIO(png(figure())))
    assert pixels.shape[:2] == (50, 100)
    np.testing.assert_array_equal(pixels[0, 0], 1.0)  # white, alpha 1 included


def test_where_a_kernel_runs_there_is_a_widget_beside_the_page():
    value = LiveOrStatic(html="<p>3</p>", text="three", widget=widgets.IntSlider())
    data = displayed(value)
    assert set(data) == {"text/html", "text/plain", WIDGET_MIME}
    assert (data["text/html"], data["text/plain"]) == ("<p>3</p>", "three")
    assert data[WIDGET_MIME]["model_id"] == value.widget.model_id


def test_without_a_widget_the_page_is_all():
    data = displayed(LiveOrStatic(html="<p>3</p>", text="three"))
    assert data == {"text/html": "<p>3</p>", "text/plain": "three"}
