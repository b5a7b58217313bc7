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
#: One with rows that refer to claims.
LONG = "amp/grad_scaler.html"
#: A page with a line of many values.
MANY = "execution/sanitizer.html"
#: A claim in a paragraph, in a row, and as a block.
SPAN, ROW, BOX = (
    "a-second-buffer-needs-no-wait",
    "sum-after-wait-event",
    "sum-after-wait-stream",
)
OPEN_ALL = (
    "document.querySelectorAll('article details').forEach((d) => (d.open = true))"
)
#: Each tick and line: the number that it is printed with, and its place in the list of evidence.
NUMBERS = """[...document.querySelectorAll("article :is(.ev, .line) > summary")].map((mark) => {
  const own = (mark.closest("tr.row")?.nextElementSibling ?? mark.parentElement)
    .querySelector(".panel .values").textContent;
  const items = [...document.querySelectorAll(".proofs li")].map((item) => item.textContent);
  return [mark.dataset.number, `${1 + items.findIndex((text) => text.trim().startsWith(own))}`];
})"""
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
    page.keyboard.press("Tab")
    in_panel = "document.activeElement.closest('.opened .panel') !== null"
    assert page.evaluate(in_panel)
    page.keyboard.press("Shift+Tab")
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


def test_without_scripts_evidence_is_printed_in_place(
    plain: Page, site: Served
) -> None:
    plain.goto(site.address + PROSE)
    plain.emulate_media(media="print")
    assert all(shown(plain, claim) for claim in (SPAN, ROW, BOX))


def test_evidence_is_printed_at_the_end_once_by_the_number_of_its_tick(
    page: Page, site: Served
) -> None:
    page.goto(site.address + LONG)
    claims = page.locator("article :is(.claim-text, .box)[id]").count()
    count = "document.querySelectorAll('.proofs li').length"
    page.evaluate(
        f"addEventListener('beforeprint', () => {{ window.printed = {count}; }})"
    )
    page.pdf()
    assert page.evaluate("window.printed") == claims > 9
    assert page.locator(".proofs").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    panels = page.locator(".panel:visible")
    assert panels.count() == page.locator(".proofs li .panel:visible").count() == claims
    numbers = page.evaluate(NUMBERS)
    own = [printed for printed, place in numbers if place != "0"]
    assert own == [place for _printed, place in numbers if place != "0"]
    assert sorted(map(int, own)) == [*range(1, claims + 1)]
    number = "getComputedStyle(mark, '::after').content"
    row = page.locator("tr.row summary").first
    assert row.evaluate(f"(mark) => {number}") in {f'"[{n}]"' for n in own}
    assert page.locator(".ev > summary").first.is_visible()


def test_a_long_line_opens_to_all_values_with_what_was_expected(
    page: Page, site: Served
) -> None:
    page.goto(site.address + MANY)
    box = page.locator(".line").filter(has_text="5 more")
    assert box.locator("summary .value:visible").count() == 3
    box.locator("summary").click()
    assert box.locator(".panel .value:visible").count() == 8
    assert box.locator("summary .value:visible").count() == 0
    box.locator("summary").press("Enter")
    assert box.locator("summary .value:visible").count() == 3
    page.goto(site.address + PROSE)
    assert "expected" in page.locator(".result .panel").text_content()


@pytest.mark.parametrize("width", [800, 1350])
def test_a_tick_tells_the_values_on_approach(
    page: Page, site: Served, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site.address + LONG)
    style = "(tick, name) => getComputedStyle(tick, '::after')[name]"
    for place, said in (
        (".para", "skipped steps: 14 of 300 · "),
        ("tr.row", "step with large layers"),
    ):
        tick = page.locator(f"{place} .ev > summary").first
        tick.hover()
        assert tick.evaluate(style, "content").startswith(f'"{said}')
    edge = page.evaluate(
        "document.querySelector('article').getBoundingClientRect().right"
    )
    for tick in page.locator(".ev > summary").all():
        tick.hover()
        left, wide = (float(tick.evaluate(style, n)[:-2]) for n in ("left", "width"))
        assert left + wide <= edge
        assert page.evaluate(SIDEWAYS) <= 0
    frame = page.locator(".table-wrapper.claims").first
    assert frame.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
