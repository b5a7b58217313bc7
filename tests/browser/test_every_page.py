"""Every page in a browser: errors, weight, accessibility, and each mode and screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import pytest

from browser.pages import (
    LEDGER,
    LEDGERS,
    PAGE,
    WAITS,
    Served,
    Visit,
    axe,
    visit_all,
    watch,
)
from browser.scripts import AXE, DRAWN, SEEN, SHIFTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

#: Bytes of a page and all that it asks for, compressed, and without its figures; and requests.
LARGEST, MOST = 60_000, 20
#: Of a ledger, which is searched and not read.
LARGEST_TABLE = 90_000
#: A ledger, too: what older versions did, which grows with each PyTorch.
CHANGES = "evidence/changes.html"
#: References of every operator, which are read by a filter; an address that moved leads to one.
TABLES = ("amp/operators.html", "determinism/reference.html")
#: Bytes of a page as it is stored.
LONGEST = 220_000

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


@pytest.fixture(scope="module")
def visits(site: Served) -> list[Visit]:
    found = visit_all(site, site.visited)
    assert sorted(visit.page for visit in found) == site.visited
    return found


@pytest.fixture(scope="module")
def sample(site: Served) -> list[Visit]:
    """Visits to the smallest of the claims' own pages, the largest, and some between."""
    names = site.claims
    assert len(names) > 100
    return visit_all(site, [*names[::150], names[-1]])


def test_every_page_renders_without_an_error(visits: list[Visit]) -> None:
    assert {visit.page: visit.problems for visit in visits if visit.problems} == {}


def test_what_fails_is_noted_but_not_what_the_next_page_breaks_off(
    page: Page, site: Served
) -> None:
    visits = [Visit(PAGE)]
    watch(page, visits)
    page.route("**/late.svg", lambda _: None)
    page.route("**/refused.svg", lambda route: route.abort("connectionrefused"))
    page.goto(site.address + PAGE, wait_until="load")
    load = "(name) => { new Image().src = name; }"
    with page.expect_event("requestfailed"):
        page.evaluate(load, "refused.svg")
    with page.expect_request("**/late.svg"):
        page.evaluate(load, "late.svg")
    with page.expect_event("requestfailed"):
        page.goto(site.address + WAITS, wait_until="load")
    failed = [problem.rpartition("/")[2] for problem in visits[0].problems]
    assert "refused.svg" in failed
    assert "late.svg" not in failed


def test_no_page_asks_anyone_else(visits: list[Visit], site: Served) -> None:
    asked = {request for visit in visits for request in visit.requests}
    outside = {r for r in asked if not r.startswith((site.address, "data:"))}
    assert len(asked) > len(visits)
    assert outside == set()


def test_axe_finds_nothing(visits: list[Visit]) -> None:
    judged = [visit for visit in visits if visit.violations]
    assert len(judged) > 60
    for mode in ("light", "dark"):
        found = {visit.page: visit.violations[mode] for visit in judged}
        assert {page: rules for page, rules in found.items() if rules} == {}, mode


def test_what_axe_looks_for_is_seen(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    page.evaluate(axe())
    assert page.evaluate(AXE, []) == []
    page.locator("article p").first.evaluate("(p) => { p.style.color = '#aaa'; }")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    seen = [rule.partition(":")[0] for rule in page.evaluate(AXE, [])]
    assert seen == ["color-contrast", "html-has-lang"]


@pytest.mark.parametrize(
    ("scheme", "faint", "tint"), [("light", "#aaa", "#555"), ("dark", "#444", "#999")]
)
def test_the_one_row_and_evidence_that_is_hard_to_read_is_seen(
    page: Page, site: Served, scheme: Literal["light", "dark"], faint: str, tint: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(site.address + PAGE)
    page.evaluate(axe())
    for style in ("", f"color: {faint}", f"background: {tint}"):
        for name, words in (
            ("tr:not(.opened)", "td:not(.tick)"),
            ("div.panel", "p.how:not(:last-child)"),
        ):
            assert page.locator(name).count() > 8
            box = page.locator(name).last
            box.evaluate("(box, style) => { box.style = style; }", style)
            box.locator(words).last.evaluate(
                "(text, id) => { text.id = id; }", f"a-{name[:2]}"
            )
        found = page.evaluate(AXE, ["color-contrast"])
        seen = {name for name in ("#a-tr", "#a-di") if name in " ".join(found)}
        assert seen == ({"#a-tr", "#a-di"} if style else set()), style
    assert page.locator("details.ev[open]").count() == 0


def test_every_page_follows_the_mode(visits: list[Visit]) -> None:
    light = {visit.seen["light"]["background"] for visit in visits}
    dark = {visit.seen["dark"]["background"] for visit in visits}
    assert (len(light), len(dark), light & dark) == (1, 1, set())


def test_nothing_moves_while_a_page_loads(visits: list[Visit]) -> None:
    moved = {visit.page: visit.seen["light"]["shifts"] for visit in visits}
    far = {page: by for page, by in moved.items() if sum(far for far, _ in by) > 0.01}
    assert far == {}


def bottom(page: Page, address: str, pairs: str) -> int:
    """How far down a page its first pair reaches, which has to stand side by side."""
    assert page.context.browser
    with page.context.browser.new_page(viewport={"width": 1350, "height": 1000}) as own:
        own.goto(address)  # with a cache of its own: no part of the page arrives before
        first = own.locator(pairs).first
        box, classes = first.bounding_box(), first.get_attribute("class") or ""
    assert box
    assert "stacked" not in classes
    return math.ceil(box["y"] + box["height"])


@pytest.mark.parametrize("moves", [False, True])  # with a style of before, it is seen
@pytest.mark.parametrize(
    ("name", "down_to", "cut", "moving"),
    [
        (
            "graphs/streams_in_a_capture.html",
            ".hazard",
            '<div class="box right',
            ".hazard { grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)) }",
        ),
        (
            LEDGER,
            1000,
            "<tbody",
            "article .table-wrapper.ledger.container { margin-top: 12.5rem }",
        ),
        (
            LEDGERS,
            1100,
            '<div class="bottom-of-page">',
            ".content > footer { min-height: 0 }",
        ),
    ],
)
def test_nothing_moves_while_a_page_arrives_in_pieces(
    page: Page,
    site: Served,
    name: str,
    down_to: int | str,
    cut: str,
    moving: str,
    moves: bool,
) -> None:
    if isinstance(down_to, str):
        down_to = bottom(page, site.address + name, down_to)
    page.add_init_script(SHIFTS)
    page.set_viewport_size({"width": 1350, "height": down_to})
    page.set_extra_http_headers({"cut": cut})
    if moves:
        page.add_init_script(
            "const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet];"
            f"sheet.replaceSync('{moving}');"
        )
    page.goto(site.address + name, wait_until="load")
    page.wait_for_timeout(100)
    page.evaluate(DRAWN)
    timing = 'performance.getEntriesByType("navigation")[0]'
    drawn = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    assert page.evaluate(f"{timing}.responseEnd > {drawn}")  # a part of it was seen
    far = page.evaluate("window.shifts.filter(([far]) => far > 0.002)")
    assert bool(far) is moves, far


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


def test_sentences_fit_on_each_screen(
    visits: list[Visit],
) -> None:
    for mode in ("light", "phone"):
        found = {visit.page: visit.seen[mode]["misplaced"] for visit in visits}
        assert {page: boxes for page, boxes in found.items() if boxes} == {}, mode


def test_a_word_that_leaves_its_figure_is_seen(phone: Page, site: Served) -> None:
    phone.goto(site.address + PAGE)
    assert phone.evaluate(SEEN)["illegible"] == []
    words = phone.locator(".plot-drawing.phone text")
    words.first.evaluate("(text) => { text.style.fontSize = '10px'; }")
    words.last.evaluate("(text) => { text.setAttribute('x', 400); }")
    assert len(phone.evaluate(SEEN)["illegible"]) == 2


def test_no_word_of_a_table_is_torn_on_a_wide_screen(
    visits: list[Visit], site: Served
) -> None:
    tables = [name for name in site.visited if b"recorded words " in site.text(name)]
    assert len(tables) > 5
    assert {*tables} <= {visit.page for visit in visits}
    torn = {visit.page: visit.seen["light"]["torn"] for visit in visits}
    assert {page: words for page, words in torn.items() if words} == {}


def test_a_torn_word_is_seen(page: Page, site: Served) -> None:
    page.goto(site.address + WAITS)
    first = page.locator("table.words tbody tr:visible td").first
    first.evaluate("(cell) => { cell.innerHTML = '<p>cudaMallocAsync</p>'; }")
    cell = first.locator("p")
    assert page.evaluate(SEEN)["torn"] == []
    cell.evaluate("(cell) => { cell.style.width = '3em'; }")
    cell.evaluate("(cell) => { cell.style.overflowWrap = 'anywhere'; }")
    assert page.evaluate(SEEN)["torn"] == ["cudaMallocAsync"]


def test_what_scrolls_is_a_tab_stop_and_nothing_else(visits: list[Visit]) -> None:
    for mode in ("light", "phone"):
        for kind in ("idle", "unreachable"):
            found = {visit.page: visit.seen[mode][kind] for visit in visits}
            assert {page: boxes for page, boxes in found.items() if boxes} == {}, kind


def test_every_page_is_quick_to_load(visits: list[Visit], site: Served) -> None:
    asked = {
        visit.page: {r for r in visit.requests if r.startswith(site.address)}
        for visit in visits
    }
    weights = {r: site.weight(r) for r in set[str]().union(*asked.values())}
    heavy = {}
    for page, requests in asked.items():
        weight = sum(weights[request] for request in requests)
        is_table = "/ledger/" in page or page == CHANGES
        is_table |= any(r.endswith(TABLES) for r in requests)
        largest = LARGEST_TABLE if is_table else LARGEST
        if weight > largest or len(requests) > MOST:
            heavy[page] = (weight, len(requests))
    assert heavy == {}


def test_no_page_is_long(site: Served) -> None:
    sizes = {name: len(site.text(name)) for name in site.pages}
    long = {name for name, size in sizes.items() if size > LONGEST}
    # The ledger of the largest chapter is read by a filter, too.
    assert long <= {*TABLES, CHANGES, "evidence/ledger/amp.html"}


def test_a_claim_s_own_page_is_light_and_reads_well(
    sample: list[Visit], site: Served
) -> None:
    for visit in sample:
        outside = [r for r in visit.requests if not r.startswith(site.address)]
        found = (visit.problems, outside, *visit.violations.values())
        assert found == ([],) * 4, visit.page
        assert max(visit.seen[mode]["sideways"] for mode in visit.seen) <= 0, visit.page
        assert sum(map(site.weight, visit.requests)) < 5_000, visit.page
