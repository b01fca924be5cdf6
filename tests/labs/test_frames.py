"""The lab against closed forms; and what it reads out, says and draws in every setting that a reader can reach."""

from itertools import product

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from labs.frames import LAB, TwoFrames, TwoViews, alt, camera_pose, model, readout

EXTREMES = [
    dict(zip(LAB.defaults, values, strict=True))
    for values in product(*((p.values[0], p.default, p.values[-1]) for p in LAB.parameters))
]


def default(**changes: float) -> TwoFrames:
    return LAB.model(**LAB.defaults | changes)


def numbers(data: TwoFrames) -> dict[str, float]:
    return {name: number for name, (number, _unit) in readout(data).items()}


@pytest.mark.parametrize("setting", EXTREMES, ids=str)
def test_reads_the_closed_forms(setting):
    yaw = np.deg2rad(setting["yaw_deg"])
    x, y, z = (setting[name] for name in ("x_m", "y_m", "z_m"))
    assert numbers(model(**setting)) == pytest.approx(
        {
            "x of W": x,
            "y of W": y,
            "z of W": z,
            "x of C": x * np.sin(yaw) - y * np.cos(yaw),
            "y of C": setting["height_m"] - z,
            "z of C": x * np.cos(yaw) + y * np.sin(yaw),
            "distance from the camera": np.sqrt(x**2 + y**2 + (z - setting["height_m"]) ** 2),
        },
        rel=0,
        abs=1e-11,
    )


@pytest.mark.parametrize("setting", EXTREMES, ids=str)
def test_the_pose_takes_the_point_back_to_the_world(setting):
    data = model(**setting)
    np.testing.assert_allclose(data.X_WC.apply(data.p_C), data.p_W, rtol=0, atol=1e-11)


def test_what_a_turn_changes_and_what_it_leaves():
    before, after = (numbers(default(yaw_deg=yaw)) for yaw in (0, 20))
    changed = {name for name in before if before[name] != pytest.approx(after[name], abs=1e-9)}
    assert changed == {"x of C", "z of C"}


def test_what_raising_the_camera_changes_and_what_it_leaves():
    before, after = (numbers(default(height_m=height)) for height in (1.25, 1.75))
    changed = {name for name in before if before[name] != pytest.approx(after[name], abs=1e-9)}
    assert changed == {"y of C", "distance from the camera"}
    assert after["y of C"] - before["y of C"] == pytest.approx(0.5, abs=1e-9)


def test_y_of_the_camera_falls_as_the_point_rises():
    low, high = (numbers(default(z_m=z)) for z in (0.5, 2.0))
    assert high["y of C"] - low["y of C"] == pytest.approx(-1.5, abs=1e-9)


@pytest.mark.parametrize(
    ("yaw_deg", "forward_W"),
    [(0, (1, 0, 0)), (90, (0, 1, 0)), (-90, (0, -1, 0)), (180, (-1, 0, 0))],
)
def test_a_positive_yaw_turns_to_the_left_and_leaves_the_camera_upright(yaw_deg, forward_W):
    X_WC = camera_pose(yaw_deg=yaw_deg, height_m=1.2)
    _right, down, forward = X_WC.rotation.as_matrix().T
    np.testing.assert_allclose(forward, forward_W, rtol=0, atol=1e-15)
    np.testing.assert_allclose(down, [0, 0, -1], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(X_WC.translation, [0, 0, 1.2])


def test_no_number_reads_as_minus_zero():
    for setting in EXTREMES:
        for number in numbers(model(**setting)).values():
            assert f"{number:.3f}" != "-0.000"


def test_nothing_computed_can_be_changed():
    for array in (default().p_W, default().p_C):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"yaw_deg": np.nan}, ValueError, "yaw_deg: expected a number in deg, got nan"),
        ({"yaw_deg": np.inf}, ValueError, "yaw_deg: expected a finite number in deg, got inf"),
        ({"height_m": "1.5"}, TypeError, "height_m: expected a number in m, got '1.5'"),
        ({"x_m": np.inf}, ValueError, "translation: expected finite numbers, got inf"),
    ],
)
def test_refuses_what_is_no_place(wrong, error, message):
    with pytest.raises(error, match=message):
        default(**wrong)


def test_every_setting_is_described_in_words_of_its_own():
    settings = list(product(*(p.values[::3] for p in LAB.parameters)))
    described = {alt(model(**dict(zip(LAB.defaults, s, strict=True)))) for s in settings}
    assert len(described) == len(settings) > 300


def test_words_say_on_which_side():
    assert "turned 30 degrees to the left" in alt(default())
    assert "turned 30 degrees to the right" in alt(default(yaw_deg=-30))
    assert "looking along x of the world" in alt(default(yaw_deg=0))
    assert "2.60 m ahead, 1.50 m to the right and 1.00 m below" in alt(default())
    assert "1.50 m to the left and 0.50 m above" in alt(default(yaw_deg=-30, z_m=2.0))


def test_every_line_is_inside_its_panel():
    picture = TwoViews()
    for setting in EXTREMES:
        picture.show(model(**setting))
        for axes in picture.figure.axes:
            (left, right), (low, high) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
            for line in axes.lines:
                x, y = line.get_data()
                assert left <= np.min(x) <= np.max(x) <= right, setting
                assert low <= np.min(y) <= np.max(y) <= high, setting


def test_the_panels_show_one_scale_so_lengths_can_be_compared():
    picture = TwoViews()
    FigureCanvasAgg(picture.figure).draw()
    above, seen = picture.figure.axes
    scales = [abs(a.transData.get_matrix()[i, i]) for a in (above, seen) for i in (0, 1)]
    assert scales == pytest.approx([scales[0]] * 4, rel=1e-6)


def test_the_axes_are_told_apart_without_colour():
    picture = TwoViews()
    named = [
        line
        for axes in picture.figure.axes
        for line in axes.lines
        if not str(line.get_label()).startswith("_")
    ]
    looks = {line.get_linestyle() for line in named}
    assert len(looks) == len(named) == 4
