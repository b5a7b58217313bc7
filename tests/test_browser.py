"""What a reader's browser makes of the built site.

``SITE_HTML`` names a folder that was built already; otherwise the site is built here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser_pages import (
    PHONE,
    SEEN,
    SHIFTS,
    WIDE,
    Served,
    Visit,
    browser,
    built,
    visit_all,
)
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LARGEST, MOST = 45_000, 20
PAGE = "transfer/pinned_memory.html"
LEDGER = "evidence/ledger.html"
EXAMPLE = "gallery/transfer/pinned_copy_is_faster.html"
WORDS = ("pinned memory", "non_blocking", "allow_tf32", "elapsed_time", "empty_cache")

#: The first move after those that were seen. Playwright's own waiting evaluates text
#: again and again, which the page's content security policy forbids.
NEXT_MOVE = """
(seen) => new Promise((resolve) => {
  const look = () => {
    if (window.shifts.length > seen) resolve(window.shifts.at(-1));
    else setTimeout(look, 50);
  };
  look();
})
"""

#: How many marked words of the text are within the window.
MARKS_IN_VIEW = """
[...document.querySelectorAll("[role=main] span.highlighted")].filter((mark) => {
  const { top, bottom } = mark.getBoundingClientRect();
  return mark.checkVisibility() && top >= 0 && bottom <= innerHeight;
}).map((mark) => mark.textContent.toLowerCase())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with built(tmp_path_factory.mktemp("site")) as served:
        yield served


@pytest.fixture(scope="module")
def visits(site: Served) -> list[Visit]:
    found = visit_all(site)
    assert sorted(visit.page for visit in found) == site.pages
    return found


@pytest.fixture(scope="module")
def chromium(visits: list[Visit]) -> Iterator[Browser]:  # noqa: ARG001 - one after the other
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=WIDE)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture
def plain(chromium: Browser) -> Iterator[Page]:
    """A phone whose browser runs no script."""
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_every_page_renders_without_an_error(visits: list[Visit]) -> None:
    assert {visit.page: visit.problems for visit in visits if visit.problems} == {}


def test_no_page_asks_anyone_else(visits: list[Visit], site: Served) -> None:
    asked = {request for visit in visits for request in visit.requests}
    outside = {r for r in asked if not r.startswith((site.address, "data:"))}
    assert len(asked) > len(site.pages)
    assert outside == set()


def test_axe_finds_nothing(visits: list[Visit]) -> None:
    for mode in ("light", "dark"):
        found = {visit.page: visit.violations[mode] for visit in visits}
        assert {page: rules for page, rules in found.items() if rules} == {}, mode


def test_every_page_follows_the_mode(visits: list[Visit]) -> None:
    light = {visit.seen["light"]["background"] for visit in visits}
    dark = {visit.seen["dark"]["background"] for visit in visits}
    assert (len(light), len(dark), light & dark) == (1, 1, set())


def test_nothing_moves_while_a_page_loads(visits: list[Visit]) -> None:
    moved = {visit.page: visit.seen["light"]["shifts"] for visit in visits}
    far = {page: by for page, by in moved.items() if sum(far for far, _ in by) > 0.01}
    assert far == {}


def test_a_move_is_seen(page: Page, site: Served) -> None:
    page.add_init_script(SHIFTS)
    page.goto(site.address + PAGE)
    before = page.evaluate("window.shifts.length")
    article = page.locator("article")
    article.evaluate("(box) => { box.style.paddingTop = '200px'; }")
    far, (moved, *_) = page.evaluate(NEXT_MOVE, before)
    assert far > 0.01
    assert moved.startswith("<article")


def test_no_page_scrolls_sideways(visits: list[Visit]) -> None:
    for mode in ("light", "phone"):
        wide = {visit.page: visit.seen[mode]["sideways"] for visit in visits}
        assert {page: by for page, by in wide.items() if by > 0} == {}, mode


def test_a_box_that_is_too_wide_for_a_phone_is_seen(phone: Page, site: Served) -> None:
    phone.goto(site.address + PAGE)
    assert phone.evaluate(SEEN)["sideways"] <= 0
    phone.locator("article p").first.evaluate("(box) => { box.style.width = '600px'; }")
    assert phone.evaluate(SEEN)["sideways"] > 0


def test_every_word_of_a_figure_is_read_on_each_screen(visits: list[Visit]) -> None:
    for mode in ("light", "dark", "phone"):
        found = {visit.page: visit.seen[mode]["illegible"] for visit in visits}
        assert {page: words for page, words in found.items() if words} == {}, mode
    shown = [[v.seen[mode]["drawings"] for v in visits] for mode in ("light", "phone")]
    assert shown[0] == shown[1]
    assert sum(shown[0]) > 10


def test_sentences_fit_and_evidence_is_found_on_each_screen(
    visits: list[Visit],
) -> None:
    for mode in ("light", "phone"):
        found = {visit.page: visit.seen[mode]["misplaced"] for visit in visits}
        assert {page: boxes for page, boxes in found.items() if boxes} == {}, mode


def test_a_link_that_leaves_its_line_is_seen(phone: Page, site: Served) -> None:
    phone.goto(site.address + PAGE)
    assert phone.evaluate(SEEN)["misplaced"] == []
    link = phone.locator("details.evidence .more").first
    link.evaluate("(link) => { link.style.position = 'static'; }")
    link.evaluate("(link) => { link.style.display = 'block'; }")
    assert len(phone.evaluate(SEEN)["misplaced"]) == 1


def test_a_word_that_leaves_its_figure_is_seen(phone: Page, site: Served) -> None:
    phone.goto(site.address + PAGE)
    assert phone.evaluate(SEEN)["illegible"] == []
    words = phone.locator(".plot-drawing.phone text")
    words.first.evaluate("(text) => { text.style.fontSize = '10px'; }")
    words.last.evaluate("(text) => { text.setAttribute('x', 400); }")
    assert len(phone.evaluate(SEEN)["illegible"]) == 2


def test_what_scrolls_is_a_tab_stop_and_nothing_else(visits: list[Visit]) -> None:
    for mode in ("light", "phone"):
        for kind in ("idle", "unreachable"):
            found = {visit.page: visit.seen[mode][kind] for visit in visits}
            assert {page: boxes for page, boxes in found.items() if boxes} == {}, kind


def test_every_page_is_quick_to_load(visits: list[Visit], site: Served) -> None:
    heavy = {}
    for visit in visits:
        asked = {r for r in visit.requests if r.startswith(site.address)}
        weight = sum(site.weight(request) for request in asked)
        if weight > LARGEST or len(asked) > MOST:
            heavy[visit.page] = (weight, len(asked))
    assert heavy == {}


def test_the_policy_is_in_force(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    ran = page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.head.append(script);
          document.body.insertAdjacentHTML("beforeend", "<b onclick='window.ran = true'>b</b>");
          document.body.lastElementChild.click();
          return window.ran ?? false;
        }"""
    )
    assert ran is False
    assert page.evaluate("document.body.dataset.theme") == "auto"  # furo's own ran


def test_a_link_to_a_claim_that_moved_leads_to_its_page(
    page: Page, site: Served
) -> None:
    page.goto(f"{site.address}precision/tf32.html#tf32-rounds-inputs")
    page.wait_for_url("**/precision/tf32_accuracy.html#tf32-rounds-inputs")
    page.goto(f"{site.address}precision/tf32.html#no-such-claim")
    page.wait_for_load_state("networkidle")
    assert page.url.endswith("/precision/tf32.html#no-such-claim")


def test_a_page_opened_from_the_disk_has_its_style(page: Page, site: Served) -> None:
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text))
    page.goto((site.folder / PAGE).as_uri())
    width = "getComputedStyle(document.querySelector('.sidebar-drawer')).width"
    assert page.evaluate(width) != "auto"
    assert page.evaluate("typeof SphinxHighlight") == "object"
    assert problems == []


def test_the_theme_changes_by_its_button_and_stays(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    button = page.locator(".theme-toggle-content button")
    while page.evaluate("document.body.dataset.theme") != "dark":
        button.click()
    page.goto(site.address + LEDGER)
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after


def test_the_copy_button_is_seen_when_it_has_the_focus(
    page: Page, site: Served
) -> None:
    page.goto(site.address + PAGE)
    page.mouse.move(0, 0)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.copybtn')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).opacity") == "1"


def test_copying_leaves_out_prompts_and_outputs(page: Page, site: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(site.address + PAGE)
    page.evaluate(
        """() => {
          const code = document.querySelector(".highlight pre");
          code.innerHTML = "<span class='gp'>$ </span>nox -s docs\\n"
            + "<span class='go'>done\\n</span><span class='gp'>>>> </span>1 + 1";
        }"""
    )
    page.locator(".highlight").first.hover()
    page.locator(".highlight .copybtn").first.click()
    page.locator(".copybtn", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "nox -s docs\n1 + 1"


def test_evidence_opens_by_keyboard(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    summary = page.locator("details.evidence > summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.evidence[open] p").first.is_visible()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_the_ledger_is_filtered(page: Page, site: Served) -> None:
    page.goto(site.address + LEDGER)
    rows = page.locator("table.ledger tbody tr:not(.group):visible")
    every = rows.count()
    page.get_by_label("Find").fill("staging buffer")
    assert 0 < rows.count() < every
    assert f"{rows.count()} of {every}" in page.locator("form output").inner_text()
    page.get_by_label("Find").fill("")
    assert every == rows.count()
    page.get_by_label("Chapter").select_option("precision")
    assert 0 < rows.count() < every
    groups = page.locator("table.ledger tr.group:visible")
    links = groups.locator("a").evaluate_all("all => all.map((a) => a.pathname)")
    assert {"precision"} == {link.split("/")[1] for link in links}


def stands_on_a_page(word: str) -> bool:
    """Whether a page that explains something has all of these words."""
    texts = [
        path.read_text("utf-8").lower()
        for path in (ROOT / "docs").rglob("*.md")
        if not {"gallery", "evidence"} & set(path.parts) and path.stem != "glossary"
    ]
    return any(all(part in text for part in word.split()) for text in texts)


def marks_in_view(page: Page, words: str) -> set[str]:
    """The marked words within the window, as soon as they are these; at the latest in 10 s."""
    for _ in range(100):  # the page's policy forbids Playwright's own way to wait
        if set(page.evaluate(MARKS_IN_VIEW)) == set(words.split()):
            break
        page.wait_for_timeout(100)
    return set(page.evaluate(MARKS_IN_VIEW))


@pytest.mark.parametrize("word", WORDS)
def test_a_search_leads_to_the_match(page: Page, site: Served, word: str) -> None:
    if not stands_on_a_page(word):
        pytest.skip(f"no page about {word} yet")
    page.goto(site.address + "index.html")
    page.get_by_role("textbox", name="Search").fill(word)
    page.keyboard.press("Enter")
    first = page.locator("ul.search li a").first
    first.wait_for()
    target = first.get_attribute("href") or ""
    assert not target.startswith(("gallery/", "evidence/", "glossary")), target
    first.click()
    assert marks_in_view(page, word) == set(word.split())


def test_a_match_far_down_is_scrolled_to(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    words = page.locator("[role=main]").inner_text().lower().split()
    word = next(w for w in reversed(words) if w.isalpha() and words.count(w) == 1)
    page.goto(f"{site.address}{PAGE}?highlight={word}")
    assert word in marks_in_view(page, word)
    assert page.evaluate("scrollY") > 0


def test_marks_of_a_search_can_be_hidden(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE + "?highlight=memory")
    page.locator(".highlight-link a").click()
    assert page.locator(".highlighted").count() == 0


def test_a_scrolling_block_is_reached_by_keyboard(phone: Page, site: Served) -> None:
    phone.goto(site.address + EXAMPLE)
    phone.locator("pre[tabindex]").first.focus()
    phone.keyboard.press("ArrowRight")
    phone.wait_for_timeout(300)  # it scrolls smoothly
    assert phone.evaluate("document.activeElement.scrollLeft") > 0


def test_without_scripts_everything_but_search_works(plain: Page, site: Served) -> None:
    plain.goto(site.address + PAGE)
    plain.locator("details.evidence > summary").first.click()
    assert plain.locator("details.evidence[open] p").first.is_visible()
    plain.locator(".nav-overlay-icon").click()
    plain.get_by_role("link", name="Ledger", exact=True).first.click()
    plain.wait_for_url("**/ledger.html")
    assert plain.locator("table.ledger tbody tr").count() > 1


def test_without_scripts_the_system_decides_the_mode(
    chromium: Browser, site: Served
) -> None:
    seen = set()
    for scheme in ("light", "dark"):
        context = chromium.new_context(java_script_enabled=False, color_scheme=scheme)
        found = context.new_page()
        found.goto(site.address + PAGE)
        shot = found.screenshot(clip={"x": 600, "y": 2, "width": 4, "height": 4})
        seen.add(shot)
        context.close()
    assert len(seen) == 2


def test_a_print_shows_the_text_alone(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    page.emulate_media(media="print", color_scheme="dark")
    hidden = (".skip-to-content", ".sidebar-drawer", ".toc-drawer", ".copybtn")
    for selector in (*hidden, ".content-icon-container", ".page-twin"):
        assert not page.locator(selector).first.is_visible(), selector
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.locator(".claim").first.is_visible()


def test_the_skip_link_is_the_first_stop(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    stops = []
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.className"))
    assert any("skip-to-content" in stop for stop in stops)
    box = page.locator(".skip-to-content")
    box.focus()
    page.wait_for_timeout(400)  # it slides in
    assert (box.bounding_box() or {"y": -1})["y"] >= 0
