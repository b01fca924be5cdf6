import io
import json
import re
import sys
from dataclasses import dataclass, replace
from html import unescape

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from course.display import frames as frames_module
from course.display.player import frames, player_html
from course.teaching.bundle import png
from course.teaching.lab import Lab, Parameter

DRAWN: list[dict] = []  # settings that a picture was asked to show


@dataclass(frozen=True, kw_only=True)
class Slope:
    angle: float
    length: float

    @property
    def height(self) -> float:
        return self.length * np.sin(np.deg2rad(self.angle))


class SlopePicture:
    def __init__(self) -> None:
        self.figure = Figure(figsize=(3, 2))
        (self._line,) = self.figure.add_subplot(xlim=(0, 5), ylim=(0, 5)).plot([], [])

    def show(self, data: Slope) -> None:
        DRAWN.append({"angle": data.angle, "length": data.length})
        a = np.deg2rad(data.angle)
        self._line.set_data([0, data.length * np.cos(a)], [0, data.length * np.sin(a)])


def slope_alt(data: Slope) -> str:
    return f"A line of {data.length:g} m at {data.angle:g} degrees."


def slope_readout(data: Slope) -> dict:
    return {"height": (data.height, "m"), "count </script>": (1, "")}


SLOPE = Lab(
    name="slope",
    title="A slope",
    parameters=(
        Parameter(
            name="angle", label="Angle", unit="deg", values=(0, 10, 20, 30, 40), default=10, every=2
        ),
        Parameter(name="length", label="Length", unit="m", values=(1.0, 2.0), default=2.0),
    ),
    model=Slope,
    picture=SlopePicture,
    readout=slope_readout,
    alt=slope_alt,
)


@pytest.fixture(autouse=True)
def _nothing_drawn():
    DRAWN.clear()


def manifest(html: str) -> dict:
    return json.loads(re.search(r'class="lab-manifest">(.*?)</script>', html)[1])


def test_draws_the_star_with_one_picture(tmp_path, monkeypatch):
    built = []
    lab = replace(SLOPE, picture=SlopePicture)
    monkeypatch.setattr(SlopePicture, "__init__", counted(SlopePicture.__init__, built))
    drawn = frames(lab, tmp_path)
    assert [frame.setting for frame in drawn] == [
        {"angle": 10, "length": 2.0},
        {"angle": 0, "length": 2.0},
        {"angle": 20, "length": 2.0},
        {"angle": 40, "length": 2.0},
        {"angle": 10, "length": 1.0},
    ]
    assert [frame.setting for frame in drawn] == DRAWN
    assert len(built) == 1
    assert len({frame.file.read_bytes() for frame in drawn}) == 5
    assert {frame.size for frame in drawn} == {(300, 200)}
    assert drawn[0].readout["height"] == (pytest.approx(2 * np.sin(np.deg2rad(10))), "m")


def test_a_frame_is_smaller_than_its_picture_and_looks_the_same(tmp_path):
    class Coloured(SlopePicture):
        def __init__(self):
            super().__init__()
            axes = self.figure.axes[0]
            axes.imshow(np.hypot(*np.mgrid[0:5:90j, 0:5:90j]), extent=(0, 5, 0, 5))

    drawn = frames(replace(SLOPE, picture=Coloured), tmp_path)
    picture = Coloured()
    for frame in drawn:
        picture.show(Slope(**frame.setting))
        content = png(picture.figure)
        assert frame.file.stat().st_size < 0.6 * len(content)
        with Image.open(frame.file) as stored, Image.open(io.BytesIO(content)) as whole:
            difference = np.subtract(stored.convert("RGB"), whole.convert("RGB"), dtype=float)
        assert np.abs(difference).mean() < 1  # of 255
        # The rest are blends of two colours along an edge.
        assert np.quantile(np.abs(difference), 0.99) < 8


def counted(function, calls):
    def call(*args):
        calls.append(args)
        return function(*args)

    return call


def test_a_second_run_draws_nothing_and_says_the_same(tmp_path):
    first = frames(SLOPE, tmp_path)
    DRAWN.clear()
    assert frames(SLOPE, tmp_path) == first
    assert DRAWN == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda frame: frame.file.write_bytes(frame.file.read_bytes()[:-9]),
        lambda frame: frame.file.unlink(),
        lambda frame: frame.file.with_suffix(".json").write_text('{"sha256": 1'),
        lambda frame: frame.file.with_suffix(".json").write_text("[]"),
        lambda frame: frame.file.with_suffix(".json").unlink(),
    ],
)
def test_a_damaged_record_is_drawn_again(tmp_path, damage):
    first = frames(SLOPE, tmp_path)
    whole = first[2].file.read_bytes()
    damage(first[2])
    DRAWN.clear()
    assert frames(SLOPE, tmp_path) == first
    assert [first[2].setting] == DRAWN
    assert first[2].file.read_bytes() == whole


def test_frames_are_redrawn_when_the_source_of_an_imported_module_changes(tmp_path, monkeypatch):
    package = tmp_path / "tinylab"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "optics.py").write_text("FACTOR = 1.0\n")
    (package / "lab.py").write_text(
        "from .optics import FACTOR\n"
        "def model(x): return x * FACTOR\n"
        "def readout(data): return {'x': (data, 'm')}\n"
        "def alt(data): return f'A line to {data}.'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import tinylab.lab as tiny

    class Picture:
        def __init__(self):
            self.figure = Figure(figsize=(1, 1))

        def show(self, data):
            DRAWN.append(data)

    lab = Lab(
        name="tiny",
        title="Tiny",
        parameters=(Parameter(name="x", label="x", unit="m", values=(1.0,), default=1.0),),
        model=tiny.model,
        picture=Picture,
        readout=tiny.readout,
        alt=tiny.alt,
    )
    frames(lab, tmp_path / "cache")
    frames(lab, tmp_path / "cache")
    assert len(DRAWN) == 1
    (package / "optics.py").write_text("FACTOR = 2.0\n")
    frames(lab, tmp_path / "cache")
    assert len(DRAWN) == 2
    for name in ("tinylab", "tinylab.optics", "tinylab.lab"):
        del sys.modules[name]


def test_refuses_too_many_frames_before_drawing(tmp_path):
    fine = Parameter(name="angle", label="Angle", unit="deg", values=tuple(range(60)), default=0)
    lab = replace(SLOPE, parameters=(fine, SLOPE.parameters[1]))
    with pytest.raises(ValueError, match=r"61 frames \(angle 60, length 2\), expected at most 60"):
        frames(lab, tmp_path)
    assert DRAWN == []


def test_refuses_too_many_bytes(tmp_path, monkeypatch):
    size = sum(frame.file.stat().st_size for frame in frames(SLOPE, tmp_path))
    monkeypatch.setattr(frames_module, "MAX_BYTES", size)
    frames(SLOPE, tmp_path)
    monkeypatch.setattr(frames_module, "MAX_BYTES", size - 1)
    with pytest.raises(ValueError, match=f"has {size} bytes in 5 frames, expected at most"):
        frames(SLOPE, tmp_path)


def test_the_page_is_complete_without_a_script(tmp_path):
    drawn = frames(SLOPE, tmp_path)
    html = player_html(SLOPE, drawn, "_static/labs/slope/")
    (image,) = re.findall(r"<img [^>]*>", html)
    assert f'src="_static/labs/slope/{drawn[0].file.name}"' in image
    assert 'width="300" height="200"' in image
    assert 'alt="A line of 2 m at 10 degrees."' in image
    assert re.search(r'<th scope="row">height</th><td>0.347 m</td>', html)
    assert re.search(r'<div class="lab-controls"[^>]* hidden>', html)


def test_manifest_leads_from_each_value_to_its_frame(tmp_path):
    drawn = frames(SLOPE, tmp_path)
    data = manifest(player_html(SLOPE, drawn, "f/"))
    angle, length = data["parameters"]
    assert angle["texts"] == ["0 deg", "10 deg", "20 deg", "40 deg"]
    assert length["texts"] == ["1 m", "2 m"]
    for parameter, name, values in ((angle, "angle", (0, 10, 20, 40)), (length, "length", (1, 2))):
        assert len(parameter["frames"]) == len(values)
        for index, value in zip(parameter["frames"], values, strict=True):
            assert drawn[index].setting == SLOPE.defaults | {name: value}
            assert data["frames"][index]["src"] == f"f/{drawn[index].file.name}"
            assert data["frames"][index]["alt"] == drawn[index].alt
        assert parameter["frames"][parameter["default"]] == 0


def test_words_cannot_end_the_manifest_early(tmp_path):
    html = player_html(SLOPE, frames(SLOPE, tmp_path), "f/")
    assert html.count("</script>") == 1
    assert manifest(html)["frames"][0]["readout"][1] == ["count </script>", "1.000"]
    assert "count </script>" in unescape(html)


def test_nothing_has_an_id_so_that_two_players_can_share_a_page(tmp_path):
    assert not re.search(r'\b(id|for)="', player_html(SLOPE, frames(SLOPE, tmp_path), "f/"))


@pytest.mark.parametrize(
    ("alt", "message"),
    [
        (lambda _data: "A line.", "look different but share the alt text 'A line.'"),
        (lambda data: f"slope-{data.angle}-{data.length}.png", "expected words"),
        (lambda _data: " ", "expected words"),
    ],
)
def test_refuses_alt_texts_that_do_not_tell_the_pictures_apart(tmp_path, alt, message):
    lab = replace(SLOPE, alt=alt)
    with pytest.raises(ValueError, match=message):
        player_html(lab, frames(lab, tmp_path), "f/")


def test_refuses_the_frames_of_another_lab(tmp_path):
    drawn = frames(SLOPE, tmp_path)
    with pytest.raises(ValueError, match="the 4 frames given are not those of lab 'slope'"):
        player_html(SLOPE, drawn[:4], "f/")
