"""A frame of a camera with colour, depth and labels, and all that one has to know to use it.

Colour and labels come from one imager C, depth from an imager D. Where C and D differ in pose, in
intrinsics or in size, pixel (u, v) of one is not pixel (u, v) of the other.

A frame copies its arrays. Many renderers hand out a view of memory that they draw the next frame
into, and what was kept then shows something that was not there at the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import RigidTransform

from course.sensors.camera import BACKGROUND, cast_image, check_caster
from course.sensors.cloud import REGISTERED_TOLERANCE
from course.sensors.contract import Observation, faults
from course.sensors.depth import metres, unproject
from course.sensors.intrinsics import Intrinsics, check_intrinsics
from course.sensors.products import COLOUR, DEPTH, SEGMENTATION, Contract
from course.sensors.ranges import (
    ClippingRange,
    DepthCamera,
    DepthRange,
    check_ranges,
    measured_depth,
)
from course.world.casters import Caster
from course.world.checks import array_of, shaped
from course.world.poses import as_pose

LARGEST_LABEL = int(np.iinfo(np.int16).max)

NOTHING_RGBA = (0, 0, 0, 0)
PALETTE_RGBA = np.array(
    [
        (0, 114, 178, 255),  # blue
        (230, 159, 0, 255),  # orange
        (0, 158, 115, 255),  # green
        (204, 121, 167, 255),  # purple
        (213, 94, 0, 255),  # vermilion
        (86, 180, 233, 255),  # sky
        (240, 228, 66, 255),  # yellow
    ],
    np.uint8,
)
"""Colour of label n is row n modulo 7: flat, without light. Told apart also by the colour-blind."""
PALETTE_RGBA.flags.writeable = False


@dataclass(frozen=True, kw_only=True, eq=False)
class RgbdFrame:
    """What one camera took at one instant.

    It takes any arrays and statements; `faults` says what is wrong with them.

    Attributes:
        colour: (Hc, Wc, 4) uint8.
        label: (Hc, Wc) int16; BACKGROUND = -1 where there is nothing.
        depth_m: (Hd, Wd) float32 axial depth in D, m; 0 too close, inf too far or nothing there.
        colour_intrinsics: of C.
        depth_intrinsics: of D.
        X_WC: pose of the colour imager.
        X_WD: pose of the depth imager.
        time_s: the instant, s of simulated time.
        clipping: what both imagers draw.
        depth_range: what the depth imager measures.
        channels: order of the colour's channels, such as "RGBA"; no program can see it.
        encoding: of the colour: linear light or sRGB codes.
        light: which materials, lights and exposure were drawn.
        label_map: label -> name, for all labels in the image.
        label_kind: what has a number of its own: "class" or "instance".
        producer: who took it.

    Raises:
        TypeError, ValueError: no pose, no array, a masked one, or a label map that is no mapping.
    """

    colour: NDArray[np.uint8]
    label: NDArray[np.int16]
    depth_m: NDArray[np.float32]
    colour_intrinsics: Intrinsics
    depth_intrinsics: Intrinsics
    X_WC: RigidTransform
    X_WD: RigidTransform
    time_s: float
    clipping: ClippingRange | None = None
    depth_range: DepthRange | None = None
    channels: str = ""
    encoding: str = ""
    light: str = ""
    label_map: Mapping[int, str] = field(default_factory=dict)
    label_kind: str = ""
    producer: str = ""

    def __post_init__(self) -> None:
        for name in ("colour", "label", "depth_m"):
            copy = array_of(getattr(self, name), name=name).copy()
            copy.flags.writeable = False
            object.__setattr__(self, name, copy)
        for name in ("X_WC", "X_WD"):
            object.__setattr__(self, name, as_pose(getattr(self, name), name=name))
        if not isinstance(self.label_map, Mapping):
            raise TypeError(f"label_map: expected label -> name, got {self.label_map!r}")
        object.__setattr__(self, "label_map", MappingProxyType(dict(self.label_map)))

    @property
    def observations(self) -> tuple[Observation, Observation, Observation]:
        """Colour, depth and labels, each with what one has to know to use it."""
        of_c = {"intrinsics": self.colour_intrinsics}
        written = {"channels": self.channels, "encoding": self.encoding, "light": self.light}
        measured = {"quantity": "axial depth", "ranges": self._ranges()}
        named = {"label_map": self.label_map, "kind": self.label_kind}
        of_d = {"intrinsics": self.depth_intrinsics}
        return (
            self._observation(COLOUR, self.colour, "C", {**of_c, **written}),
            self._observation(DEPTH, self.depth_m, "D", {**of_d, **measured}),
            self._observation(SEGMENTATION, self.label, "C", {**of_c, **named}),
        )

    def _ranges(self) -> str:
        """What is drawn and what is measured, in words; "" if either is not stated."""
        if self.clipping is None or self.depth_range is None:
            return ""
        if self._range_faults():
            return f"{self.clipping}, {self.depth_range}"
        drawn, measured = self.clipping, self.depth_range
        return (
            f"drawn from {drawn.near:g} to {drawn.far:g} m, "
            f"measured from {measured.minimum:g} to {measured.maximum:g} m"
        )

    def _range_faults(self) -> tuple[str, ...]:
        """What is wrong with the ranges, and with depths that cannot have been measured in them."""
        if self.clipping is None or self.depth_range is None:
            return ()
        try:
            check_ranges(self.clipping, self.depth_range)
        except (TypeError, ValueError) as error:
            return (f"depth image: {error}",)
        low, high = self.depth_range.minimum, self.depth_range.maximum
        if self.depth_m.dtype.kind != "f":
            return ()
        readings = self.depth_m[(self.depth_m > 0) & np.isfinite(self.depth_m)]
        outside = np.count_nonzero(measured_depth(readings, self.depth_range) != readings)
        if not outside:
            return ()
        return (f"depth image: {outside} depths are not within {low:g} to {high:g} m",)

    def _observation(
        self,
        contract: Contract,
        values: NDArray[np.generic],
        frame: str,
        states: Mapping[str, object],
    ) -> Observation:
        return Observation(
            contract=contract,
            values=values,
            producer=self.producer,
            frame=frame,
            unit=contract.unit,
            time_s=self.time_s,
            complete=True,
            states=states,
        )

    @property
    def faults(self) -> tuple[str, ...]:
        """All that keeps the frame from being used, each with the image that it is about."""
        return (
            tuple(
                f"{observation.contract.product}: {fault}"
                for observation in self.observations
                for fault in faults(observation)
            )
            + self._range_faults()
        )

    @property
    def registered(self) -> bool:
        """Whether pixel (u, v) of colour and of depth look along the same ray.

        Raises:
            TypeError: no intrinsics, so that nobody can tell.
        """
        for name in ("colour_intrinsics", "depth_intrinsics"):
            check_intrinsics(getattr(self, name), name=name)
        apart = np.abs(self.X_WC.as_matrix() - self.X_WD.as_matrix()).max()
        return self.colour_intrinsics == self.depth_intrinsics and bool(
            apart <= REGISTERED_TOLERANCE
        )


def capture(
    caster: Caster,
    *,
    colour_intrinsics: Intrinsics,
    depth_camera: DepthCamera,
    X_WC: RigidTransform,
    X_WD: RigidTransform,
    time_s: float,
) -> RgbdFrame:
    """Take a frame of the caster's scene, with flat colours by label.

    Args:
        caster: bound to the scene; one that `cast_image` takes for a clipping range.
        colour_intrinsics: of the colour imager.
        depth_camera: the depth imager.
        X_WC: pose of the colour imager.
        X_WD: pose of the depth imager.
        time_s: the instant that the scene shows, s.

    Raises:
        TypeError, ValueError: as `cast_image`; no depth camera; a label that 16 bits do not hold.
    """
    check_caster(caster)
    if not isinstance(depth_camera, DepthCamera):
        raise TypeError(
            "depth_camera: expected DepthCamera(intrinsics=, clipping=, depth_range=), got "
            f"{type(depth_camera).__name__}"
        )
    labels: dict[int, str] = {}
    for body in caster.scene.bodies:  # many may share a label
        labels[body.label] = ", ".join(filter(None, [labels.get(body.label), body.name]))
    if max(labels, default=0) > LARGEST_LABEL:
        raise ValueError(
            f"label {max(labels)}: expected at most {LARGEST_LABEL}, as label images hold int16"
        )
    clipping = depth_camera.clipping
    seen_by_C = cast_image(caster, colour_intrinsics, X_WC, clipping=clipping)
    seen_by_D = cast_image(caster, depth_camera.intrinsics, X_WD, clipping=clipping)

    colour = PALETTE_RGBA[seen_by_C.label % len(PALETTE_RGBA)]
    colour[~seen_by_C.valid] = NOTHING_RGBA
    return RgbdFrame(
        colour=colour,
        label=seen_by_C.label.astype(np.int16),
        depth_m=measured_depth(seen_by_D.depth_m, depth_camera.depth_range).astype(np.float32),
        colour_intrinsics=colour_intrinsics,
        depth_intrinsics=depth_camera.intrinsics,
        X_WC=X_WC,
        X_WD=X_WD,
        time_s=time_s,
        clipping=clipping,
        depth_range=depth_camera.depth_range,
        channels="RGBA",
        encoding="sRGB codes",
        light="flat colours by label, no light, no exposure",
        label_map=labels | {BACKGROUND: "nothing"},
        label_kind="as the scene numbers its bodies: a class, which many may share",
        producer=f"{caster.capabilities.name} caster",
    )


def colour_of_depth(frame: RgbdFrame) -> NDArray[np.uint8]:
    """The colour image as the depth imager would see it: registration 配准.

    Each depth pixel is unprojected, moved from D to C, and projected: it takes the colour of the
    pixel in which it falls. What stands between C and a point that only D sees lends it its colour:
    occlusion is not looked for.

    Returns:
        (Hd, Wd, 4) uint8 RGBA; transparent where there is no depth, or C does not look.

    Raises:
        TypeError: no frame, no intrinsics, depth in integers, or colours in another type than uint8.
        ValueError: an image of another size than its camera's, no four channels, negative depths.
    """
    if not isinstance(frame, RgbdFrame):
        raise TypeError(f"frame: expected RgbdFrame(...), got {type(frame).__name__}")
    camera = frame.colour_intrinsics
    check_intrinsics(camera, name="colour_intrinsics")
    if frame.colour.dtype != np.uint8:
        raise TypeError(f"colour: expected uint8 from 0 to 255, got {frame.colour.dtype}")
    shaped(frame.colour, (*camera.shape, 4), name="colour")
    depth_m = metres(frame.depth_m, name="depth_m")
    readings = np.where(depth_m > 0, depth_m, np.nan)
    p_DQ = unproject(readings, frame.depth_intrinsics)
    X_CD = frame.X_WC.inv() * frame.X_WD
    p_CQ = X_CD.apply(p_DQ.reshape(-1, 3)).reshape(p_DQ.shape)
    nearest = np.floor(camera.project(p_CQ) - camera.pixel_centre.value + 0.5)
    column, row = np.moveaxis(nearest, -1, 0)
    inside = (column >= 0) & (column < camera.width) & (row >= 0) & (row < camera.height)

    colour = np.full((*frame.depth_m.shape, 4), NOTHING_RGBA, np.uint8)
    colour[inside] = frame.colour[row[inside].astype(int), column[inside].astype(int)]
    return colour
