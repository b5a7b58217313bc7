"""A claim in a browser: its evidence, its mark, its own page, and what its address shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from browser.pages import BACKGROUND, HAZARD, PAGE, Served, axe
from browser.scripts import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_claim_in_a_frame_stands_alone(page: Page, site: Served) -> None:
    page.goto(site.address + site.claims[0])
    assert page.locator("dl").is_visible()
    page.goto(f"{site.address}{site.claims[0]}#embed")
    assert page.locator("article").is_visible()
    assert not page.locator("dl").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_an_address_names_is_tinted_and_legible(
    page: Page, site: Served, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(site.address + HAZARD)
    box = page.locator(".hazard > .box").first
    before = box.evaluate(BACKGROUND)
    page.goto(f"{site.address}{HAZARD}#{box.get_attribute('id')}")
    page.reload()
    assert box.evaluate(BACKGROUND) != before
    page.evaluate(axe())
    assert page.evaluate(AXE, ["color-contrast"]) == []


def test_the_mark_of_a_heading_shows_on_approach_and_with_the_focus(
    page: Page, site: Served
) -> None:
    page.goto(site.address + PAGE)
    mark = page.locator("h2 > .headerlink").first
    opacity = "(mark) => getComputedStyle(mark).opacity"
    assert mark.evaluate(opacity) == "0"
    page.locator("h2").first.hover()
    assert mark.evaluate(opacity) == "1"
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")  # what has the focus by the keyboard is shown
    mark.focus()
    assert mark.evaluate(opacity) == "1"


def test_a_link_to_a_claim_that_moved_leads_to_its_page(
    page: Page, site: Served
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.address}precision/tf32.html#tf32-rounds-inputs")
    page.wait_for_url("**/precision/tf32_accuracy.html#tf32-rounds-inputs")
    # Not all claims of the site, to find one.
    assert f"{site.address}claims/tf32-rounds-inputs.json" in asked
    assert f"{site.address}claims.json" not in asked
    page.goto(f"{site.address}precision/tf32.html#no-such-claim")
    page.wait_for_load_state("networkidle")
    assert page.url.endswith("/precision/tf32.html#no-such-claim")


def test_a_page_that_moved_leads_on_and_a_link_to_its_claim_to_that(
    page: Page, site: Served
) -> None:
    page.goto(f"{site.address}execution/races.html")
    page.wait_for_url("**/execution/streams.html")
    page.goto(f"{site.address}execution/waiting.html#priorities-are-clamped")
    page.wait_for_url("**/execution/stream_reference.html#priorities-are-clamped")


def test_a_claim_opens_its_evidence_for_who_comes_from_elsewhere(
    page: Page, site: Served
) -> None:
    address = f"{site.address}execution/processes.html"
    anchor = "#fork-before-cuda-works"
    opened = page.locator(".ev[open], .line[open]")
    page.goto(address + anchor)
    assert opened.count() == 1
    page.goto("about:blank")
    page.goto(address + anchor, referer="https://example.org/")
    assert opened.count() == 1
    page.goto("about:blank")
    page.goto(address + anchor, referer=f"{site.address}search.html")
    assert opened.count() == 0
    page.goto(address)
    page.locator(f"article a[href='{anchor}']").first.click()
    page.wait_for_url(f"**{anchor}")
    assert opened.count() == 0
    assert page.locator(".ev .panel:visible").count() == 0
