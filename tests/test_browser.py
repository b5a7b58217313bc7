"""What a reader's browser makes of the built site.

``SITE_HTML`` names a folder that was built already; otherwise the site is built here.
"""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import pytest
from browser_pages import (
    AXE,
    PHONE,
    SEEN,
    SHIFTS,
    WIDE,
    Served,
    Visit,
    axe,
    browser,
    built,
    visit_all,
)
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LARGEST, MOST = 60_000, 20
PAGE = "transfer/pinned_memory.html"
LEDGER = "evidence/ledger.html"
HAZARD = "execution/races.html"
BACKGROUND = "(box) => getComputedStyle(box).backgroundColor"
EXAMPLE = "gallery/transfer/pinned_copy_is_faster.html"
WAITS = "execution/which_calls_wait.html"
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
    found = visit_all(site, site.pages)
    assert sorted(visit.page for visit in found) == site.pages
    return found


@pytest.fixture(scope="module")
def sample(site: Served) -> list[Visit]:
    """Visits to the smallest of the claims' own pages, the largest, and some between."""
    names = site.claims
    assert len(names) > 100
    return visit_all(site, [*names[::150], names[-1]])


@pytest.fixture(scope="module")
def chromium(visits: list[Visit], sample: list[Visit]) -> Iterator[Browser]:  # noqa: ARG001 - one after the other
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
    judged = [visit for visit in visits if visit.violations]
    assert len(judged) > 60
    for mode in ("light", "dark"):
        found = {visit.page: visit.violations[mode] for visit in judged}
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


def test_a_claim_s_own_page_is_light_and_reads_well(
    sample: list[Visit], site: Served
) -> None:
    for visit in sample:
        outside = [r for r in visit.requests if not r.startswith(site.address)]
        found = (visit.problems, outside, *visit.violations.values())
        assert found == ([],) * 4, visit.page
        assert max(visit.seen[mode]["sideways"] for mode in visit.seen) <= 0, visit.page
        assert sum(map(site.weight, visit.requests)) < 5_000, visit.page


def test_a_claim_in_a_frame_stands_alone(page: Page, site: Served) -> None:
    page.goto(site.address + site.claims[0])
    assert page.locator("dl").is_visible()
    page.goto(f"{site.address}{site.claims[0]}#embed")
    assert page.locator("article").is_visible()
    assert not page.locator("dl").is_visible()


OPEN = ".claim > details.evidence[open]"


def test_the_evidence_of_the_claim_that_an_address_names_is_open(
    page: Page, site: Served
) -> None:
    page.goto(site.address + PAGE)
    first, second, *_ = page.locator(".claim").all()
    assert page.locator(OPEN).count() == 0
    page.goto(f"{site.address}{PAGE}#{first.get_attribute('id')}")
    first.locator(OPEN.removeprefix(".claim > ")).wait_for()
    page.reload()
    assert page.locator(OPEN).count() == 1
    second.hover()
    second.locator(".headerlink").click()
    second.locator(OPEN.removeprefix(".claim > ")).wait_for()
    page.goto(f"{site.address}{PAGE}#see-also")
    page.reload()
    assert page.locator(OPEN).count() == 0


def test_without_scripts_the_evidence_that_an_address_names_is_shown(
    plain: Page, site: Served
) -> None:
    plain.goto(site.address + PAGE)
    first, second, *_ = plain.locator(".claim").all()
    plain.goto(f"{site.address}{PAGE}#{first.get_attribute('id')}")
    assert first.locator(".evidence > p").first.is_visible()
    assert not second.locator(".evidence > p").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_an_address_names_is_tinted_and_legible(
    page: Page, site: Served, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(site.address + HAZARD)
    box = page.locator(".hazard > .claim").first
    before = box.evaluate(BACKGROUND)
    page.goto(f"{site.address}{HAZARD}#{box.get_attribute('id')}")
    page.reload()
    assert box.evaluate(BACKGROUND) != before
    page.evaluate(axe())
    assert page.evaluate(AXE, ["color-contrast"]) == []


@pytest.mark.parametrize(("box", "owner"), [("h2", "h2"), (".claim", ".permalink")])
def test_the_mark_of_a_claim_or_heading_shows_on_approach_and_with_the_focus(
    page: Page, site: Served, box: str, owner: str
) -> None:
    page.goto(site.address + PAGE)
    mark = page.locator(f"{owner} > .headerlink").first
    opacity = "(mark) => getComputedStyle(mark).opacity"
    assert mark.evaluate(opacity) == "0"
    page.locator(box).first.hover()
    assert mark.evaluate(opacity) == "1"
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")  # what has the focus by the keyboard is shown
    mark.focus()
    assert mark.evaluate(opacity) == "1"


def test_the_page_of_a_wrong_address_has_its_style_at_any_depth(
    page: Page, site: Served
) -> None:
    if "https://" in (site.folder / "404.html").read_text().partition("<body")[0]:
        pytest.skip("released for another address")
    body = (site.folder / "404.html").read_text("utf-8")
    wrong = f"{site.address}no/such/page.html"
    page.route(wrong, lambda route: route.fulfill(status=404, body=body))
    page.goto(wrong)
    width = "getComputedStyle(document.querySelector('.not-found')).maxWidth"
    assert page.evaluate(width) == "640px"
    page.get_by_role("link", name="Every claim, in one table").click()
    assert page.url == site.address + LEDGER


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


#: The rows of claims that are shown.
SHOWN = "table.ledger tbody tr:not(.group, .chapter):visible"


def test_the_ledger_is_filtered(page: Page, site: Served) -> None:
    page.goto(site.address + LEDGER)
    rows = page.locator(SHOWN)
    every = rows.count()
    page.get_by_label("Find").fill("staging buffer")
    page.wait_for_timeout(500)  # for the sentences' other halves
    assert 0 < rows.count() < every
    assert f"{rows.count()} of {every}" in page.locator("form output").inner_text()
    page.get_by_label("Find").fill("")
    assert every == rows.count()
    page.get_by_label("Chapter").select_option("Precision")
    assert 0 < rows.count() < every
    groups = page.locator("table.ledger tr.group:visible")
    links = groups.locator("a").evaluate_all("all => all.map((a) => a.pathname)")
    assert {"precision"} == {link.split("/")[1] for link in links}


def test_the_ledger_is_filtered_by_what_is_wrong_in_the_notes(
    page: Page, site: Served
) -> None:
    page.goto(site.address + LEDGER)
    page.get_by_label("Notes").select_option("contradicts the notes")
    texts = page.locator(SHOWN).all_text_contents()
    assert len(texts) > 1
    assert all("contradicts the notes" in text for text in texts)


def test_the_ledger_is_filtered_by_margin(page: Page, site: Served) -> None:
    page.goto(site.address + LEDGER)
    page.get_by_label("Margin").select_option("at most 1.25×")
    margins = page.locator(f"{SHOWN} > td:nth-child(5)").all_text_contents()
    assert margins
    assert all(1 <= float(margin.rstrip("×")) <= 1.25 for margin in margins)


#: The first claim was measured by nobody else, and the script sees the table only now.
ALONE = """
() => new Promise((done) => {
  document.querySelector("table.ledger tr:not(.group, .chapter) td:last-child").textContent = "";
  const script = document.createElement("script");
  script.src = "../_static/ledger.js";
  script.onload = done;
  document.head.append(script);
})
"""


def test_the_ledger_is_filtered_by_machine(page: Page, site: Served) -> None:
    page.route("**/ledger.js*", lambda route: route.abort())
    page.goto(site.address + LEDGER)
    page.unroute("**/ledger.js*")
    page.evaluate(ALONE)
    rows = page.locator(SHOWN)
    every = rows.count()
    page.get_by_label("Machine").select_option("one machine only")
    alone = rows.count()
    assert 0 < alone < every
    page.get_by_label("Machine").select_option("also another NVIDIA H200")
    assert rows.count() == every - alone


def test_filters_are_kept_in_the_address(page: Page, site: Served) -> None:
    page.goto(site.address + LEDGER)
    page.get_by_label("Chapter").select_option("Precision")
    page.get_by_label("Find").fill("tf32")
    page.wait_for_timeout(1000)
    shown = page.locator(SHOWN).count()
    assert page.url.endswith("/ledger.html?find=tf32&chapter=Precision")
    page.reload()
    page.wait_for_timeout(1000)
    assert "tf32" == page.get_by_label("Find").input_value()
    assert shown == page.locator(SHOWN).count()
    page.get_by_label("Chapter").select_option("")
    page.get_by_label("Find").fill("")
    page.wait_for_timeout(500)
    assert page.url.endswith("/ledger.html")


#: What is found is read whole: in the browser's memory are the sentences of the Markdown twin.
LONG = """
() => {
  const twin = document.querySelector("link[type='text/markdown']").href;
  return fetch(twin).then((found) => found.text()).then((text) => {
    const whole = text.match(/\\| \\[([^\\]]{300,})\\]\\([^)]*#([\\w-]+)\\)/);
    return [whole[1].split(" ").slice(-4).join(" "), whole[2]];
  });
}
"""


def test_the_end_of_a_long_sentence_is_found(page: Page, site: Served) -> None:
    page.goto(site.address + LEDGER)
    words, claim = page.evaluate(LONG)
    row = page.locator("table.ledger tr").filter(
        has=page.locator(f"a[href$='#{claim}']")
    )
    assert words not in (row.text_content() or "")
    page.get_by_label("Find").fill(words)
    page.wait_for_timeout(1000)
    assert row.is_visible()
    assert page.locator(SHOWN).count() < 20


#: How long the slowest of some letters takes: to filter, and to lay out what is shown.
SLOWEST = """
() => {
  const find = document.querySelector(".ledger-filters input");
  return Math.max(...["c", "co", "cop", "copy", "copy w", "copy", "cop", "xx", ""].map((text) => {
    const begin = performance.now();
    find.value = text;
    find.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.offsetHeight;
    return performance.now() - begin;
  }));
}
"""

#: As many bodies of a table again, until there are so many rows.
GROWN = """
(most) => {
  const table = document.querySelector("table.ledger");
  while (table.rows.length < most) {
    for (const body of [...table.tBodies]) table.append(body.cloneNode(true));
  }
}
"""


def test_filtering_does_not_hold_up_who_types(page: Page, site: Served) -> None:
    page.route("**/ledger.js*", lambda route: route.abort())
    page.goto(site.address + LEDGER)
    page.evaluate(GROWN, 1500)
    page.unroute("**/ledger.js*")
    page.evaluate(
        """() => new Promise((done) => {
          const again = document.createElement("script");
          again.src = "../_static/ledger.js";
          again.onload = done;
          document.head.append(again);
        })"""
    )
    page.evaluate(SLOWEST)  # once without looking: the rows' texts are read
    # A tenth of a second is at once; it takes 15 ms where nothing else runs.
    assert page.evaluate(SLOWEST) < 100


def test_the_header_of_the_ledger_stays_in_sight(page: Page, site: Served) -> None:
    for width, below in ((1350, 0), (900, 1)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(site.address + LEDGER)
        page.mouse.wheel(0, 4000)
        page.wait_for_timeout(500)
        top = (page.locator("table.ledger thead").bounding_box() or {"y": -1})["y"]
        assert top >= below
        assert top < 100


def test_a_claim_of_the_ledger_is_a_card_on_a_phone(phone: Page, site: Served) -> None:
    phone.goto(site.address + LEDGER)
    row = phone.locator(SHOWN).first
    cells = [cell.bounding_box() for cell in row.locator("th, td").all()]
    shown = [cell for cell in cells if cell and cell["height"]]
    assert len({cell["x"] for cell in shown}) == 1
    assert all(one["y"] < two["y"] for one, two in pairwise(shown))


def test_the_ledger_weighs_little(site: Served) -> None:
    ledger = (site.folder / LEDGER).read_bytes()
    claims = ledger.count(b'class="verdict')
    # 60 kB at 800 claims; what every page has is 6 of them.
    assert len(gzip.compress(ledger)) < 6_000 + 67.5 * claims


#: The first two screens of a phone.
TWO_SCREENS = 2 * PHONE["height"]


def test_two_screens_of_a_phone_hold_the_landing_page(
    phone: Page, site: Served
) -> None:
    phone.add_init_script(SHIFTS)
    phone.goto(site.address + "index.html")
    phone.wait_for_timeout(300)
    for selector in (".find", ".totals", ".plot-drawing.phone", ".problems >> nth=-1"):
        box = phone.locator(selector).bounding_box()
        assert box, selector
        assert box["y"] + box["height"] <= TWO_SCREENS, selector
    assert sum(far for far, _ in phone.evaluate("window.shifts")) < 0.01
    topic = phone.locator("details.problems").first
    assert not topic.locator("dt").first.is_visible()
    topic.locator("summary").click()
    assert topic.locator("dt").first.is_visible()


def test_the_topics_are_open_on_a_wide_screen(page: Page, site: Served) -> None:
    page.goto(site.address + "index.html")
    problems = page.locator(".problems dt")
    assert problems.count() > 20
    assert all(each.is_visible() for each in problems.all())


def test_without_scripts_the_topics_are_open(plain: Page, site: Served) -> None:
    plain.goto(site.address + "index.html")
    assert plain.locator(".problems dt").last.is_visible()


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


#: Every kind of field, link and button, and whether it shows that it has the focus.
UNSEEN_FOCUS = """
(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector);
  box.focus({ focusVisible: true });
  const { outlineStyle, outlineWidth } = getComputedStyle(box);
  return outlineStyle === "none" || parseFloat(outlineWidth) < 2;
})
"""
FIELDS = {
    "index.html": [".sidebar-search", ".find input", ".find button", "summary"],
    LEDGER: [".ledger-filters input", ".ledger-filters select", ".strip a"],
    "404.html": [".not-found input"],
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_shows_that_it_has_the_focus(
    page: Page, site: Served, name: str
) -> None:
    page.goto(site.address + name)
    page.keyboard.press("Tab")
    assert page.evaluate(UNSEEN_FOCUS, FIELDS[name]) == []
    page.locator(FIELDS[name][0]).evaluate("(box) => { box.style.outline = 'none' }")
    assert page.evaluate(UNSEEN_FOCUS, FIELDS[name]) == FIELDS[name][:1]


#: Code that is smaller than 13 px.
SMALL_CODE = """
() => {
  document.querySelectorAll("details").forEach((box) => { box.open = true; });
  const code = [...document.querySelectorAll("[role=main] :is(code, pre, pre span)")];
  return code.filter((box) => parseFloat(getComputedStyle(box).fontSize) < 13)
    .map((box) => box.textContent.slice(0, 40));
}
"""


@pytest.mark.parametrize("name", ["index.html", PAGE, EXAMPLE, WAITS])
def test_code_has_13_pixels(phone: Page, site: Served, name: str) -> None:
    phone.goto(site.address + name)
    assert phone.evaluate(SMALL_CODE) == []
    phone.set_viewport_size(WIDE)
    assert phone.evaluate(SMALL_CODE) == []
    code = phone.locator("[role=main] code").first
    code.evaluate("(box) => { box.style.fontSize = '12px'; }")
    assert len(phone.evaluate(SMALL_CODE)) >= 1


def test_nothing_moves_for_those_who_ask_for_rest(page: Page, site: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.address + PAGE)
    moving = """[...document.querySelectorAll("*")].filter((box) => {
      const { scrollBehavior, transitionDuration } = getComputedStyle(box);
      return scrollBehavior === "smooth" || parseFloat(transitionDuration) > 0;
    }).length"""
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0


def test_the_copy_button_is_seen_where_nothing_hovers(
    chromium: Browser, site: Served
) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    touched = context.new_page()
    touched.goto(site.address + PAGE)
    button = touched.locator(".copybtn").first
    assert button.evaluate("(box) => getComputedStyle(box).opacity") == "1"
    assert (button.bounding_box() or {"height": 0})["height"] >= 24
    context.close()


#: Tables without a name, and their cells that do not say what they name.
UNNAMED = """
[...document.querySelectorAll("[role=main] table")].flatMap((table) => [
  ...(table.caption?.textContent.trim() ? [] : ["caption"]),
  ...(table.querySelector("thead th[scope=col]") ? [] : ["columns"]),
  ...(table.querySelector("tbody th[scope=row]") ? [] : ["rows"]),
])
"""


@pytest.mark.parametrize(
    "name", [LEDGER, PAGE, EXAMPLE, WAITS, "evidence/coverage.html"]
)
def test_a_table_says_what_it_holds(page: Page, site: Served, name: str) -> None:
    page.goto(site.address + name)
    assert page.locator("[role=main] table").count() > 0
    assert page.evaluate(UNNAMED) == []
    page.evaluate("document.querySelector('table').deleteCaption()")
    assert page.evaluate(UNNAMED) == ["caption"]


def test_a_print_keeps_evidence_and_addresses(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    fact = page.locator("details.evidence p").first
    assert not fact.is_visible()
    page.emulate_media(media="print")
    assert fact.is_visible()
    link = page.locator("article a[href^=http]").first
    address = link.get_attribute("href")
    shown = link.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert address and address in shown


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
