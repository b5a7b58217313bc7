"""A page in Chinese: dates and claims follow the translation, and nothing crashes."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from conftest import Site, claim, hazard
from docutils import nodes
from evidence.records.model import Plain
from evidence.site.look.words import DESCRIPTION, day, shortened
from evidence.site.reading.translations import numbers
from evidence.site.reading.values import measured
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build

quoted = partial(json.dumps, ensure_ascii=False)
CONF = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}"
msgstr "[它更快 ({measured}`copy.speedup`)。]{#copy-is-faster}"
"""


def test_what_is_shown_of_claims_is_the_translation(site: Site) -> None:
    site.write("locale/zh_CN/LC_MESSAGES/index.po", PO)
    site.page(claim())
    site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")

    build = site.build(conf=CONF)

    assert "它更快 (5.0×)。" in build.text()
    assert "它更快 (5.0×)。" in (build.html / "ledger.md").read_text("utf-8")
    assert "它更快 (5.0×)。" in (build.html / "claims.json").read_text("utf-8")


#: Two claims in one text that check the same values, a row-like reference, and two alike.
TWO = (
    "[It is faster, by {measured}`.speedup`]{#it-is-faster}, and "
    "[it takes {measured}`.cost_s`]{#it-takes-time}; [again]{.row .it-is-faster}."
)
SAID = (
    "[它快 {measured}`.speedup`]{#it-is-faster}，而"
    "[它用时 {measured}`.cost_s`]{#it-takes-time}；[再次]{.row .it-is-faster}。"
)
TEXTS = {
    TWO: SAID,
    "[The host never waits]{#it-never-waits}.": "[主机从不等待]{#it-never-waits}。",
    "[No byte is lost, of 64]{#none-is-lost}.": "[64 个字节都不丢失]{#none-is-lost}。",
}
CHECKS = """\
```{checks} copy
it-is-faster:
  speedup: .speedup >= 3
  time: .cost_s <= 4 ms
it-takes-time:
  speedup: .speedup >= 3
  time: .cost_s <= 4 ms
it-never-waits:
  host waited: .waited of .tries == 0
none-is-lost:
  lost bytes: .lost of .tries == 0
```"""
MEASURED = {
    "speedup": timing(4.9, 5.1),
    "cost_s": timing(0.0021, 0.0022),
    "waited": Plain(0),
    "lost": Plain(0),
    "tries": Plain(20),
}
FIRST = "[.speedup]{#it-is-faster} [.cost_s]{#it-takes-time} []{.row .it-is-faster}"


def translated(folder: Path, said: dict[str, str], code: int = 0) -> Build:
    """Build a page of claims in Chinese."""
    site = Site(folder)
    site.page(*TEXTS, CHECKS)
    site.script()
    site.record(measured=MEASURED)
    messages = [f"msgid {quoted(text)}\nmsgstr {quoted(said[text])}\n" for text in said]
    po = "\n".join([PO.partition("\n\n")[0] + "\n", *messages])
    site.write("locale/zh_CN/LC_MESSAGES/index.po", po)
    return site.build(conf=CONF, code=code)


def test_a_text_with_several_claims_is_translated(tmp_path: Path) -> None:
    build = translated(tmp_path, TEXTS)
    ids = [span["id"] for span in build.page().select(".claim-text[id]")]
    names = ["it-is-faster", "it-takes-time", "it-never-waits", "none-is-lost"]
    assert names == ids
    assert len(names) + 1 == len(build.page().select("details.ev"))
    assert "它用时 2.1\u00a0ms" in (build.html / "claims.json").read_text("utf-8")


OTHER = {
    "a claim is lost": (
        SAID.replace(
            "[它快 {measured}`.speedup`]{#it-is-faster}", "它快 {measured}`.speedup`"
        ),
        FIRST.replace("[.speedup]{#it-is-faster}", ".speedup"),
    ),
    "a reference is lost": (
        SAID.replace("[再次]{.row .it-is-faster}", "再次"),
        FIRST.removesuffix(" []{.row .it-is-faster}"),
    ),
    "a value is lost": (
        SAID.replace("快 {measured}`.speedup`", "更快"),
        FIRST.replace("[.speedup]", "[]"),
    ),
    "an id is misspelt": (
        SAID.replace("#it-takes-time", "#it-take-time"),
        FIRST.replace("#it-takes-time", "#it-take-time"),
    ),
    "claims change places": (
        SAID.replace("#it-takes-time", "#")
        .replace("#it-is-faster", "#it-takes-time")
        .replace("{#}", "{#it-is-faster}"),
        FIRST.replace("#it-takes-time", "#")
        .replace("#it-is-faster", "#it-takes-time")
        .replace("{#}", "{#it-is-faster}"),
    ),
    "a value moves into another claim": (
        SAID.replace(" {measured}`.speedup`", "").replace(
            "用时", "用时 {measured}`.speedup`"
        ),
        FIRST.replace(".speedup", "").replace(".cost_s", ".speedup .cost_s"),
    ),
    "a value moves out of its claim": (
        SAID.replace(
            " {measured}`.speedup`]{#it-is-faster}",
            "]{#it-is-faster}（{measured}`.speedup`）",
        ),
        FIRST.replace("[.speedup]{#it-is-faster}", "[]{#it-is-faster} .speedup"),
    ),
    "all behind the first paragraph is lost": (
        SAID.replace("；[再次]", "。\n\n[再次]"),
        FIRST.removesuffix(" []{.row .it-is-faster}"),
    ),
}


@pytest.mark.parametrize(("said", "has"), OTHER.values(), ids=OTHER)
def test_a_translation_that_loses_or_exchanges_claims_is_red(
    tmp_path: Path, said: str, has: str
) -> None:
    warnings = translated(tmp_path, {**TEXTS, TWO: said}, code=1).warnings
    message = f"the translation has {has!r} where its text has {FIRST!r}: keep claims"
    place = "docs/index.md:5: WARNING: "
    assert [each for each in warnings if each.startswith(place + message)], warnings


def test_claims_of_two_texts_may_not_change_places(tmp_path: Path) -> None:
    _two, waits, lost = TEXTS
    name, other = "{#it-never-waits}", "{#none-is-lost}"
    said = {
        waits: TEXTS[waits].replace(name, other),
        lost: TEXTS[lost].replace(other, name),
    }
    message = "the translation has '[]{#none-is-lost}' where its text has '[]{#it-never-waits}'"
    assert message in str(translated(tmp_path, {**TEXTS, **said}, code=1).warnings)


@pytest.mark.parametrize("number", ["3", "３", "1,024"])
def test_a_number_that_only_a_translation_has_is_red(
    tmp_path: Path, number: str
) -> None:
    said = SAID.replace("再次", f"再次{number}倍")
    (warning,) = translated(tmp_path, {**TEXTS, TWO: said}, code=1).warnings
    message = (
        f"the translation says {number}, which its text does not [evidence.markup]"
    )
    assert f"docs/index.md:5: WARNING: {message}" == warning


def test_a_fault_of_a_translation_is_told_at_its_line(tmp_path: Path) -> None:
    lost = "[No byte is lost, of 64]{#none-is-lost}."
    said = {lost: "[64 个字节都不丢失]{#no-one-is-lost}。"}
    warnings = translated(tmp_path, {**TEXTS, **said}, code=1).warnings
    assert [
        each
        for each in warnings
        if each.startswith("docs/index.md:9: WARNING: 'no-one")
    ]


LINKS = "See [one](other.md#one) and [two](other.md#two)."
TO_LINKS = "见[第一个](other.md#one)和[第二个](other.md#two)。"
ENTRY = f'\n\nmsgid "{LINKS}"\nmsgstr "{TO_LINKS}"\n'


def test_two_links_of_a_text_to_one_page_keep_their_anchors(site: Site) -> None:
    site.write("locale/zh_CN/LC_MESSAGES/index.po", PO + ENTRY)
    site.write(
        "docs/other.md", "---\norphan: true\n---\n\n# Other\n\n## One\n\n## Two\n"
    )
    site.page(claim(), LINKS)
    page = site.build(conf=CONF + "myst_heading_anchors = 2\n").page()
    links = {link.text: link["href"] for link in page.select("a[href^=other]")}
    assert {"第一个": "other.html#one", "第二个": "other.html#two"} == links


HAZARD = """\
msgid "It is faster ({measured}`copy.speedup`)."
msgstr "它更快（{measured}`copy.speedup`）。"
"""


def test_the_arms_of_a_hazard_keep_their_words(site: Site) -> None:
    po = "\n".join([PO.partition("\n\n")[0] + "\n", HAZARD])
    site.write("locale/zh_CN/LC_MESSAGES/index.po", po)
    site.page(hazard())
    build = site.build(conf=CONF)
    said = ["错误写法：它更快（5.0×）。", "正确写法：它更快（5.0×）。"]
    assert said == [box.p.text for box in build.page().select(".hazard > .box")]
    claims = json.loads((build.html / "claims.json").read_text("utf-8"))["claims"]
    assert set(said) == {each["statement"] for each in claims}


def test_a_date_is_written_as_the_language_has_it() -> None:
    assert "22 November 2026" == day("2026-11-22", "en")
    assert "22 十一月 2026" == day("2026-11-22", "zh_CN")


def test_a_text_without_spaces_is_cut_where_it_must_be() -> None:
    assert len(shortened("快" * 400)) == DESCRIPTION + len(" …")


def test_numbers_of_code_and_of_values_are_none_that_a_text_says() -> None:
    text = nodes.paragraph("", "", nodes.Text("64 of "))
    for node in (nodes.literal("", "x[5]"), measured("", "copy.size_7", classes=[])):
        text += [node, nodes.Text(" and "), nodes.strong("", "128")]
    assert {"64", "128"} == numbers(text)
