"""A renderer's z-buffer: what it holds is no depth, and three forms of it are in use.

A pixel holds a number b that is linear in 1 / z:

    b = far (z - near) / (z (far - near)),    z = 1 / ((1 - b) / near + b / far)

so most of its values are spent close to the near plane, and how finely depth can be told falls with
z squared. Forms: b itself, from 0 near to 1 far; 2 b - 1, in the clip space of OpenGL; and 1 - b.
Nothing in an array says which form it has.

At the far plane's value, nothing was drawn: that is what buffers are cleared to. A surface so close
to the far plane that it rounds to this value cannot be told from nothing.
"""

from enum import Enum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.sensors.depth import metres
from course.sensors.ranges import ClippingRange
from course.world.checks import floats, whole

NothingDrawn = Literal["inf", "far"]
Float64 = NDArray[np.float64]


class ZBuffer(Enum):
    """Form of a z-buffer; the value is what it holds at the near and at the far plane."""

    ZERO_TO_ONE = (0.0, 1.0)  # OpenGL's window depth, Direct3D, Vulkan, Bullet
    MINUS_ONE_TO_ONE = (-1.0, 1.0)  # OpenGL's clip space (normalised device coordinates)
    REVERSED = (1.0, 0.0)  # 1 near, 0 far: float32 is finest at 0, where the others are coarse


def depth_from_zbuffer(
    buffer: ArrayLike,
    clipping: ClippingRange,
    form: ZBuffer,
    *,
    nothing_drawn: NothingDrawn = "inf",
) -> Float64:
    """Axial depth of what a z-buffer holds.

    Args:
        buffer: (...) in the form's interval, ends included; computed with in float64.
        clipping: the planes it was drawn with. Some engines scale them: in MuJoCo they are
            multiples of the extent of the scene.
        form: of the buffer.
        nothing_drawn: what to return at the far plane's value: "inf", or "far", which is the bare
            formula and makes a wall of the background.

    Returns:
        (...) m, from near to far, or inf.

    Raises:
        TypeError: unsigned integers, no numbers, no clipping range or form.
        ValueError: outside of the form's interval, or nan.
    """
    _check(clipping, form)
    if nothing_drawn not in ("inf", "far"):
        raise ValueError(f'nothing_drawn: expected "inf" or "far", got {nothing_drawn!r}')
    stored = _in_interval(buffer, form)
    near_part, far_part = _parts(stored, form)
    # Of the two ways to write it, this one subtracts no two numbers that are nearly equal.
    depth = 1 / (near_part / clipping.near + far_part / clipping.far)
    depth = np.clip(depth, clipping.near, clipping.far)  # a rounding beyond the ends
    at_far = np.inf if nothing_drawn == "inf" else clipping.far
    return np.asarray(np.where(stored == form.value[1], at_far, depth))


def zbuffer_from_depth(depth_m: ArrayLike, clipping: ClippingRange, form: ZBuffer) -> Float64:
    """What a z-buffer would hold of given depths, without the rounding of its storage.

    Args:
        depth_m: (...) m, within the clipping range; inf, where nothing is drawn, gives the far
            plane's value.
        clipping: near and far plane.
        form: of the buffer.

    Returns:
        (...) in the form's interval.

    Raises:
        TypeError: unsigned integers, no numbers, no clipping range or form.
        ValueError: depths that are not drawn, as they lie outside of the clipping range; nan.
    """
    _check(clipping, form)
    near, far = clipping.near, clipping.far
    depth = metres(depth_m, name="depth_m").astype(np.float64)
    drawn = np.where(np.isposinf(depth), far, depth)
    wrong = ~((drawn >= near) & (drawn <= far))
    if wrong.any():
        raise ValueError(
            f"depth_m: expected depths from {near:g} to {far:g} m, or inf where nothing is drawn, "
            f"got {depth[wrong].flat[0]:g}; a renderer does not draw what lies outside"
        )
    # 1 - b and b, as products of shares between 0 and 1: no product of two depths overflows.
    near_part = (far - drawn) / (far - near) * (near / drawn)
    far_part = (drawn - near) / drawn * (far / (far - near))
    at_near, at_far = form.value
    return np.asarray(at_near * near_part + at_far * far_part)


def zbuffer_step(
    depth_m: ArrayLike,
    clipping: ClippingRange,
    *,
    bits: int | None = None,
    float32: bool = False,
    form: ZBuffer = ZBuffer.ZERO_TO_ONE,
) -> Float64:
    """How far a surface must lie before another to differ from it in a z-buffer.

    1 / z is linear in b. So a step s in b is a step k = s (far - near) / (far near) in 1 / z, and
    from depth z to the next one before it, it is k z^2 / (1 + k z). Surfaces nearer to one another
    may share a value; which one is drawn is then chance (z-fighting).

    This is the step of the storage. What a renderer loses in arithmetic comes on top.

    Args:
        depth_m: (...) m, within the clipping range.
        clipping: near and far plane.
        bits: of a buffer that stores whole numbers, such as 16 or 24; equal steps in b.
        float32: whether it stores float32 instead; the step is that at the stored value.
        form: of the buffer; makes a difference for float32 only.

    Returns:
        (...) m.

    Raises:
        TypeError: not exactly one of `bits` and `float32`; else as `zbuffer_from_depth`.
        ValueError: as `zbuffer_from_depth`; infinite depths, or bits that are not 1 to 32.
    """
    if (bits is None) == (not float32):
        raise TypeError("zbuffer_step: expected either bits=24 (or another number) or float32=True")
    depth = metres(depth_m, name="depth_m").astype(np.float64)
    if np.isposinf(depth).any():
        raise ValueError("depth_m: expected finite depths, got inf; nothing is stored there")
    exact = zbuffer_from_depth(depth, clipping, form)
    if bits is not None:
        bits = whole(bits, name="bits", at_least=1)
        if bits > 32:
            raise ValueError(f"bits: expected at most 32, got {bits}")
        step = np.full(depth.shape, 1 / (2**bits - 1))
    else:
        at_near, at_far = form.value
        stored = exact.astype(np.float32)
        nearer = np.nextafter(stored, np.float32(np.copysign(np.inf, at_near - at_far)))
        step = np.abs(nearer.astype(np.float64) - stored) / abs(at_far - at_near)
    kz = step * ((clipping.far - clipping.near) / clipping.far) * (depth / clipping.near)
    return np.asarray(depth * (kz / (1 + kz)))


def _parts(stored: Float64, form: ZBuffer) -> tuple[Float64, Float64]:
    """1 - b and b, each without the rounding of the other."""
    at_near, at_far = form.value
    return (stored - at_far) / (at_near - at_far), (stored - at_near) / (at_far - at_near)


def _in_interval(buffer: ArrayLike, form: ZBuffer) -> Float64:
    stored = floats(buffer, name="buffer").astype(np.float64)
    if (kind := np.asarray(buffer).dtype).kind == "u":
        largest = f"2**{8 * kind.itemsize} - 1"
        raise TypeError(
            f"buffer: expected real numbers, got {kind}; divide by the largest value that the "
            f"buffer can hold, such as {largest}"
        )
    low, high = sorted(form.value)
    wrong = ~((stored >= low) & (stored <= high))
    if wrong.any():
        value = stored[wrong].flat[0]
        hint = "; is it depth in metres already?"
        if np.isnan(value):
            hint = "; was it drawn with near = 0?"
        elif -1 <= value < 0:
            hint = "; is it ZBuffer.MINUS_ONE_TO_ONE?"
        raise ValueError(
            f"buffer: expected values from {low:g} to {high:g} for {form.name}, got {value:g}{hint}"
        )
    return stored


def _check(clipping: ClippingRange, form: ZBuffer) -> None:
    if not isinstance(clipping, ClippingRange):
        raise TypeError(f"clipping: expected ClippingRange(near=, far=), got {clipping!r}")
    if not isinstance(form, ZBuffer):
        raise TypeError("form: expected one of " + ", ".join(map(str, ZBuffer)) + f", got {form!r}")
