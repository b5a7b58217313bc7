"""The Chinese edition around its text: words of the engine, what stays English, the other one."""

from __future__ import annotations

import json
import re
import sys
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from conftest import ROOT, Site, claim, green, hazard
from evidence.records.model import Plain
from evidence.site.look.words import CATALOGS
from evidence.site.publish import editions
from evidence.site.publish.claim_pages import width
from test_asked import QUESTION, SCORE

if TYPE_CHECKING:
    from pathlib import Path

    from babel.messages.catalog import Catalog
    from conftest import Build

sys.path.append(str(ROOT / ".ci"))
import catalogs  # a script beside the engine

BASE = "https://example.org/2.11/"
CONF = f"""
html_theme = "furo"
html_additional_pages = {{"404": "404.html", "search": "search.html"}}
templates_path = ["{ROOT}/conf/_templates"]
html_static_path = ["{ROOT}/conf/_static"]
html_show_sphinx = html_use_index = False
html_theme_options = {{"top_of_page_buttons": []}}
locale_dirs = ["../locale"]
gettext_compact = False
translation_progress_classes = "untranslated"
evidence_editions = {{"en": ("English", ""), "zh_CN": ("中文", "zh/")}}
"""
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
INDEX = {
    "Tiny": "小站",
    "*The lead.*": "*导语*。",
    "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}": (
        "[它更快（{measured}`copy.speedup`）。]{#copy-is-faster}"
    ),
    "It is faster ({measured}`copy.speedup`).": "它更快（{measured}`copy.speedup`）。",
    "Chapters": "章节表",
}
#: Of each page its title, what it says below its lead, and what of it is translated.
PAGES = {
    "memory/none": ("None of it", "Words.", {}),
    "memory/before": (
        "The one before",
        "`code`",
        {"The one before": "前一页", **INDEX},
    ),
    "memory/title": ("Its title alone", "Words.", {"Its title alone": "只有标题"}),
    "memory/whole": (
        "All of it",
        "{measured}`copy.speedup`",
        {"All of it": "全部", **INDEX},
    ),
}
TREE = "```{toctree}\n:caption: Chapters\n\n" + "\n".join(PAGES) + "\n```"


def po(site: Site, name: str, texts: dict[str, str]) -> None:
    """Write the catalog of a page."""
    quoted = [
        [json.dumps(text, ensure_ascii=False) for text in pair]
        for pair in texts.items()
    ]
    entries = [f"msgid {text}\nmsgstr {said}\n" for text, said in quoted]
    site.write(f"locale/zh_CN/LC_MESSAGES/{name}.po", HEAD + "\n".join(entries))


def write(folder: Path) -> Site:
    """A site of which some is translated."""
    site = green(folder)
    site.page(claim(), hazard(), "Not translated, `code` aside.", TREE)
    generated = "```{evidence-totals}\n```\n\n```{evidence-ledger}\n```"
    site.page(generated, name="evidence/ledger", title="Ledger")
    site.page("```{evidence-questions}\n```", name="asked", title="Asked")
    site.write("docs/asked.toml", QUESTION.format("one") + QUESTION.format("two"))
    answered = SCORE.format("one", "F", '["memory/whole"]', "")
    site.write(
        "docs/asked_scores.toml", answered + SCORE.format("two", "N", "[]", "All.")
    )
    po(site, "index", INDEX)
    po(site, "evidence/ledger", {"Ledger": "总账", **INDEX})
    for name, (title, text, texts) in PAGES.items():
        head = "---\nsearch: words\n---\n\n"
        site.write(f"docs/{name}.md", f"{head}# {title}\n\n*The lead.*\n\n{text}\n")
        po(site, name, texts)
    return site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The Chinese edition, beside the English one."""
    site = write(tmp_path_factory.mktemp("chinese"))
    tags = ("-t", "release", "-t", "editions", "-D", "language=zh_CN")
    return site.build(*tags, "-D", f"html_baseurl={BASE}zh/", conf=CONF)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The English one."""
    site = write(tmp_path_factory.mktemp("english"))
    tags = ("-t", "release", "-t", "editions")
    return site.build(*tags, "-D", f"html_baseurl={BASE}", conf=CONF)


def translated() -> Catalog:
    """The engine's words in Chinese."""
    path = CATALOGS / "zh_CN/LC_MESSAGES/evidence.po"
    with path.open("rb") as file:
        return read_po(file, "zh_CN")


def test_each_word_of_the_engine_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(catalogs, "TEXTS", tmp_path)
    written = {each.id for each in dict(catalogs.extracted())["evidence"]}
    known = {each.id: each for each in translated() if each.id}
    assert known.keys() == written - {""}, "run nox -s catalogs"
    assert [] == [name for name, each in known.items() if not each.string or each.fuzzy]
    fields = lambda text: sorted(f for _, f, _, _ in Formatter().parse(text) if f)  # noqa: E731
    assert {} == {
        name: each.string
        for name, each in known.items()
        if fields(name) != fields(each.string)
    }


def test_no_word_hides_in_a_formatted_text() -> None:
    """Python before 3.12 sees no calls in the braces of a formatted text."""
    engine = (ROOT / "conf/evidence").rglob("*.py")
    hidden = re.compile(r"""f(["']).*?\{(?:_|say|labelled)\((["'])(?!\1).*?\}.*?\1""")
    found = {p.name: hidden.findall(p.read_text("utf-8")) for p in engine}
    assert {} == {name: texts for name, texts in found.items() if texts}
    assert hidden.findall("""f"{_('a word')}: {text}" """)


def test_each_word_of_the_scripts_is_in_the_page(built: Build) -> None:
    known = {each.id: each.string for each in translated()}
    page = built.page()
    said = json.loads(page.select_one("script#said").string)
    assert {text: known[text] for text in said} == said
    assert {"copy", "Evidence", "{count} rows", "Filter the rows: "} <= said.keys()
    styles = page.find("style").string
    assert '--say-close: "收起";' in styles
    assert '--say-colon: "：";' in styles
    for name in editions.STYLED:
        sheets = (p.read_text("utf-8") for p in (ROOT / "conf/_static").glob("*.css"))
        assert f'var(--say-{name}, "{editions.STYLED[name]}")' in "".join(sheets)


#: Names that are the same in every language.
NAMES = (
    "Tiny|claims.json|Furo|NVIDIA|H200|GPU|torch|PCIe|MiB|Markdown|Copyright|nobody|CUDA|"
    "English|JavaScript|nox|verify|copy.py|json|Measured by|CSV|KVM|driver|cu130"
)


def words(page: BeautifulSoup) -> list[str]:
    """The words of Latin letters that a Chinese page has and no mark of another language."""
    hidden = '[lang="en"], code, pre, script, style, head'
    hidden += ", .page-address, .toctree-wrapper"
    for part in page.select(hidden):
        part.decompose()
    named = ("aria-label", "title", "placeholder", "alt")
    texts = [tag[name] for name in named for tag in page.select(f"[{name}]")]
    said = " ".join([*texts, *page.stripped_strings])
    return re.findall(r"[A-Za-z]{3,}", re.sub(NAMES, "", said))


@pytest.mark.parametrize("name", ["index", "memory/none", "memory/whole", "search"])
def test_what_is_english_is_marked(built: Build, name: str) -> None:
    assert [] == words(built.page(name))


def test_a_page_that_is_generated_has_no_word_of_ours_in_english(built: Build) -> None:
    assert [] == words(built.page("evidence/ledger"))
    twin = (built.html / "evidence/ledger.md").read_text("utf-8")
    assert "**3** 条论断，全部成立。 **1** 个可以运行的脚本。" in twin
    assert "| 至少 3×  | 5.0×（4.9–5.1×） | ✓ 成立 | 1.63× |" in twin


def test_the_evidence_of_a_claim_is_told_in_chinese(built: Build) -> None:
    panel = built.page().select_one(".panel")
    told = " ".join(panel.select_one(".values").text.split())
    assert told == "✓ 成立 how fast 5.0×（4.9–5.1×；预期：至少 3×）"
    label = panel.select_one(".value [lang=en]")
    assert "how fast" == label.text.strip()
    assert "5.0×" == label.next_sibling.text
    how = [part.text for part in panel.select(".how")]
    assert how[0] == "测量脚本：copy.py · NVIDIA H200 · 2026年1月31日 · 未签名"
    tick = built.page().select_one(".ev > summary")
    assert "证据：成立" == tick["aria-label"]
    twin = (built.html / "index.md").read_text("utf-8").replace("\u00a0", " ")
    assert "> ✓ 成立 how fast **5.0×**（4.9–5.1×；预期：至少 3×）；测量脚本：" in twin


def test_wrong_and_right_say_so_in_chinese(built: Build) -> None:
    boxes = built.page().select(".hazard > .box > p")
    assert ["错误写法：它更快（5.0×）。", "正确写法：它更快（5.0×）。"] == [
        box.text for box in boxes
    ]


def test_what_is_not_translated_is_marked_and_counted(built: Build) -> None:
    (lost,) = built.page().select("article p[lang=en]")
    assert lost.text == "Not translated, code aside."
    bars = {name: built.page(name).select(".translated") for name in ("index", *PAGES)}
    assert {name: [bar.text for bar in of] for name, of in bars.items()} == {
        "index": ["本页已译 5/6 段，其余为英文；以英文版为准。"],
        "memory/none": ["本页尚未翻译，以下为英文。"],
        "memory/before": [],
        "memory/title": ["本页已译 1/3 段，其余为英文；以英文版为准。"],
        "memory/whole": [],
    }
    heading = built.page("memory/none").h1
    assert "en" == heading["lang"]
    # An example has no catalog at all.
    assert "en" == built.page("gallery/memory/copy").h1["lang"]


#: The same count in two claims, of which one is translated.
COUNTS = """\
[In {measured}`.wrong of .tries` tries]{#it-fails}.

[It fails in {measured}`.wrong of .tries`]{#it-fails-again}.

```{checks} copy
it-fails:
  tries: .wrong of .tries >= 2
it-fails-again:
  tries: .wrong of .tries >= 2
```
"""
IN_CHINESE = {
    "[In {measured}`.wrong of .tries` tries]{#it-fails}.": (
        "[在{measured}`.wrong of .tries` 次尝试中]{#it-fails}。"
    )
}


def test_a_count_is_in_the_language_of_its_sentence(site: Site) -> None:
    site.record(measured={"wrong": Plain(3), "tries": Plain(3)})
    site.page(COUNTS)
    po(site, "index", IN_CHINESE)
    page = site.build("-D", "language=zh_CN", conf=CONF).page()
    told = [each.text for each in page.select(".claim-text")]
    assert ["在全部 3 次尝试中", "It fails in all 3"] == told


def test_a_page_of_little_chinese_is_in_no_list_of_pages(
    built: Build, english: Build
) -> None:
    def listed(build: Build) -> list[str]:
        return [link.text for link in build.page().select(".sidebar-tree a")]

    assert ["前一页", "全部"] == listed(built)
    assert "Its title alone" in listed(english)
    page = built.page("memory/whole")
    assert "before.html" == page.select_one(".prev-page")["href"]
    assert "before.html" == page.select_one("link[rel=prev]")["href"]
    assert [] == page.select(".next-page")
    assert "title.html" == english.page("memory/whole").select_one(".prev-page")["href"]
    # It is there, and what it stands below is told.
    assert "whole.html" == built.page("memory/title").select_one(".next-page")["href"]


def test_the_build_tells_how_much_of_each_chapter_is_translated(
    built: Build, english: Build
) -> None:
    told = re.findall("evidence: (.*) texts are translated", built.output)
    assert ["章节表: 5 of 10"] == told
    assert "texts are translated" not in english.output


def test_each_page_leads_to_itself_in_the_other_language(
    built: Build, english: Build
) -> None:
    for name in ("index", "memory/none", "search", "gallery/memory/copy"):
        up = "../" * name.count("/")
        for build, tag, address in (
            (built, "en", f"{up}../{name}.html"),
            (english, "zh-CN", f"{up}zh/{name}.html"),
        ):
            (link,) = build.page(name).select("a.edition")
            assert (link["href"], link["hreflang"], link["lang"]) == (address, tag, tag)
    assert [] == built.page("404").select("a.edition")


def test_search_engines_know_the_page_in_each_language(
    built: Build, english: Build
) -> None:
    stable = BASE.replace("2.11", "stable")
    expected = {
        "en": f"{stable}memory/none.html",
        "x-default": f"{stable}memory/none.html",
        "zh-CN": f"{stable}zh/memory/none.html",
    }
    for build in (built, english):
        page = build.page("memory/none")
        links = page.select("link[hreflang]")
        assert expected == {link["hreflang"]: link["href"] for link in links}
        own = page.html["lang"]
        assert expected[own] == page.select_one("link[rel=canonical]")["href"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_an_edition_alone_leads_to_no_other(tmp_path: Path, language: str) -> None:
    options = ("-D", f"language={language}", "-D", f"html_baseurl={BASE}")
    page = write(tmp_path).build(*options, conf=CONF).page()
    assert [] == page.select("a.edition, link[hreflang]")


def test_the_page_of_a_claim_is_chinese_and_its_card_is_the_english_one(
    built: Build, english: Build
) -> None:
    own, other = (build.page("claims/copy-is-faster") for build in (built, english))
    assert ("zh-CN", "en") == (own.html["lang"], other.html["lang"])
    card = [page.find(property="og:image")["content"] for page in (own, other)]
    assert [f"{BASE}cards/index.png"] * 2 == card
    assert card[0] == built.page().find(property="og:image")["content"]
    assert (english.html / "cards/index.png").exists()
    assert not (built.html / "cards").exists()
    assert "测量环境" in own.text


def test_without_the_other_edition_there_is_no_card(tmp_path: Path) -> None:
    options = ("-D", "language=zh_CN", "-D", "html_baseurl=https://example.org/")
    build = write(tmp_path).build(*options, conf=CONF)
    assert not build.page("claims/copy-is-faster").find(property="og:image")
    assert not build.page().find(property="og:image")


def test_a_badge_has_room_for_chinese() -> None:
    assert (7 * 5, 11 * 2 + 7) == (width("holds"), width("成立 "))


def test_both_editions_have_the_same_anchors(built: Build, english: Build) -> None:
    sections = [tag["id"] for tag in english.page("asked").select("section section")]
    assert ["chapters", "not-answered-yet"] == sections
    for path in english.html.rglob("*.html"):
        name = path.relative_to(english.html).with_suffix("").as_posix()
        own, other = (
            [tag["id"] for tag in build.page(name).select("article [id]")]
            for build in (built, english)
        )
        assert own == other, name


def test_furo_s_words_are_not_looked_for_in_the_text() -> None:
    page = '<a title="Menu">Home</a><article role="main"><b>Home</b></article><i> Next </i>'
    assert page == editions.framed(page)
