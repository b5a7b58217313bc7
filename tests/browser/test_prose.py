"""Claims in prose in a browser: the tick behind a sentence, and what it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from browser.pages import BACKGROUND, Served, axe
from browser.scripts import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PROSE = "execution/streams.html"
#: A claim in a paragraph, in a row, and as a block.
SPAN, ROW, BOX = (
    "a-second-buffer-needs-no-wait",
    "sum-after-wait-event",
    "sum-after-wait-stream",
)
OPEN_ALL = (
    "document.querySelectorAll('article details').forEach((d) => (d.open = true))"
)
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def shown(page: Page, claim: str) -> bool:
    """Whether the evidence of a claim is to be seen."""
    place = page.locator(f"#{claim}")
    if claim == ROW:
        return place.locator("xpath=ancestor::tr/following-sibling::tr[1]").is_visible()
    if claim == BOX:
        return place.locator(".panel").is_visible()
    return place.locator("xpath=following-sibling::details[1]/div").is_visible()


@pytest.mark.parametrize("claim", [SPAN, ROW, BOX])
def test_a_link_from_elsewhere_opens_the_evidence(
    page: Page, site: Served, claim: str
) -> None:
    page.goto(f"{site.address}{PROSE}#{claim}")
    page.wait_for_load_state("load")
    assert {name: shown(page, name) for name in (SPAN, ROW, BOX)} == {
        name: name == claim for name in (SPAN, ROW, BOX)
    }


@pytest.mark.parametrize("claim", [SPAN, ROW])
def test_without_scripts_the_evidence_that_an_address_names_is_shown(
    plain: Page, site: Served, claim: str
) -> None:
    plain.goto(f"{site.address}{PROSE}#{claim}")
    assert shown(plain, claim)


def test_two_are_open_at_once_each_below_its_line(page: Page, site: Served) -> None:
    page.goto(site.address + PROSE)
    ticks = page.locator(".para > .ev > summary")
    for place in (-2, -1):
        ticks.nth(place).click()
    boxes = [
        (
            ticks.nth(n).bounding_box(),
            ticks.nth(n).locator("xpath=../div").bounding_box(),
        )
        for n in (-2, -1)
    ]
    assert all(mark and panel and panel["y"] > mark["y"] for mark, panel in boxes)


def test_a_tick_opens_by_keyboard_and_shows_its_focus(page: Page, site: Served) -> None:
    page.goto(site.address + PROSE)
    page.locator(f"#{SPAN}").locator(
        "xpath=following-sibling::details[1]/summary"
    ).focus()
    page.keyboard.press("Enter")
    assert shown(page, SPAN)
    row = page.locator(f"#{ROW}").locator("xpath=ancestor::tr").locator("summary")
    row.focus()
    page.keyboard.press("Enter")
    assert shown(page, ROW)
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none"


def test_copied_text_holds_no_mark(page: Page, site: Served) -> None:
    page.goto(site.address + PROSE)
    words = page.evaluate(
        "(id) => { const p = document.getElementById(id).closest('.para');"
        " getSelection().selectAllChildren(p); return getSelection().toString(); }",
        SPAN,
    )
    assert "the sum is never wrong." in words
    assert "✓" not in words


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_all_evidence_open(
    page: Page, site: Served, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{site.address}{PROSE}#{SPAN}")
    page.evaluate(OPEN_ALL)
    page.evaluate(axe())
    assert page.evaluate(AXE, []) == []
    assert page.locator(f"#{SPAN}").evaluate(BACKGROUND) != "rgba(0, 0, 0, 0)"


def test_a_phone_shows_all_evidence_without_scrolling_sideways(
    phone: Page, site: Served
) -> None:
    phone.goto(site.address + PROSE)
    phone.evaluate(OPEN_ALL)
    assert phone.evaluate(SIDEWAYS) <= 0
    assert all(shown(phone, claim) for claim in (SPAN, ROW, BOX))


def test_evidence_is_printed(page: Page, site: Served) -> None:
    page.goto(site.address + PROSE)
    page.emulate_media(media="print")
    assert shown(page, ROW)
    assert shown(page, SPAN)
