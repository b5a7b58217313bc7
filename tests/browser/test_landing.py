"""The landing page in a browser, and the ways from it to what is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import ROOT

from browser.pages import PAGE, PHONE, Served
from browser.scripts import SHIFTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

WORDS = ("pinned memory", "non_blocking", "allow_tf32", "elapsed_time", "empty_cache")

#: How many marked words of the text are within the window.
MARKS_IN_VIEW = """
[...document.querySelectorAll("[role=main] span.highlighted")].filter((mark) => {
  const { top, bottom } = mark.getBoundingClientRect();
  return mark.checkVisibility() && top >= 0 && bottom <= innerHeight;
}).map((mark) => mark.textContent.toLowerCase())
"""


#: The first two screens of a phone.
TWO_SCREENS = 2 * PHONE["height"]


def test_two_screens_of_a_phone_hold_the_landing_page(
    phone: Page, site: Served
) -> None:
    phone.add_init_script(SHIFTS)
    phone.goto(site.address + "index.html")
    phone.wait_for_timeout(300)
    for selector in (".find", ".doors", ".decisions", ".quoted .panel", ".totals"):
        box = phone.locator(selector).bounding_box()
        assert box, selector
        assert box["y"] + box["height"] <= TWO_SCREENS, selector
    assert sum(far for far, _ in phone.evaluate("window.shifts")) < 0.01


def test_the_landing_page_has_doors_symptoms_and_decisions(
    page: Page, site: Served
) -> None:
    page.goto(site.address + "index.html")
    lists = page.locator(".problems").all()
    assert [each.locator("dt").count() for each in lists] == [3, 8, 5]
    assert all(each.is_visible() for each in page.locator(".problems dd").all())


#: How many stops of the Tab key stand before the text.
STOPS = """
[...document.querySelectorAll("a[href], button, input, summary, [tabindex]")].filter((each) =>
  each.checkVisibility() && each.tabIndex >= 0 &&
  document.querySelector("article").compareDocumentPosition(each) &
    Node.DOCUMENT_POSITION_PRECEDING).length
"""
PLACES = (
    "amp/scaled_gradients",
    "execution/streams",
    "several_gpus/fsdp",
    "evidence/ledger",
)
PLACES += ("gallery/several_gpus/index", "memory/out_of_memory", "index")


@pytest.mark.parametrize("name", PLACES)
def test_the_list_of_pages_is_short_and_shows_the_open_one(
    page: Page, site: Served, name: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 600})
    page.goto(f"{site.address}{name}.html")
    # One is the link to each older version of PyTorch.
    older = page.locator(".versions a").count()
    assert page.evaluate(STOPS) <= 29 + older
    if name != "index":
        entry = page.locator(".sidebar-tree [aria-current=page]")
        entry.wait_for()
        box = entry.bounding_box()
        assert box
        assert 0 <= box["y"] <= 600 - box["height"]


def test_a_closed_group_opens_by_keyboard(page: Page, site: Served) -> None:
    page.goto(site.address + "index.html")
    group = page.locator(".sidebar-tree > details").last
    assert page.locator(".sidebar-tree > details").count() <= 14
    link = group.locator("a").first
    assert not link.is_visible()
    group.locator("summary").focus()
    page.keyboard.press("Enter")
    assert link.is_visible()


def test_the_page_of_a_wrong_address_has_the_frame_of_the_site(
    page: Page, site: Served
) -> None:
    page.goto(site.address + "404.html")
    assert page.locator(".sidebar-tree summary").count() > 4
    assert page.locator("article .find").is_visible()


def test_the_page_of_a_claim_leads_to_its_chapter_and_searches(
    page: Page, site: Served
) -> None:
    page.goto(site.address + "claims/pinned-copy-is-faster.html")
    assert page.get_by_role("link", name="Moving data").is_visible()
    page.get_by_role("searchbox").fill("pinned memory")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=pinned+memory")


def test_the_landing_page_leads_to_the_search(page: Page, site: Served) -> None:
    page.goto(site.address + "index.html")
    page.get_by_role("searchbox").fill("pinned memory")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=pinned+memory")


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
