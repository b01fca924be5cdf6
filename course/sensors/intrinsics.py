"""A pinhole camera's intrinsics: which ray each pixel sees.

Camera frame C: x right, y down, z forward, origin in the pinhole. Pixel (u, v) is in column u, row
v. Arrays are (H, W, ...): `image[v, u]`.

Where the centre of pixel (u, v) lies is a convention, and libraries differ: at (u + 0.5, v + 0.5)
or at (u, v). A principal point or a ray means nothing without it; mixing two shifts everything by
half a pixel, z / (2 fx) to one side. So it is always an argument, and never has a default.
"""

import math
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from course.world.capabilities import Precision
from course.world.checks import Floats, floats, positive, read_only, real, vectors, whole


class PixelCentre(Enum):
    """Coordinates of the centre of pixel (u, v); the value is what they exceed u and v by."""

    HALF = 0.5  # (u + 0.5, v + 0.5): the image spans 0 to W (OpenGL, PhysX)
    INTEGER = 0.0  # (u, v): the image spans -0.5 to W - 0.5 (OpenCV, Drake)


@dataclass(frozen=True, kw_only=True)
class Intrinsics:
    """A pinhole without skew or distortion: p_C is seen at u = fx x/z + cx, v = fy y/z + cy.

    Attributes:
        width: pixels.
        height: pixels.
        fx: focal length across, pixels.
        fy: focal length down, pixels.
        cx: principal point across, pixels, in the convention of `pixel_centre`; may lie outside of
            the image, if that was cropped.
        cy: principal point down, pixels, likewise.
        pixel_centre: where the centre of a pixel lies.

    Raises:
        TypeError, ValueError: sizes that are no positive whole numbers, focal lengths that are not
            positive, and so on.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    pixel_centre: PixelCentre

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            size = whole(getattr(self, name), name=name, at_least=1)
            object.__setattr__(self, name, size)
        for name in ("fx", "fy"):
            focal = positive(getattr(self, name), name=name, unit="pixels")
            object.__setattr__(self, name, focal)
        for name in ("cx", "cy"):
            value = real(getattr(self, name), name=name, unit="pixels")
            if math.isinf(value):
                raise ValueError(f"{name}: expected a finite number in pixels, got {value}")
            object.__setattr__(self, name, value)
        _explicit(self.pixel_centre)

    @classmethod
    def from_vertical_fov(
        cls, *, width: int, height: int, fov_y_rad: float, pixel_centre: PixelCentre
    ) -> "Intrinsics":
        """Square pixels, and the principal point in the middle of the image.

        Args:
            width: pixels.
            height: pixels.
            fov_y_rad: angle between the upper and the lower edge of the image (edges of pixels, not
                centres), rad.
            pixel_centre: where the centre of a pixel lies; it moves the principal point, and no
                ray.

        Raises:
            TypeError, ValueError: as `Intrinsics`; an angle that is not between 0 and pi.
        """
        width = whole(width, name="width", at_least=1)
        height = whole(height, name="height", at_least=1)
        fov = positive(fov_y_rad, name="fov_y_rad", unit="rad")
        if fov >= math.pi:
            raise ValueError(
                f"fov_y_rad: expected an angle between 0 and pi rad, got {fov:g}; "
                f"if that is in degrees, pass math.radians({fov:g})"
            )
        edge = _explicit(pixel_centre).value - 0.5  # coordinate of the image's left and upper edge
        focal = height / 2 / math.tan(fov / 2)
        return cls(
            width=width,
            height=height,
            fx=focal,
            fy=focal,
            cx=width / 2 + edge,
            cy=height / 2 + edge,
            pixel_centre=pixel_centre,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(H, W): of every image that this camera takes."""
        return self.height, self.width

    def pixel_centres(self) -> np.ndarray:
        """(H, W, 2): coordinates (u, v) of each pixel's centre."""
        offset = self.pixel_centre.value
        u, v = np.meshgrid(np.arange(self.width) + offset, np.arange(self.height) + offset)
        return np.stack([u, v], axis=-1)

    def project(self, p_C: ArrayLike) -> Floats:
        """Image coordinates (..., 2) of points p_C (..., 3) m; nan for points that are not in front
        of the camera.

        Raises:
            TypeError, ValueError: not real numbers, or not three in the last axis.
        """
        p = vectors(floats(p_C, name="p_C"), name="p_C")
        x, y, z = np.moveaxis(p, -1, 0)
        in_front = np.where(z > 0, z, np.nan)
        return np.stack(
            [self.fx * x / in_front + self.cx, self.fy * y / in_front + self.cy], axis=-1
        )


def unit_rays(intrinsics: Intrinsics, precision: Precision = "float64") -> Floats:
    """(H, W, 3) unit directions d_C through the centres of all pixels; kept, hence read-only.

    Args:
        intrinsics: of the camera.
        precision: type of the numbers in the result.

    Raises:
        TypeError: no intrinsics.
        ValueError: another precision than these two.
    """
    check_intrinsics(intrinsics)
    if precision not in get_args(Precision):
        raise ValueError(f'precision: expected "float32" or "float64", got {precision!r}')
    return _unit_rays(intrinsics, precision)


def check_intrinsics(intrinsics: object, *, name: str = "intrinsics") -> None:
    """Refuse what is no `Intrinsics`, such as a matrix K.

    Raises:
        TypeError: says what a matrix leaves open.
    """
    if not isinstance(intrinsics, Intrinsics):
        hint = ""
        if isinstance(intrinsics, np.ndarray) and intrinsics.shape in {(3, 3), (3, 4)}:
            hint = "; a matrix says neither the size of the image nor where pixel centres lie"
        raise TypeError(
            f"{name}: expected Intrinsics(width=, height=, ...), got "
            f"{type(intrinsics).__name__}{hint}"
        )


@lru_cache(maxsize=16)
def _unit_rays(intrinsics: Intrinsics, precision: Precision) -> Floats:
    uv = intrinsics.pixel_centres()
    x = (uv[..., 0] - intrinsics.cx) / intrinsics.fx
    y = (uv[..., 1] - intrinsics.cy) / intrinsics.fy
    d_C = np.stack([x, y, np.ones_like(x)], axis=-1)
    d_C /= np.linalg.norm(d_C, axis=-1, keepdims=True)
    return read_only(d_C.astype(precision))


def _explicit(pixel_centre: PixelCentre) -> PixelCentre:
    if not isinstance(pixel_centre, PixelCentre):
        raise TypeError(
            f"pixel_centre: expected PixelCentre.HALF or PixelCentre.INTEGER, got {pixel_centre!r}"
        )
    return pixel_centre
