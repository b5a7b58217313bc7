"""The Chinese catalogs are linted, and the lint finds what translations have got wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import chinese
import pytest
from chinese import CATALOGS, catalog, faults
from chinese_directions import TABLES, lacking
from chinese_style import PATTERNS

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
WRONG = [*CASES["found"], *CASES["tried"]]


@pytest.mark.parametrize("case", WRONG, ids=[case["what"] for case in WRONG])
def test_a_wrong_translation_is_found(case: dict[str, str]) -> None:
    found = faults(case["english"], case["chinese"])
    told = [f"{rule}: {words}" for rule, words in found]
    assert [each for each in told if each.startswith(case["told"])], told


@pytest.mark.parametrize(("english", "translation"), CASES["changed"].items())
def test_the_opposite_is_found(english: str, translation: str) -> None:
    assert {"words", "glossary"} & {rule for rule, _ in faults(english, translation)}


@pytest.mark.parametrize(("english", "translation"), CASES["right"].items())
def test_a_right_translation_is_silent(english: str, translation: str) -> None:
    assert [] == [*faults(english, translation)]


@pytest.mark.parametrize("what", PATTERNS)
def test_each_pattern_of_style_finds_its_sample(what: str) -> None:
    wrong, right = CASES["style"][what]
    for text, expected in ((wrong, [what]), (right, [])):
        found = [words for rule, words in faults(text, text) if rule == "style"]
        assert expected == [
            words.rpartition(": ")[0] for words in found if what in words
        ]


@pytest.mark.parametrize("said", TABLES["counterparts"])
def test_each_word_of_direction_needs_a_counterpart(said: str) -> None:
    word = re.sub(r"(?:\(\?:t\)|s)\?", "", said.rpartition("|")[2])
    assert [*lacking(f"It {word} waits.", "它等待。")]
    assert not [*lacking("It waits.", "它等待。")]


def test_the_engine_s_words_keep_their_places() -> None:
    told = [*faults("{n:,} of {all}", "{all} 中的 {m}", is_engine=True)]
    assert [("lost", "{n:,}"), ("added", "{m}")] == told
    assert [] == [*faults("{n} of {all}", "{all} 中的 {n}", is_engine=True)]


PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "It waits."
msgstr "它等待 。"

#, fuzzy
msgid "It runs."
msgstr "它运行✓。"

msgid "It ends."
msgstr ""
"""


def test_the_command_tells_each_fault_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.po"
    path.write_text(PO, "utf-8")

    assert chinese.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{path}:4: style: a space beside a full-width mark: 它等待 。" in out
    assert f"{path}:8: markup: a mark of" in out
    path.write_text(PO.replace("✓", "").replace(" 。", "。"), "utf-8")
    assert chinese.main([str(path)]) == 0


def test_a_comment_lets_the_fault_of_a_word_be_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "page.po"
    for note, left in {
        "# lint: a space beside": ["markup"],
        "# lint: another": ["markup", "style"],
        "# lint: a mark of\n# a space": ["markup", "style"],
    }.items():
        text = PO.replace('msgid "It waits', f'{note}\nmsgid "It waits')
        path.write_text(text, "utf-8")
        assert left == sorted(fault.rule for _, fault in catalog(path))


PAGES = sorted(path.relative_to(CATALOGS).as_posix() for path in CATALOGS.rglob("*.po"))


@pytest.mark.parametrize("chapter", sorted({page.partition("/")[0] for page in PAGES}))
def test_no_catalog_has_a_fault(chapter: str) -> None:
    pages = [page for page in PAGES if page.partition("/")[0] == chapter]
    found = {page: [*catalog(CATALOGS / page)] for page in pages}
    assert {page: told for page, told in found.items() if told} == {}


def test_the_translation_of_a_former_text_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "page.po"
    former = (
        '#, fuzzy\n#| msgid "It waits."\nmsgid "It never waits."\nmsgstr "它等待。"'
    )
    path.write_text(f'msgid ""\nmsgstr ""\n\n{former}\n')
    assert [] == [*catalog(path)]
    path.write_text(path.read_text().replace('#| msgid "It waits."\n', ""))
    assert [*catalog(path)]
