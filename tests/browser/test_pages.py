"""Every page of the book: weight, widths, accessibility, search, and nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from course.outline import find_root, read_outline

pytestmark = pytest.mark.browser

CHAPTERS = [chapter.notebook.stem for chapter in read_outline(find_root()).chapters]
PAGES = ["index", *CHAPTERS, "scene-of-the-tests", "search", "genindex"]
MAX_PAGE_BYTES = 700_000


class Elements(HTMLParser):
    """The start tags of a page with their attributes."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def test_every_html_page_is_tested(book):
    assert {path.stem for path in book.glob("*.html")} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_resources_come_from_the_book_itself(book, name):
    wanted = []
    for tag, attributes in Elements(book / f"{name}.html").found:
        resource = attributes.get("src") or (attributes.get("href") if tag == "link" else None)
        if resource and attributes.get("rel") not in {"index", "search", "next", "prev"}:
            wanted.append(resource)
    assert wanted
    for resource in wanted:
        assert not re.match(r"(https?:)?//", resource), resource
        if not resource.startswith("data:"):
            assert (book / resource.split("?")[0]).is_file(), resource


def test_styles_name_no_other_host(book):
    for sheet in book.rglob("*.css"):
        css = sheet.read_text(encoding="utf-8")
        assert not re.findall(r"""(?:url\(|@import\s+)\s*["']?(?:https?:)?//""", css), sheet.name


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_picture_has_words_for_an_alt_text(book, name):
    images = [a for tag, a in Elements(book / f"{name}.html").found if tag == "img"]
    assert images
    for image in images:
        assert len(image["alt"].split()) >= 4, image
        assert not re.search(r"\.(png|jpe?g|svg|gif)\b|[0-9a-f]{16}", image["alt"]), image
    assert len({image["alt"] for image in images}) == len(images)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_light_before_the_first_click(page: Page, site, name):
    sizes: dict[str, int] = {}
    page.on("response", lambda reply: sizes.update({reply.url: len(reply.body())}))
    page.goto(f"{site}/{name}.html", wait_until="networkidle")
    assert sum(sizes.values()) < MAX_PAGE_BYTES, sorted(sizes.items(), key=lambda item: -item[1])


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_axe_finds_nothing(page: Page, site, axe, name, scheme, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{site}/{name}.html", wait_until="networkidle")
    open_everything(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") == (scheme == "light")
    assert violations(page, axe) == []


def open_everything(page: Page) -> None:
    """Answer the questions, open the solutions and the scenes."""
    for details in page.locator("details.sd-dropdown").all():
        details.locator("summary").click()
    for form in page.locator(".quiz form, .predict form").all():
        form.locator("input").first.check()
        form.locator("button").click()
    for button in page.locator(".scene3d button").all():
        button.click()
        page.frame_locator(".scene3d iframe").locator("canvas").first.wait_for()


def violations(page: Page, axe: str) -> list[str]:
    # In every frame by itself: the script does not reach from a page into its frames.
    found = []
    for frame in page.frames:
        frame.evaluate(axe)
        # A frame is part of its page, which has the heading.
        rules = {"page-has-heading-one": {"enabled": frame == page.main_frame}}
        options = {"iframes": False, "rules": rules}
        result = frame.evaluate("options => axe.run(document, options)", options)
        assert result["passes"]
        found += [
            f"{violation['id']}: {json.dumps([node['target'] for node in violation['nodes']])}"
            for violation in result["violations"]
        ]
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_page_does_not_scroll_sideways(page: Page, site, name):
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{site}/{name}.html", wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_search_finds_a_word_of_a_chapter(page: Page, site):
    page.goto(f"{site}/index.html")
    page.locator("input[name=q]").fill("range")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=range*")
    page.locator("#search-results li a").first.wait_for()
    targets = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.pathname)")
    assert any(CHAPTERS[0] in target for target in targets)


@pytest.mark.parametrize("name", CHAPTERS)
def test_without_a_script_everything_can_be_read(browser: Browser, site, name):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}/{name}.html")
        assert not page.locator(".lab-controls").first.is_visible()
        assert page.locator(".lab-picture").first.evaluate("image => image.naturalWidth") > 300
        assert page.locator(".lab-readout td").first.inner_text()
        details = page.locator(".quiz details").first
        assert not details.locator("p").is_visible()
        details.locator("summary").click()
        assert details.locator("p").is_visible()
