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
from evidence.site.reading.translations import noted, numbers
from evidence.site.reading.values import measured
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build

quoted = partial(json.dumps, ensure_ascii=False)
CONF = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'

CATALOG = "locale/zh_CN/LC_MESSAGES/index.po"
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'

PO = (
    HEAD
    + """
msgid "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}"
msgstr "[它更快 ({measured}`copy.speedup`)。]{#copy-is-faster}"
"""
)


def test_what_is_shown_of_claims_is_the_translation(site: Site) -> None:
    site.write(CATALOG, PO)
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


def translated(folder: Path, said: dict[str, str], code: int = 0) -> Build:
    """Build a page of claims in Chinese."""
    site = Site(folder)
    site.page(*TEXTS, CHECKS)
    site.script()
    site.record(measured=MEASURED)
    messages = [f"msgid {quoted(text)}\nmsgstr {quoted(said[text])}\n" for text in said]
    po = "\n".join([HEAD, *messages])
    site.write(CATALOG, po)
    return site.build(conf=CONF, code=code)


def test_a_text_with_several_claims_is_translated(tmp_path: Path) -> None:
    build = translated(tmp_path, TEXTS)
    ids = [span["id"] for span in build.page().select(".claim-text[id]")]
    names = ["it-is-faster", "it-takes-time", "it-never-waits", "none-is-lost"]
    assert names == ids
    assert len(names) + 1 == len(build.page().select("details.ev"))
    assert "它用时 2.1\u00a0ms" in (build.html / "claims.json").read_text("utf-8")


SPEEDUP = ".speedup in {#it-is-faster}"
OTHER = {
    "a claim is lost": (
        SAID.replace(
            "[它快 {measured}`.speedup`]{#it-is-faster}", "它快 {measured}`.speedup`"
        ),
        f"lacks {SPEEDUP}, {{#it-is-faster}} and adds .speedup",
    ),
    "a reference is lost": (
        SAID.replace("[再次]{.row .it-is-faster}", "再次"),
        "lacks {.row .it-is-faster}",
    ),
    "a value is lost": (
        SAID.replace("快 {measured}`.speedup`", "更快"),
        f"lacks {SPEEDUP}",
    ),
    "a value is said twice": (
        SAID.replace("再次", "再次 {measured}`.speedup`"),
        "adds .speedup in {.row .it-is-faster}",
    ),
    "an id is misspelt": (
        SAID.replace("#it-takes-time", "#it-take-time"),
        "lacks .cost_s in {#it-takes-time}, {#it-takes-time} "
        "and adds .cost_s in {#it-take-time}, {#it-take-time}",
    ),
    "claims change places": (
        SAID.replace("#it-takes-time", "#")
        .replace("#it-is-faster", "#it-takes-time")
        .replace("{#}", "{#it-is-faster}"),
        f"lacks .cost_s in {{#it-takes-time}}, {SPEEDUP} "
        "and adds .cost_s in {#it-is-faster}, .speedup in {#it-takes-time}",
    ),
    "a value moves into another claim": (
        SAID.replace(" {measured}`.speedup`", "").replace(
            "用时", "用时 {measured}`.speedup`"
        ),
        f"lacks {SPEEDUP} and adds .speedup in {{#it-takes-time}}",
    ),
    "a value moves out of its claim": (
        SAID.replace(
            " {measured}`.speedup`]{#it-is-faster}",
            "]{#it-is-faster}（{measured}`.speedup`）",
        ),
        f"lacks {SPEEDUP} and adds .speedup",
    ),
    "all behind the first paragraph is lost": (
        SAID.replace("；[再次]", "。\n\n[再次]"),
        "lacks {.row .it-is-faster}",
    ),
}


@pytest.mark.parametrize(("said", "told"), OTHER.values(), ids=OTHER)
def test_a_translation_that_loses_or_exchanges_claims_is_red(
    tmp_path: Path, said: str, told: str
) -> None:
    warnings = translated(tmp_path, {**TEXTS, TWO: said}, code=1).warnings
    message = f"docs/index.md:5: WARNING: the translation {told}: keep claims"
    assert [each for each in warnings if each.startswith(message)], warnings


def test_claims_and_values_of_a_text_may_have_another_order(tmp_path: Path) -> None:
    said = (
        "[再次]{.row .it-is-faster}：[它用时 {measured}`.cost_s`]{#it-takes-time}，"
        "而[它快 {measured}`.speedup`]{#it-is-faster}。"
    )
    ids = translated(tmp_path, {**TEXTS, TWO: said}).page().select(".claim-text[id]")
    assert ["it-takes-time", "it-is-faster"] == [span["id"] for span in ids][:2]


def test_claims_of_two_texts_may_not_change_places(tmp_path: Path) -> None:
    _two, waits, lost = TEXTS
    name, other = "{#it-never-waits}", "{#none-is-lost}"
    said = {
        waits: TEXTS[waits].replace(name, other),
        lost: TEXTS[lost].replace(other, name),
    }
    message = "the translation lacks {#it-never-waits} and adds {#none-is-lost}: keep"
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


@pytest.mark.parametrize("quantity", ["快了两倍", "耗时五毫秒", "二十次中有七次"])
def test_a_quantity_that_only_a_translation_has_is_red(
    tmp_path: Path, quantity: str
) -> None:
    said = SAID.replace("再次", f"再次{quantity}")
    (warning,) = translated(tmp_path, {**TEXTS, TWO: said}, code=1).warnings
    assert warning.startswith("docs/index.md:5: WARNING: the translation says ")
    assert warning.split()[5].rstrip(",") in quantity


def test_a_number_in_words_may_be_one_in_digits(tmp_path: Path) -> None:
    text, said = "Two of them wait for half a second.", "其中 2 个等待半秒。"
    site = Site(tmp_path)
    site.write(CATALOG, f"{HEAD}\nmsgid {quoted(text)}\nmsgstr {quoted(said)}\n")
    site.page(claim(), text)
    site.script()
    site.record()
    assert said in site.build(conf=CONF).text()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("true: 更快 | false: 不更快", 0),
        ("更快 | 不更快", 1),
        ("true: 不更快 | false: 更快", 1),
    ],
)
def test_a_choice_of_a_translation_is_labelled_and_the_right_way_round(
    site: Site, words: str, code: int
) -> None:
    text = claim(expect="true", value="copy.faster")
    said = f"[它{{measured}}`{words} <copy.faster>`。]{{#copy-is-faster}}"
    page = f"msgid {quoted(text.splitlines()[0])}\nmsgstr {quoted(said)}\n"
    site.write(CATALOG, f"{HEAD}\n{page}")
    site.page(f"- {text}")
    site.record(measured={"faster": Plain(True)})
    build = site.build(conf=CONF, code=code)
    if code:
        message = "the translation of 'is faster | is not faster' is "
        place = f"docs/index.md:5: WARNING: {message}"
        assert [each for each in build.warnings if each.startswith(place)]
    else:
        assert "它更快。" in build.text()


def test_a_fault_of_a_translation_is_told_at_its_line(tmp_path: Path) -> None:
    lost = "[No byte is lost, of 64]{#none-is-lost}."
    said = {lost: "[64 个字节都不丢失]{#no-one-is-lost}。"}
    warnings = translated(tmp_path, {**TEXTS, **said}, code=1).warnings
    assert [
        each
        for each in warnings
        if each.startswith("docs/index.md:9: WARNING: 'no-one")
    ]


HAZARD = """\
msgid "It is faster ({measured}`copy.speedup`)."
msgstr "它更快（{measured}`copy.speedup`）。"
"""


def test_the_arms_of_a_hazard_keep_their_words(site: Site) -> None:
    po = "\n".join([HEAD, HAZARD])
    site.write(CATALOG, po)
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
    assert {"64", "128"} == numbers(noted(text).words)


LINKS = "Read [one](other.md#first-part), [another](other.md#second-part) and [a page](other.md)."
SAID_LINKS = (
    "先读[另一处](other.md#second-part)，"
    "再读[一处](other.md#first-part)和[一页](other.md)。"
)


def linked(site: Site, said: str, code: int = 0) -> Build:
    """Build a page in Chinese whose text has links to two places of another."""
    po = f"msgid {quoted(LINKS)}\nmsgstr {quoted(said)}\n"
    site.write(
        "locale/zh_CN/LC_MESSAGES/index.po", f"{PO.partition(chr(10) * 2)[0]}\n\n{po}"
    )
    site.page(
        "(first-part)=\n## A part\n\n(second-part)=\n## A part, too", name="other"
    )
    site.page(LINKS, claim())
    return site.build(conf=CONF, code=code)


def test_each_link_of_a_translation_leads_where_its_own_does(site: Site) -> None:
    page = linked(site, SAID_LINKS).page()
    links = page.select("p > a[href^=other]")
    led = {link.text: link["href"] for link in links}
    expected = {
        "另一处": "other.html#second-part",
        "一处": "other.html#first-part",
        "一页": "other.html",
    }
    assert expected == led


def test_what_is_kept_of_a_translation_is_as_small_as_its_text(site: Site) -> None:
    linked(site, SAID_LINKS)
    kept = site.folder / "build/doctrees/index.doctree"
    assert kept.stat().st_size < 20_000


def test_a_link_to_another_place_of_the_page_is_red(site: Site) -> None:
    said = SAID_LINKS.replace("#first-part", "#second-part")
    (warning,) = linked(site, said, code=1).warnings
    place = "a link to other#"
    assert f"lacks {place}first-part and adds {place}second-part: keep" in warning
