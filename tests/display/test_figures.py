"""Figures of chapters: what they show can be seen without colour, and is said in words."""

import numpy as np

from course.display.figures import show_curves, show_images


def test_curves_differ_by_their_dashes() -> None:
    x = np.array([1.0, 10.0])
    card = show_curves(
        x, {"a": x, "b": 2 * x, "c": 3 * x}, x_label="z (m)", y_label="gap (m)", alt="Three lines."
    )
    lines = card.figure.axes[0].get_lines()
    assert [line.get_label() for line in lines] == ["a", "b", "c"]
    assert len({line.get_linestyle() for line in lines}) == 3
    np.testing.assert_array_equal(lines[1].get_ydata(), [2.0, 20.0])


def test_both_axes_are_logarithmic_if_asked() -> None:
    x = np.array([1.0, 10.0])
    labels = {"x_label": "z (m)", "y_label": "gap (m)", "alt": "One line."}
    for logarithmic, scale in ((True, "log"), (False, "linear")):
        axis = show_curves(x, {"a": x}, logarithmic=logarithmic, **labels).figure.axes[0]
        assert (axis.get_xscale(), axis.get_yscale()) == (scale, scale)


def test_images_share_one_scale_and_leave_missing_pixels_out() -> None:
    images = {"range": np.array([[2.0, np.inf]]), "depth": np.array([[1.0, np.nan]])}
    card = show_images(images, unit="m", alt="Two images.")
    drawn = [axis.get_images()[0] for axis in card.figure.axes[:2]]
    assert {image.get_clim() for image in drawn} == {(1.0, 2.0)}
    assert card.alt == "Two images."
