"""What the reader can move and answer on the book's pages."""

import io
import re
from html import unescape

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from course.commands.book import labs_of
from course.outline import find_root, read_outline

pytestmark = pytest.mark.browser

OUTLINE = read_outline(find_root())
CHAPTER = OUTLINE.chapter("10")
(LAB,) = labs_of(CHAPTER)
SCENE_RED = (0xD1, 0x24, 0x2F)


@pytest.fixture(params=["http", "file"])
def address(request, site, book) -> str:
    """The chapter, from a server and opened as a file."""
    folder = site if request.param == "http" else book.as_uri()
    return f"{folder}/{CHAPTER.notebook.stem}.html"


def readout_of(setting: dict) -> list[str]:
    readout = LAB.readout(LAB.model(**setting))
    return [f"{number:.3f} {unit}".rstrip() for number, unit in readout.values()]


def expect_setting(player: Locator, setting: dict) -> None:
    """The player shows what the model computes for `setting`, in words and numbers."""
    expect(player.locator(".lab-readout td")).to_have_text(readout_of(setting))
    expect(player.locator(".lab-picture")).to_have_attribute("alt", LAB.alt(LAB.model(**setting)))


def pixels(element: Locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(element.screenshot())).convert("RGB"), dtype=int)


def test_lab_follows_the_keyboard(page: Page, address):
    page.goto(address)
    player = page.locator(f'.lab-player[data-lab="{LAB.name}"]')
    picture = player.locator(".lab-picture")
    parameter = LAB.parameters[0]
    values = parameter.page_values
    here = values.index(parameter.default)
    expect_setting(player, LAB.defaults)
    before = pixels(picture)

    slider = player.get_by_role("slider", name=parameter.label)
    slider.focus()
    page.keyboard.press("ArrowRight")

    expect_setting(player, LAB.defaults | {parameter.name: values[here + 1]})
    expect(slider).to_have_attribute("aria-valuetext", parameter.text(values[here + 1]))
    expect(player.locator(".lab-value").first).to_have_text(parameter.text(values[here + 1]))
    expect(player.get_by_role("status")).to_contain_text(parameter.text(values[here + 1]))
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    changed = (pixels(picture) != before).any(axis=2).mean()
    assert changed > 0.001
    page.keyboard.press("ArrowLeft")
    expect_setting(player, LAB.defaults)
    np.testing.assert_array_equal(pixels(picture), before)


def test_lab_follows_the_mouse(page: Page, address):
    page.goto(address)
    player = page.locator(".lab-player")
    parameter = LAB.parameters[0]
    before = pixels(player.locator(".lab-picture"))
    slider = player.get_by_role("slider", name=parameter.label)
    box = slider.bounding_box()
    slider.click(position={"x": 2, "y": box["height"] / 2})
    expect_setting(player, LAB.defaults | {parameter.name: parameter.page_values[0]})
    assert (pixels(player.locator(".lab-picture")) != before).any()


def test_moving_one_parameter_puts_the_others_back(page: Page, address):
    first, second = LAB.parameters[:2]
    page.goto(address)
    player = page.locator(".lab-player")
    player.get_by_role("slider", name=first.label).press("End")
    expect_setting(player, LAB.defaults | {first.name: first.page_values[-1]})
    player.get_by_role("slider", name=second.label).press("Home")
    expect_setting(player, LAB.defaults | {second.name: second.page_values[0]})
    expect(player.locator(".lab-value").first).to_have_text(first.text(first.default))


def test_frames_are_loaded_when_they_are_needed(page: Page, site):
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{site}/{CHAPTER.notebook.stem}.html", wait_until="networkidle")
    count = sum("/_static/labs/" in url for url in loaded)
    assert count == 1
    page.locator(".lab-player input").first.press("ArrowRight")
    page.wait_for_load_state("networkidle")
    assert 1 < sum("/_static/labs/" in url for url in loaded) <= 5


def test_two_players_on_one_page_do_not_disturb_each_other(page: Page, site):
    # The page is doubled before its scripts run, as if a chapter had shown the lab twice.
    def doubled(route):
        reply = route.fetch()
        player = re.search(r'<div class="lab-player".*?</script></div>', reply.text(), re.DOTALL)[0]
        route.fulfill(response=reply, body=reply.text().replace(player, player * 2))

    page.route(f"**/{CHAPTER.notebook.stem}.html", doubled)
    page.goto(f"{site}/{CHAPTER.notebook.stem}.html")
    parameter = LAB.parameters[0]
    one, two = page.locator(".lab-player").all()
    two.get_by_role("slider", name=parameter.label).press("Home")
    expect_setting(two, LAB.defaults | {parameter.name: parameter.page_values[0]})
    expect_setting(one, LAB.defaults)


def test_quiz_answers_each_choice(page: Page, address):
    page.goto(address)
    assert page.locator(".quiz form").count() == len(LAB.quiz) > 0
    for question in LAB.quiz:
        form = page.locator(f'.quiz[data-name="{question.name}"] form')
        answer = form.get_by_role("status")
        form.get_by_role("button", name="Check").click()
        expect(answer).to_have_text("Choose an answer first.")
        for choice in question.choices:
            form.get_by_label(choice.text, exact=True).check()
            form.get_by_role("button", name="Check").click()
            verdict = "Right." if choice.right else "Not quite."
            expect(answer).to_have_text(f"{verdict} {choice.feedback}")


def test_a_prediction_is_kept_and_marked(page: Page, address):
    prediction = LAB.predictions[0]
    page.goto(address)
    form = page.locator(f'.predict[data-name="{prediction.name}"] form')
    committed = page.locator(f'.reconcile[data-name="{prediction.name}"] .committed')
    assert committed.count() == 0
    text = f"{prediction.choices[1].value:.3f} {prediction.unit}"
    form.get_by_label(text).check()
    form.get_by_role("button", name="Commit").click()
    expect(form.get_by_role("status")).to_have_text(
        f"Committed: {text}; read on, the next cell measures it."
    )
    expect(committed).to_have_count(1)
    expect(committed).to_contain_text("Your prediction.")
    expect(committed).to_contain_text(text)

    page.reload()
    expect(form.get_by_label(text)).to_be_checked()
    expect(form.get_by_role("button", name="Commit")).to_be_hidden()
    expect(committed).to_contain_text(text)


def test_a_prediction_works_where_storage_is_refused(page: Page, site):
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', {get() { throw new Error('refused'); }})"
    )
    page.goto(f"{site}/{CHAPTER.notebook.stem}.html")
    form = page.locator(".predict form").first
    form.locator("input").nth(2).check()
    form.get_by_role("button", name="Commit").click()
    expect(page.locator(".reconcile .committed")).to_have_count(1)


def share_of(color: tuple[int, int, int], image: np.ndarray) -> float:
    """Share of the pixels that have the hue of `color`, lit or in shadow."""
    vectors = image / np.maximum(np.linalg.norm(image, axis=2, keepdims=True), 1)
    alike = vectors @ (np.array(color) / np.linalg.norm(color))
    return float((alike > 0.99).mean())


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_scene_is_drawn_after_the_click(page: Page, site, book, scheme, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site if scheme == 'http' else book.as_uri()}/scene-of-the-tests.html")
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name="Show the 3D scene").press("Enter")
    frame = page.locator("iframe")
    assert frame.get_attribute("title") == "3D scene: A red box"
    page.wait_for_function(
        "document.activeElement.tagName === 'IFRAME'"
    )  # whoever opened it by keyboard is already there
    shot = wait_for_color(page, frame)
    assert share_of(SCENE_RED, shot) > 0.02
    # All of the box is in view: its colour touches no edge of the frame.
    inner = np.linalg.norm(shot / 255 - np.array([1, 1, 1]), axis=2) > 0.5
    assert not inner[5:40].any()
    assert not inner[:, 5:8].any()
    assert not inner[:, -8:-5].any()


def test_a_scene_turns_by_keyboard(page: Page, site):
    page.goto(f"{site}/scene-of-the-tests.html")
    page.get_by_role("button", name="Show the 3D scene").click()
    frame = page.locator("iframe")
    before = wait_for_color(page, frame)
    page.frame_locator("iframe").get_by_role("application").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    after = pixels(frame)
    assert (np.abs(after - before).max(axis=2) > 30).mean() > 0.02
    assert share_of(SCENE_RED, after) > 0.02


def wait_for_color(page: Page, frame: Locator) -> np.ndarray:
    for _ in range(50):
        shot = pixels(frame)
        if share_of(SCENE_RED, shot) > 0.001:
            return shot
        page.wait_for_timeout(100)
    pytest.fail("the scene was not drawn within 5 s")


def test_words_in_the_page_are_those_of_the_lab(book):
    html = (book / f"{CHAPTER.notebook.stem}.html").read_text(encoding="utf-8")
    assert LAB.alt(LAB.model(**LAB.defaults)) in unescape(html)
