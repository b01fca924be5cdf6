"""Figures that more than one lab or chapter needs; each returns a `Card`, a picture with its words."""

from collections.abc import Mapping
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from course.teaching.bundle import Card


def show_images(images: Mapping[str, NDArray[np.floating]], *, unit: str, alt: str) -> Card:
    """Images of one quantity side by side, on one grey scale with one colour bar.

    Args:
        images: title -> (H, W); what is not finite is hatched.
        unit: of all of them.
        alt: what there is to see, in words.
    """
    finite = np.concatenate([image[np.isfinite(image)] for image in images.values()])
    low, high = float(finite.min()), float(finite.max())
    figure = Figure(
        figsize=(3.1 * len(images) + 0.8, 2.7), dpi=100, facecolor="white", layout="constrained"
    )
    axes = figure.subplots(1, len(images), squeeze=False)[0]
    for axis, (title, image) in zip(axes, images.items(), strict=True):
        axis.set(title=title, xlabel="u (pixel)", ylabel="v (pixel)", facecolor="0.9")
        axis.patch.set_hatch("///")
        drawn = axis.imshow(image, cmap="viridis", vmin=low, vmax=high, interpolation="nearest")
    figure.colorbar(drawn, ax=axes, label=unit)
    return Card(figure=figure, alt=alt)


def show_curves(
    x: NDArray[np.floating],
    curves: Mapping[str, NDArray[np.floating]],
    *,
    x_label: str,
    y_label: str,
    alt: str,
    logarithmic: bool = False,
) -> Card:
    """Curves over one axis, told apart by their dashes as well as by their colours.

    Args:
        x: (N,).
        curves: name -> (N,), in the order of the legend.
        x_label: with its unit.
        y_label: with its unit.
        alt: what there is to see, in words.
        logarithmic: both axes.
    """
    figure = Figure(figsize=(6.4, 3.2), dpi=100, facecolor="white", layout="constrained")
    axis = figure.subplots()
    axis.set(xlabel=x_label, ylabel=y_label)
    if logarithmic:
        axis.set(xscale="log", yscale="log")
    for (name, y), dashes in zip(curves.items(), cycle(("-", "--", "-.", ":")), strict=False):
        axis.plot(x, y, dashes, linewidth=2, label=name)
    axis.grid(color="0.9")
    axis.legend(fontsize=9)
    return Card(figure=figure, alt=alt)
