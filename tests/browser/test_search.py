"""What a reader finds who asks the search: the page among the first three, the answer in view.

``SITE_HTML`` names a folder that was built already; otherwise the site is built here.
"""

from __future__ import annotations

import gzip
import json
import re
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from conftest import ROOT
from evidence.site.publish.search_index import APOSTROPHE, words
from sphinx.search.en import SearchEnglish

from browser.pages import WIDE, Served, axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

QUESTIONS = [
    ROOT / "tests" / name for name in ("search_questions.txt", "search_questions_2.txt")
]
#: How many of each list must be answered.
FLOORS = {"ordinary": 16, "variants": 13, "own": 36, "titles": 108, "pasted": 29}
#: Pages with answers that are still to be written: until then such an answer counts as missing.
#: Who writes one takes its name away.
UNWRITTEN: set[str] = set()
#: What a phone loads and reads before the first result: bytes of the index at 300 examples, as they
#: are sent and as they are read.
SENT, READ = 120_000, 350_000
INDEX = "_static/search_index.js"

#: Whether a claim's sentence, a section's heading or the page's lead is within the window.
SEEN = """
(names) => names.some((name) => {
  const lead = document.querySelector("[role=main] section > p");
  const place = name === "lead" ? lead : document.getElementById(name);
  const line = place?.querySelector(":scope > p, :scope > h2") ?? place;
  const { top, bottom } = line?.getBoundingClientRect() ?? { top: -1 };
  return top >= 0 && bottom <= innerHeight;
})
"""
#: An index of one passage: words of three letters, four, five, six and seven.
FEW_WORDS = {
    "pages": [["few", "Few", "Few words.", [["", "", 5, 0, 0, 0]]]],
    "best": [],
    "explained": {},
    "messages": [],
    "stops": [],
    "words": "ram,0\ncast,0\ngraph,0\nstream,0\ngraphic,0",
}
TRICKY = "Does torch.cuda.record_stream(x) hurt? It doesn't: 20 DataLoaders, non-blocking, GPU’s"


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    return chromium.new_context(viewport=WIDE).new_page()


def questions(name: str) -> list[tuple[str, dict[str, list[str]]]]:
    """The questions of a list, each with the places of its answers, by page."""
    texts = "\n\n".join(path.read_text("utf-8") for path in QUESTIONS)
    lines = [line for line in texts.splitlines() if line[:1] != "#"]
    lists = [[*group] for full, group in groupby(lines, bool) if full]
    (found,) = [each[1:] for each in lists if each[0] == f"[{name}]"]
    pairs = (line.split(" | ") for line in found)
    return [
        (
            text,
            {p: ids.split(",") for p, ids in (a.split("#") for a in answers.split())},
        )
        for text, answers in pairs
    ]


def links(page: Page, site: Served, text: str) -> list[str]:
    """The addresses of what the search finds, the best first.

    Who asks again types into its box.
    """
    if page.url.startswith(f"{site.address}search.html"):
        page.locator("[role=main] input").fill(text)
    else:
        page.goto(f"{site.address}search.html?q={quote(text)}")
    page.locator("ul.search > li > a").first.wait_for()
    given: list[str] = page.locator("ul.search > li > a").evaluate_all(
        "(links) => links.map((link) => link.href)"
    )
    return given


def is_answered(
    reader: Page, site: Served, found: list[str], places: dict[str, list[str]]
) -> bool:
    """Whether one of the first three links leads to an answer that is in view."""
    for address in found[:3]:
        name = address.removeprefix(site.address).partition(".html")[0]
        if name in places:
            reader.goto("about:blank")
            reader.goto(address, wait_until="load")
            reader.wait_for_timeout(150)  # marks and landing come after the load
            if reader.evaluate(SEEN, places[name]):
                return True
    return False


@pytest.mark.parametrize("name", FLOORS)
def test_questions_are_answered_in_view(page: Page, site: Served, name: str) -> None:
    asked, reader, missed = questions(name), page.context.new_page(), []
    for text, where in asked:
        if not is_answered(reader, site, links(page, site, text), where):
            missed.append(text)
    assert len(asked) - len(missed) >= FLOORS[name], missed


def test_every_answer_exists(site: Served) -> None:
    lost = []
    for text, places in (each for name in FLOORS for each in questions(name)):
        for name, ids in places.items():
            if name in UNWRITTEN:
                assert not (site.folder / f"{name}.html").exists(), name
                continue
            page = (site.folder / f"{name}.html").read_text("utf-8")
            lost += [(text, i) for i in {*ids} - {"lead"} if f'id="{i}"' not in page]
    assert lost == []


@pytest.mark.parametrize("text", ["new_zeros", "zeroslike", "What do zeros_like"])
def test_a_name_in_a_title_opens_its_page_at_the_top(
    page: Page, site: Served, text: str
) -> None:
    first = links(page, site, text)[0]
    page.goto(first, wait_until="load")
    page.wait_for_timeout(150)

    assert "devices/like_another.html" in first
    assert page.evaluate(SEEN, ["lead"])


def test_where_nothing_matches_pages_are_offered(page: Page, site: Served) -> None:
    offered = links(page, site, "qqqqqqqqqqqq")

    assert "Nothing matches" in page.locator("[role=status]").inner_text()
    assert f"{site.address}fix/index.html" in offered


def test_the_page_splits_words_as_the_index_does(page: Page, site: Served) -> None:
    links(page, site, "gpu")
    english = SearchEnglish({})
    stops = {APOSTROPHE.sub("", word) for word in english.stopwords}

    expected = [*words(TRICKY, english.stem, stops)]

    assert "recordstream" in expected
    assert expected == page.evaluate("(text) => siteSearch.words(text)", TRICKY)


def test_a_longer_word_may_have_more_wrong_letters(page: Page, site: Served) -> None:
    reader = page.context.new_page()
    links(reader, site, "gpu")
    reader.evaluate("(data) => siteSearch.load(data)", FEW_WORDS)
    none, one, two = ["rum"], ["cist", "grxph"], ["stxexm", "graxxics"]
    more = ["cixt", "grxpx", "sxxexm", "grxxxics"]

    found = reader.evaluate(
        "(words) => words.filter((word) => siteSearch.find(word).length)",
        [*none, *one, *two, *more],
    )

    assert [*one, *two] == found


def found(page: Page, text: str, index: dict[str, object]) -> list[list[object]]:
    """The page and anchor of each result, by an index that is given."""
    given: list[list[object]] = page.evaluate(
        """([text, index]) => {
          siteSearch.load(index);
          return siteSearch.find(text).map(({ page, anchor }) => [page, anchor]);
        }""",
        [text, index],
    )
    return given


#: Two pages of two passages, and an example, which the first explains though it says more.
TWO_PAGES = {
    "pages": [
        ["one", "One", "Lead.", [["", "", 1, 1, 1, 1], ["a", "", 2, 1]]],
        ["two", "Two", "Lead.", [["", "", 1, 1, 1, 1], ["b", "", 2, 1]]],
        ["gallery/x", "Three", "Lead.", [["", "", 2, 2, 2, 2]]],
    ],
    "best": [],
    "explained": {"2": [0]},
    "messages": [
        ["found at least two devices cuda # and cuda #", 1, "b"],
        ["found at least two devices cuda # and cpu", 0, "a"],
        ["not # of #", 1, ""],
    ],
    "stops": [],
    "words": "alpha,1 3,4,4,4\nbeta,2 1\ngamma,4,4,4,4\ndevic,3\nhung,1",
}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "File x.py: ValueError: found at least two devices, cuda:3 and cpu! y",
            [0, "a"],
        ),
        ("found at least two devices, cpu and cuda:1! in wrapper_CUDA", [0, "a"]),
        ("found at least two devices, cuda:7 and cuda:1!", [1, "b"]),
        ("alpha alpha ValueError: Not 12 of 7", [1, ""]),
        ("two devices", [1, "b"]),  # too few words: what the pages say decides
    ],
)
def test_a_message_leads_to_where_it_is_explained(
    page: Page, site: Served, text: str, first: list[object]
) -> None:
    reader = page.context.new_page()
    links(reader, site, "gpu")

    assert first == found(reader, text, TWO_PAGES)[0]


def test_an_example_is_below_its_page_and_words_for_one_thing_are_one(
    page: Page, site: Served
) -> None:
    reader = page.context.new_page()
    links(reader, site, "gpu")

    pages = [number for number, _ in found(reader, "alpha gamma", TWO_PAGES)]

    assert [0, 2] == pages
    assert [[0, "a"]] == found(reader, "freezes", TWO_PAGES)


def test_a_long_word_may_be_misspelt_where_another_begins_with_it(
    page: Page, site: Served
) -> None:
    reader = page.context.new_page()
    links(reader, site, "gpu")
    index = {**TWO_PAGES, "words": "formatter,1\nformal,3\nmapper,1\nmat,3"}

    # "map" is short: what begins with it is meant, and nothing that is spelt like it.
    assert [1, 0] == sorted(
        (n for n, _ in found(reader, "format", index)), reverse=True
    )
    assert [0] == [number for number, _ in found(reader, "map", index)]


def test_a_lead_without_a_rare_word_does_not_hide_the_passage_that_says_it(
    page: Page, site: Served
) -> None:
    first, *_ = links(page, site, "DataLoader dataclass batch is not pinned")

    assert "transfer/data_loader.html" in first
    assert first.endswith("#dataclass-batch-is-not-pinned")


def test_the_passage_that_matched_is_shown_with_its_words_marked(
    page: Page, site: Served
) -> None:
    links(page, site, "registered buffers of a module move along")
    hit = page.locator("ul.search > li", has=page.locator("a[href*='like_another']"))
    marks = hit.locator("p mark")
    marks.first.wait_for()
    text = hit.locator("p").inner_text()

    assert {"buffer", "module"} & {mark.lower() for mark in marks.all_inner_texts()}
    assert len(text) <= 170
    before = page.locator("ul.search").bounding_box()
    page.wait_for_timeout(300)
    assert before == page.locator("ul.search").bounding_box()


def test_without_its_passages_a_page_is_shown_with_its_lead(
    page: Page, site: Served
) -> None:
    reader = page.context.new_page()
    reader.route("**/_static/passages/**", lambda route: route.abort())

    assert links(reader, site, "a bare cuda equals no gpu")
    reader.wait_for_timeout(100)
    assert all(reader.locator("ul.search > li > p").all_inner_texts())


def test_the_results_are_counted_where_none_is_left_out(
    page: Page, site: Served
) -> None:
    number = len(links(page, site, "philox"))

    assert number < 10
    assert f"Pages found: {number}" == page.locator("[role=status]").inner_text()


def test_the_search_works_by_keyboard(page: Page, site: Served) -> None:
    page.goto(f"{site.address}{'devices/which_gpu'}.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("stream priority")
    page.keyboard.press("Enter")
    page.locator("ul.search a").first.wait_for()
    box = page.locator("[role=main] input")
    assert box.input_value() == "stream priority"

    box.fill("pinned memory")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    focused = page.evaluate("document.activeElement.href")

    assert "pinned_memory.html" in focused
    assert "ten best" in page.locator("[role=status]").inner_text()


def test_the_index_is_loaded_when_somebody_searches(page: Page, site: Served) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.address}search.html", wait_until="load")
    page.wait_for_timeout(100)
    assert site.address + INDEX not in asked

    asked.clear()
    page.locator("[role=main] input").focus()
    page.wait_for_timeout(300)
    assert [site.address + INDEX] == asked


def test_who_goes_to_a_box_on_another_page_is_sent_the_index(
    page: Page, site: Served
) -> None:
    page.goto(f"{site.address}devices/which_gpu.html", wait_until="load")
    with page.expect_request(site.address + INDEX):
        page.keyboard.press("/")


def test_the_search_says_at_once_that_it_searches(page: Page, site: Served) -> None:
    seen = []

    def late(route: Route) -> None:
        seen.append(page.locator("#search-status").inner_text())
        seen.append(page.locator("[role=main] input").input_value())
        route.continue_()

    page.route(f"**/{INDEX}", late)
    page.goto("about:blank")
    links(page, site, "pinned memory")
    page.unroute(f"**/{INDEX}")

    assert ["Searching…", "pinned memory"] == seen
    assert "The ten best:" == page.locator("#search-status").inner_text()


def test_a_search_that_could_not_be_loaded_says_so_and_is_tried_again(
    page: Page, site: Served
) -> None:
    page.route(f"**/{INDEX}", lambda route: route.abort())
    page.goto(f"{site.address}search.html?q=pinned")
    status = page.locator("#search-status", has_text="could not be loaded")
    status.wait_for()
    page.unroute(f"**/{INDEX}")

    assert links(page, site, "pinned memory")


def test_of_the_index_only_what_is_asked_for_is_read(page: Page, site: Served) -> None:
    expected = links(page, site, "reserved memory")
    text = (site.folder / INDEX).read_text("utf-8")
    (lines,) = re.findall(r'"words":"([^"]*)"', text)
    asked = ("reserv,", "memori,", "reservedmemori,")
    left = [
        line if line.startswith(asked) else line.partition(",")[0] + ",unread"
        for line in lines.split(r"\n")
    ]
    body = text.replace(lines, r"\n".join(left))
    page.route(f"**/{INDEX}", lambda route: route.fulfill(body=body))
    page.goto("about:blank")

    assert expected == links(page, site, "reserved memory")
    page.unroute(f"**/{INDEX}")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_finds_nothing_in_results(page: Page, site: Served, mode: str) -> None:
    page.emulate_media(color_scheme="dark" if mode == "dark" else "light")
    links(page, site, "pinned memory")
    page.evaluate(axe())
    found = page.evaluate(
        "axe.run().then((run) => run.violations.map((rule) => rule.id))"
    )
    assert found == []


def test_the_index_is_small(site: Served) -> None:
    index = (site.folder / INDEX).read_bytes()
    claims = json.loads((site.folder / "claims.json").read_text("utf-8"))
    grown = claims["summary"]["examples"] / 300
    assert len(gzip.compress(index)) <= SENT * grown
    assert len(index) <= READ * grown
