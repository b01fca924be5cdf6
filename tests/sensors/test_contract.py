"""Contracts: a complete observation has no fault, and each thing that is missing or wrong has its own."""

from dataclasses import replace

import numpy as np
import pytest

from course.sensors.contract import Observation, faults, require
from course.sensors.intrinsics import Intrinsics, PixelCentre
from course.sensors.products import (
    COLOUR,
    DEPTH,
    DEPTH_16U,
    FORCE,
    SCAN,
    SEGMENTATION,
    SPECIFIC_FORCE,
    Contract,
)

CAMERA = Intrinsics.from_vertical_fov(
    width=4, height=3, fov_y_rad=1.0, pixel_centre=PixelCentre.HALF
)
OF_DEPTH = {"quantity": "axial depth", "ranges": "drawn 0.01 to 10 m, measured 0.1 to 5 m"}
FORCE_STATES = {"components": "xyz", "acts_on": "foot, origin", "step": "1 ms"}
COMMON = {"producer": "a test", "frame": "C", "time_s": 0.25, "complete": True}


def complete(contract: Contract) -> Observation:
    """An observation of this product without a fault."""
    values, states = {
        "colour image": (
            np.zeros((3, 4, 4), np.uint8),
            {"channels": "RGBA", "encoding": "sRGB", "light": "flat colours"},
        ),
        "depth image": (np.full((3, 4), 2.0, np.float32), OF_DEPTH),
        "depth image in 16 bits": (np.full((3, 4), 2000, np.uint16), OF_DEPTH),
        "label image": (
            np.zeros((3, 4), np.int16),
            {"label_map": {0: "floor"}, "kind": "class"},
        ),
        "range scan": (
            np.full(5, 2.0),
            {"directions": np.zeros((5, 3)), "returns": "first", "geometry": "collision shapes"},
        ),
        "force": (np.array([0.0, 0.0, -9.81]), FORCE_STATES),
        "specific force": (
            np.zeros(3),
            {"components": "xyz", "filter": "none", "step": "1 ms"},
        ),
    }[contract.product]
    camera = {"intrinsics": CAMERA} if "intrinsics" in contract.states else {}
    return Observation(
        contract=contract, values=values, unit=contract.unit, states=camera | states, **COMMON
    )


EVERY = pytest.mark.parametrize(
    "contract",
    [COLOUR, DEPTH, DEPTH_16U, SEGMENTATION, SCAN, FORCE, SPECIFIC_FORCE],
    ids=lambda contract: contract.product,
)


@EVERY
def test_a_complete_observation_has_no_fault(contract: Contract) -> None:
    assert faults(complete(contract)) == ()
    require(complete(contract))


@EVERY
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"producer": ""}, "nobody is named who made it"),
        ({"frame": ""}, "no frame is named"),
        ({"unit": "furlong"}, "expected the unit"),
        ({"time_s": None}, "no time is stated"),
        ({"time_s": float("nan")}, "nan is no time"),
        ({"time_s": "now"}, "'now' is no time"),
        ({"time_s": (2.0, 1.0)}, "(2.0, 1.0) is no time"),
        ({"complete": None}, "whether it is complete is not stated"),
        ({"valid": np.ones((9, 9), np.bool_)}, "the mask has shape (9, 9)"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_each_omission_is_one_fault(contract: Contract, change: dict, fault: str) -> None:
    (found,) = faults(replace(complete(contract), **change))
    assert fault in found


@EVERY
def test_each_statement_of_the_contract_is_asked_for(contract: Contract) -> None:
    whole = complete(contract)
    assert contract.states
    for name, why in contract.states.items():
        rest = {other: value for other, value in whole.states.items() if other != name}
        assert faults(replace(whole, states=rest)) == (f"{name} not stated: {why}",)


@EVERY
def test_a_number_of_another_type_is_a_fault(contract: Contract) -> None:
    whole = complete(contract)
    (found,) = faults(replace(whole, values=whole.values.astype(np.int64)))
    assert found.endswith("got int64")


@pytest.mark.parametrize("contract", [COLOUR, DEPTH, SEGMENTATION], ids=lambda c: c.product)
def test_an_image_belongs_to_an_instant(contract: Contract) -> None:
    (found,) = faults(replace(complete(contract), time_s=(0.0, 0.1)))
    assert found == "expected an instant, got from 0.0 to 0.1 s"
    assert faults(replace(complete(SCAN), time_s=(0.0, 0.1))) == ()


def depth(values: np.ndarray, **changes: object) -> tuple[str, ...]:
    return faults(replace(complete(DEPTH), values=values, **changes))


def test_rows_and_columns_that_are_swapped_are_told() -> None:
    (found,) = depth(np.full((4, 3), 2.0, np.float32))
    assert found == (
        "the camera takes images of (H, W) = (3, 4), got (4, 3): rows and columns are swapped"
    )
    (found,) = depth(np.full((5, 5), 2.0, np.float32))
    assert found == "the camera takes images of (H, W) = (3, 4), got (5, 5)"


def test_a_channel_axis_is_told() -> None:
    (found,) = depth(np.full((3, 4, 1), 2.0, np.float32))
    assert found == ("expected shape (H, W), got (3, 4, 1); take the one channel: values[..., 0]")


def test_an_empty_image_is_told() -> None:
    (found,) = depth(np.zeros((0, 0), np.float32))
    assert found == "it is empty, shape (0, 0): nothing was taken yet"


def test_marks_of_the_contract_are_no_faults_and_others_are() -> None:
    values = np.array([[0, np.inf, 2, 2]] * 3, np.float32)
    assert depth(values) == ()
    values[0, 2:] = np.nan, -1
    assert depth(values) == (
        "1 values are nan or infinite, and neither masked nor a mark of the contract",
        "1 values are 0 or less, and neither masked nor a mark of the contract",
    )
    assert depth(values, valid=np.isfinite(values) & (values > 0)) == ()


def test_a_distance_of_0_that_no_contract_names_is_a_missing_value() -> None:
    """In a depth image 0 is a mark; in a scan it would be a beam that hits the scanner."""
    beams = np.array([2.0, 0.0, np.inf, 3.0, 0.0])
    (found,) = faults(replace(complete(SCAN), values=beams))
    assert found == "2 values are 0 or less, and neither masked nor a mark of the contract"
    masked = replace(complete(SCAN), values=beams, valid=(beams > 0) & np.isfinite(beams))
    assert faults(masked) == ()


def test_a_mask_that_calls_a_mark_valid_is_told() -> None:
    values = np.array([[0, np.inf, 2, 2]] * 3, np.float32)
    assert depth(values, valid=np.ones((3, 4), np.bool_)) == (
        "6 values are marks of no reading, but the mask calls them valid",
    )


def test_a_force_may_be_negative_but_not_nan() -> None:
    (found,) = faults(replace(complete(FORCE), values=np.array([0.0, np.nan, -1.0])))
    assert found.startswith("1 values are nan")


def test_a_mask_is_true_and_false() -> None:
    (found,) = depth(np.full((3, 4), 2.0, np.float32), valid=np.ones((3, 4)))
    assert found == "the mask holds float64, expected True and False"


def test_every_label_has_a_name() -> None:
    labels = np.array([[0, 7, 0, -1]] * 3, np.int16)
    (found,) = faults(replace(complete(SEGMENTATION), values=labels))
    assert found == "labels -1, 7 are in the image, but not in the map"


def test_channels_are_counted() -> None:
    states = dict(complete(COLOUR).states) | {"channels": "RGB"}
    (found,) = faults(replace(complete(COLOUR), states=states))
    assert found == "channels RGB are 3, the array has 4"


def test_all_faults_are_told_at_once() -> None:
    bare = Observation(contract=DEPTH, values=np.zeros((3, 4, 1)))
    with pytest.raises(ValueError, match=r"^depth image: ") as refused:
        require(bare)
    for part in ("take the one channel", "nobody", "frame", "unit", "time", "intrinsics"):
        assert part in str(refused.value)


def test_values_are_copied_and_kept() -> None:
    source = np.full((3, 4), 2.0, np.float32)
    kept = replace(complete(DEPTH), values=source)
    source[:] = 3.0
    assert (kept.values == 2.0).all()
    with pytest.raises(ValueError, match="read-only"):
        kept.values[0, 0] = 1.0
    with pytest.raises(TypeError):
        kept.states["quantity"] = "range"


def test_the_card_answers_or_says_that_nobody_did() -> None:
    lines = dict(line.split("  ", 1) for line in complete(DEPTH).card().splitlines())
    assert {name: text.strip() for name, text in lines.items()} == {
        "what": "depth image",
        "producer": "a test",
        "frame": "C",
        "unit": "m",
        "time": "at 0.25 s",
        "shape": "(3, 4) float32",
        "no reading": "0 too close, inf too far, or nothing there",
        "complete": "yes",
        "intrinsics": "4 x 3 pixels, fx 2.7, centre of the first pixel at 0.5",
        "quantity": "axial depth",
        "ranges": "drawn 0.01 to 10 m, measured 0.1 to 5 m",
    }
    bare = Observation(contract=DEPTH, values=np.zeros((3, 4))).card()
    assert bare.count("not stated") == 8


# --- what was let through, or broke the card ---------------------------------------------------


@EVERY
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"producer": "  "}, "nobody is named who made it"),
        ({"frame": " "}, "no frame is named"),
        ({"time_s": True}, "True is no time"),
        ({"time_s": 10**400}, "is no time"),
        ({"complete": "no"}, "complete: expected True or False, got 'no'"),
        ({"complete": 1}, "complete: expected True or False, got 1"),
        ({"valid": True}, "the mask has shape ()"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_only_looks_like_a_statement_is_a_fault(
    contract: Contract, change: dict, fault: str
) -> None:
    changed = replace(complete(contract), **change)
    (found,) = faults(changed)
    assert fault in found
    assert changed.card()


@EVERY
@pytest.mark.parametrize("nothing", ["  ", (), {}, np.zeros(0)], ids=repr)
def test_a_collection_of_nothing_states_nothing(contract: Contract, nothing: object) -> None:
    whole = complete(contract)
    for name, why in contract.states.items():
        states = {**whole.states, name: nothing}
        assert faults(replace(whole, states=states)) == (f"{name} not stated: {why}",)


def test_a_mask_of_rows_is_none_of_pixels() -> None:
    (found,) = depth(np.full((3, 4), 2.0, np.float32), valid=np.ones(3, np.bool_))
    assert found == "the mask has shape (3,), the array (3, 4)"
    assert faults(replace(complete(COLOUR), valid=np.ones((3, 4), np.bool_))) == ()


def test_the_card_counts_no_mask_that_is_none() -> None:
    masked = replace(complete(DEPTH), valid=np.ones((3, 4)))
    assert "masked" not in masked.card()


def stated(contract: Contract, **states: object) -> tuple[str, ...]:
    whole = complete(contract)
    return faults(replace(whole, states={**whole.states, **states}))


def test_statements_that_count_an_axis_are_counted() -> None:
    assert stated(COLOUR, channels=list("RGB")) == (
        "channels ('R', 'G', 'B') are 3, the array has 4",
    )
    assert stated(COLOUR, channels=list("RGBA")) == ()
    assert stated(FORCE, components=("x", "y")) == ("components ('x', 'y') are 2, the array has 3",)
    assert stated(FORCE, components="along x, y and z of the world") == ()
    assert stated(SCAN, directions=np.zeros((7, 3))) == ("directions are 7, the array has 5",)
    assert stated(SCAN, directions="one degree apart") == ()


def test_intrinsics_and_label_maps_are_of_their_kind() -> None:
    assert stated(DEPTH, intrinsics=np.eye(3)) == (
        "intrinsics: expected Intrinsics(...), got ndarray",
    )
    assert stated(SEGMENTATION, label_map=["floor"]) == (
        "label_map: expected number -> name, got tuple",
    )


def test_one_word_of_a_shape_is_one_length() -> None:
    square = Contract(
        product="square",
        shape=("n", "n"),
        dtypes=("float64",),
        unit="",
        times=("an instant",),
    )
    assert faults(Observation(contract=square, values=np.ones((2, 2)), **COMMON)) == ()
    assert faults(Observation(contract=square, values=np.ones((2, 3)), **COMMON)) == (
        "expected shape (n, n), one length for each word, got (2, 3)",
    )


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_mark_is_what_the_type_of_number_stores(kind: type) -> None:
    """0.1 in float32 is not 0.1, and nan is not nan: both are marks all the same."""
    marked = Contract(
        product="marked",
        shape=("n",),
        dtypes=("float32", "float64"),
        unit="m",
        times=("an instant",),
        marks={np.nan: "not known", -0.1: "too close", 1e300: "too far"},
        signed=False,
    )
    values = np.array([np.nan, -0.1, 2.0], kind)
    seen = Observation(contract=marked, values=values, unit="m", **COMMON)
    assert faults(seen) == ()
    assert faults(replace(seen, valid=np.ones(3, np.bool_))) == (
        "2 values are marks of no reading, but the mask calls them valid",
    )
    (fault,) = faults(replace(seen, values=np.array([np.inf, 2.0], kind)))  # not 1e300
    assert fault.startswith("1 values are nan or infinite")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"contract": "depth"}, TypeError, "contract: expected one such as DEPTH, got 'depth'"),
        ({"values": None}, TypeError, "values: expected an array, got None"),
        ({"values": np.ma.ones((3, 4))}, TypeError, "values: expected an array, got a masked one"),
        ({"values": [[1], [1, 2]]}, ValueError, "values: expected an array, got rows of different"),
        ({"states": None}, TypeError, "states: expected name -> statement, got None"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_cannot_be_kept_is_refused(change: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        replace(complete(DEPTH), **change)


def test_statements_are_copied_too() -> None:
    directions, names = np.zeros((5, 3)), {0: "floor"}
    scan = replace(complete(SCAN), states={**complete(SCAN).states, "directions": directions})
    labels = replace(
        complete(SEGMENTATION), states={**complete(SEGMENTATION).states, "label_map": names}
    )
    directions[:] = 7
    names.clear()
    assert (scan.states["directions"] == 0).all()
    assert labels.states["label_map"] == {0: "floor"}
    with pytest.raises(ValueError, match="read-only"):
        scan.states["directions"][0] = 1
    with pytest.raises(TypeError):
        labels.states["label_map"][1] = "wall"
