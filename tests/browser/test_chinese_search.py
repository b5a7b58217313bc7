"""The search page of a small Chinese site: what it finds, shows and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from conftest import ROOT, claim, green
from evidence.site.publish.search_index import words

from browser.pages import WIDE, Served, Visit, serve, watch
from browser.test_search import links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

CONF = f"""
language = "zh_CN"
locale_dirs = ["../locale"]
html_theme = "furo"
html_static_path = ["{ROOT}/conf/_static"]
html_additional_pages = {{"search": "search.html"}}
templates_path = ["{ROOT}/conf/_templates"]
"""
#: What is asked stands so far behind a name that a part of the name would be shown.
LONG = (
    f"{'前面的话，' * 40}record_stream{'中' * 45}显存泄漏 在这里，{'后面的话，' * 40}"
)
TEXTS = {
    "A leak": "显存与流",
    "It leaks.": "显存在泄漏。多进程共享的显存不会泄漏。下一句说别的。",
    "At length.": LONG,
    "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}": (
        "[用 `pin_memory` 的拷贝更快 ({measured}`copy.speedup`)；不再慢。]{#copy-is-faster}"
    ),
}
TRICKY = "请问怎么解决pin_memory很慢，以及CUDA 流？申请显存的目的，了解了。DataLoader卡住20次"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    made = green(tmp_path_factory.mktemp("chinese"))
    blocks = ("## It leaks", "It leaks.", "## At length", "At length.")
    made.page("Elsewhere.", name="other", title="Other")
    made.page(claim(), *blocks, name="memory/leak", title="A leak")
    made.page("Nothing else.")
    po = "\n".join(f'msgid "{text}"\nmsgstr "{TEXTS[text]}"\n' for text in TEXTS)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    made.write("locale/zh_CN/LC_MESSAGES/memory/leak.po", head + po)
    with serve(made.build("-D", "gettext_compact=0", conf=CONF).html) as served:
        yield served


@pytest.fixture(scope="module")
def visits() -> list[Visit]:
    return []


@pytest.fixture(scope="module")
def page(chromium: Browser, visits: list[Visit]) -> Page:
    page = chromium.new_context(viewport=WIDE).new_page()
    visits.append(Visit("search.html"))
    watch(page, visits)
    return page


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("怎么解决显存泄漏？", "at-length"),
        ("pin_memory 慢", "copy-is-faster"),
        ("为什么pin_memory很慢", "copy-is-faster"),
        ("多进程", "it-leaks"),
        ("流", "furo-main-content"),
    ],
)
def test_a_question_in_chinese_leads_to_its_answer(
    page: Page, site: Served, visits: list[Visit], text: str, place: str
) -> None:
    first, *_ = links(page, site, text)

    assert first.startswith(f"{site.address}memory/leak.html")
    assert first.endswith(f"#{place}")
    assert [] == visits[0].problems


@pytest.mark.parametrize("text", ["怎么办", "显卡"])
def test_what_is_polite_or_unknown_finds_nothing(
    page: Page, site: Served, text: str
) -> None:
    links(page, site, text)
    assert "没有匹配的结果" in page.locator("[role=status]").inner_text()


def test_the_page_splits_han_as_the_index_does(page: Page, site: Served) -> None:
    links(page, site, "流")
    found = page.evaluate(
        """(text) => {
          Stemmer = class { stemWord(word) { return word; } };
          siteSearch.load({ ...siteSearch.loaded(), stops: [] });
          return siteSearch.words(text);
        }""",
        TRICKY,
    )
    page.goto("about:blank")

    assert [*words(TRICKY, lambda word: word, set())] == found
    assert {"pinmemory", "慢", "流", "显存", "卡住"} < {*found}


def test_of_han_no_pair_is_taken_for_another(page: Page, site: Served) -> None:
    links(page, site, "流")
    terms = page.evaluate("[...siteSearch.told('泄露 显存').keys()]")
    assert ["显存"] == terms


def test_pairs_that_touch_are_one_mark(page: Page, site: Served) -> None:
    links(page, site, "多进程的显存")
    text = page.locator("ul.search > li > p").first
    text.locator("mark").nth(1).wait_for()

    assert "多进程共享的显存不会泄漏。下一句说别的。" == text.inner_text()
    assert ["多进程", "显存"] == text.locator("mark").all_inner_texts()


def test_a_long_sentence_without_spaces_is_cut_around_what_is_asked(
    page: Page, site: Served
) -> None:
    links(page, site, "显存泄漏")
    text = page.locator("ul.search > li > p").first
    text.locator("mark").first.wait_for()
    said = text.inner_text()

    assert said.startswith("… 中") and said.endswith(" …")
    assert 150 < len(said) < 170
    assert ["显存泄漏"] == text.locator("mark").all_inner_texts()


def test_the_page_that_is_opened_marks_what_was_asked(page: Page, site: Served) -> None:
    first, *_ = links(page, site, "多进程的显存")
    marks = unquote(first.partition("highlight=")[2].partition("#")[0]).split()
    page.goto(first, wait_until="load")
    page.wait_for_timeout(150)
    found = page.locator("#it-leaks span.highlighted").all_inner_texts()
    page.goto("about:blank")

    assert {"多进程", "显存"} < {*marks}
    assert len(marks) == 4
    assert {"显存", "多进程"} == {*found}


def test_twice_as_many_pairs_as_other_words_are_marked(
    page: Page, site: Served
) -> None:
    links(page, site, "流")
    text = page.evaluate("siteSearch.marks('多进程共享的显存不会泄漏')")

    assert len(unquote(text).split()) == 10
