"""Comparing stored pictures with fresh ones, with a tolerance: nbval never looks at images.

Text is drawn a little differently by other builds of the font library, so a few levels of grey are forgiven; a curve
that moved is not.
"""

import io
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.image import imread
from numpy.typing import NDArray

LEVELS = 48 / 255  # a pixel differs if one of its channels differs by more than this
SHARE = 2e-4  # of the pixels may differ
_DATA_URI = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")


def pictures_in(outputs: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """The PNG files in the outputs of a cell, those inside HTML as well, in order."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            found.append(b64decode(data["image/png"]))
        found += [b64decode(text) for text in _DATA_URI.findall(data.get("text/html", ""))]
    return found


def picture_difference(fresh: bytes, stored: bytes) -> str:
    """How a fresh picture differs from the stored one, in words; "" if it does not."""
    ours, theirs = _pixels(fresh), _pixels(stored)
    if ours.shape != theirs.shape:
        return f"the picture is {_size(ours)}, and the stored one is {_size(theirs)}"
    share = float((np.abs(ours - theirs) > LEVELS).any(axis=-1).mean())
    return f"{share:.2%} of the picture differs from the stored one" if share > SHARE else ""


def _pixels(png: bytes) -> NDArray[np.float32]:
    pixels: NDArray[np.float32] = imread(io.BytesIO(png), format="png").astype(np.float32)
    return pixels


def _size(pixels: NDArray[np.float32]) -> str:
    return f"{pixels.shape[1]} x {pixels.shape[0]} pixels"
