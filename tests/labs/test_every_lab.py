"""Every lab, in every setting of its page and in some that only a hand reaches: how it looks, and what it says."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from course.display.frames import MAX_FRAMES
from course.outline import find_root, read_outline
from course.teaching.bundle import png
from course.teaching.lab import Lab

CHAPTERS = read_outline(find_root(Path(__file__))).chapters
LABS: list[Lab] = [import_module(f"labs.{name}").LAB for c in CHAPTERS for name in c.labs]
each_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)


def settings(lab: Lab) -> list[dict[str, Any]]:
    """Those of the page, and ten that move every parameter at once."""
    rng = np.random.default_rng(0)
    crossed = [
        {p.name: p.values[rng.integers(len(p.values))] for p in lab.parameters} for _ in range(10)
    ]
    return [*lab.star(), *crossed]


@each_lab
def test_the_page_draws_few_frames(lab: Lab) -> None:
    assert len(lab.star()) <= MAX_FRAMES


@each_lab
def test_every_frame_is_described_in_words_of_its_own(lab: Lab) -> None:
    described = {lab.alt(lab.model(**setting)) for setting in lab.star()}
    assert len(described) == len(lab.star())


@each_lab
def test_one_picture_draws_every_setting_as_a_new_one_would(lab: Lab) -> None:
    kept = lab.picture()
    for setting in settings(lab):
        data, new = lab.model(**setting), lab.picture()
        new.show(data)
        kept.show(data)
        assert png(new.figure) == png(kept.figure), setting


@each_lab
def test_the_figure_is_opaque_and_white(lab: Lab) -> None:
    assert lab.picture().figure.get_facecolor() == (1.0, 1.0, 1.0, 1.0)


@each_lab
def test_letters_have_8_points_or_more_and_words_do_not_overlap(lab: Lab) -> None:
    picture = lab.picture()
    for setting in settings(lab):
        picture.show(lab.model(**setting))
        FigureCanvasAgg(picture.figure).draw()  # texts have places from now on
        axes = picture.figure.axes
        texts = [
            *picture.figure.texts,
            *(t for a in axes for t in (*a.texts, a.xaxis.label, a.yaxis.label, a.title)),
            *(t for a in axes for t in (a._left_title, a._right_title)),
            *(t for a in axes for t in (*a.get_xticklabels(), *a.get_yticklabels())),
        ]
        texts = [t for t in texts if t.get_text() and t.get_visible()]
        boxes = [t.get_window_extent() for t in texts]
        assert min(t.get_fontsize() for t in texts) >= 8
        assert all(picture.figure.bbox.containsx(x) for b in boxes for x in (b.x0, b.x1)), setting
        assert all(picture.figure.bbox.containsy(y) for b in boxes for y in (b.y0, b.y1)), setting
        assert not [
            (texts[i].get_text(), texts[j].get_text())
            for i, a in enumerate(boxes)
            for j, b in enumerate(boxes[:i])
            if a.padded(-1).overlaps(b)
        ], setting
