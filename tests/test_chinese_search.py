"""The search of a Chinese site: an index by pairs of Han, and what its readers search for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, claim
from evidence.site.publish.chinese import HAN, POLITE
from evidence.site.publish.search_index import words
from test_search_index import HIDDEN_WORDS, TEXT, TITLE, stands

if TYPE_CHECKING:
    from conftest import Build, Site

CONF = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'
PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}"
msgstr "[用 `pin_memory` 拷贝的数据更快 ({measured}`copy.speedup`)。]{#copy-is-faster}"

msgid "A copy"
msgstr "拷贝"
"""
SEARCHED = "conf/locale/zh_CN/search.toml"
FOUND = '[page]\nlead = "爆显存, CUDA 慢"\ncopy-is-faster = "锁页内存"\n'


def chinese(site: Site, searched: str = "", code: int = 0) -> Build:
    """Build a site with a page in Chinese."""
    site.write("locale/zh_CN/LC_MESSAGES/page.po", PO)
    site.page("Elsewhere.")
    site.page(claim(), name="page", title="A copy")
    site.write(SEARCHED, searched)
    return site.build(conf=CONF, code=code)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("显存泄漏", "显存 存泄 泄漏"),
        ("显存，泄漏", "显存 泄漏"),
        ("流", "流"),
        ("CUDA 流", "cuda 流"),
        ("pin_memory慢", "pinmemory pin memory 慢"),
        ("用pin_memory拷贝", "用 pinmemory pin memory 拷贝"),
        ("为什么显存的碎片很多？", "显存 碎片 多"),
        ("请问怎么释放显存呢", "释放 放显 显存"),
        ("申请显存的目的", "申请 请显 显存 目的"),
        ("怎么办", ""),
    ],
)
def test_of_han_each_pair_is_a_word(text: str, expected: str) -> None:
    assert expected == " ".join(words(text, lambda word: word, set()))


def test_the_page_has_the_same_han_and_the_same_polite_words() -> None:
    script = (ROOT / "conf/_static/search.js").read_text("utf-8")
    assert f"const HAN = /{HAN.pattern}/g;" in script
    (given,) = re.findall(r'POLITE_HAN = new RegExp\((.*?), "g"\)', script, re.DOTALL)
    assert POLITE.pattern == "".join(re.findall(r'"([^"]*)"', given))


def test_a_chinese_page_is_indexed_by_pairs(site: Site) -> None:
    build = chinese(site)

    said = ["memori", "pin", "pinmemori", "拷贝", "据更", "数据", "更快", "用"]
    assert said == stands(build, "page", TEXT)["copy-is-faster"]
    assert ["page", "拷贝"] == stands(build, "page", TITLE)[""]


def test_no_script_of_a_chinese_site_asks_for_a_stemmer_that_there_is_not(
    site: Site,
) -> None:
    build = chinese(site)

    script = (build.html / "_static/search_index.js").read_text("utf-8")
    assert "window.Stemmer = EnglishStemmer;" in script
    assert "EnglishStemmer=function" in script


def test_words_of_sphinx_are_set_without_making_code_of_text(site: Site) -> None:
    script = (chinese(site).html / "_static/translations.js").read_text("utf-8")
    assert "addTranslations" not in script
    assert script.startswith(
        "(({ messages }) => Object.assign(Documentation.TRANSLATIONS,"
    )


def test_words_that_readers_search_for_are_added(site: Site) -> None:
    path = site.folder / "docs/page.md"
    build = chinese(site, FOUND)
    assert ["cuda", "慢", "显存", "爆显"] == stands(build, "page", HIDDEN_WORDS)[""]
    assert {"锁页", "页内", "内存"} < {*stands(build, "page", TEXT)["copy-is-faster"]}

    text = path.read_text()
    path.write_text(text.replace("orphan: true", "orphan: true\nsearch: velocity"))
    build = site.build()
    both = ["cuda", "veloc", "慢", "显存", "爆显"]
    assert both == stands(build, "page", HIDDEN_WORDS)[""]


def test_an_english_site_takes_no_notice_of_them(site: Site) -> None:
    name = "_static/search_index.js"
    before = (site.build().html / name).read_bytes()
    site.write(SEARCHED, '[index]\nlead = "爆显存"\n\n[gone]\nlead = "x"\n')

    assert before == (site.build().html / name).read_bytes()


@pytest.mark.parametrize(
    ("searched", "said"),
    [
        ('[pages]\nlead = "x"', "'pages' is no page; did you mean page?"),
        (
            '[page]\ncopy-is-fast = "x"',
            "page: 'copy-is-fast' is no claim or section of this page; "
            "did you mean copy-is-faster?",
        ),
    ],
)
def test_words_for_what_there_is_not_are_red(
    site: Site, searched: str, said: str
) -> None:
    (warning,) = chinese(site, searched, code=1).warnings
    assert f"{SEARCHED}:1: WARNING: {said} [evidence.markup]" == warning


def test_a_file_of_words_that_cannot_be_read_ends_the_build(site: Site) -> None:
    build = chinese(site, "lead = 1", code=2)
    assert "zh_CN/search.toml: Expected `object`, got `int`" in build.errors
