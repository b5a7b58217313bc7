"""The English of pages and examples: patterns that none has, and what is broken ever less."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import manner
import pytest
from conftest import ROOT
from evidence.records.model import Plain
from manner import RULES, WORDS, Fault, broken, faults, lowered, read_kept, rises
from prose import NONE, Reader, is_none

#: What is found, and a sentence that has it; code is left out before.
PATTERNS = {
    r"(?:^|[.;:] )who \w+s\b": "Who reads a result need not synchronise.",
    r"\bby hand\b": "It need not be synchronised by hand.",
    r"\b(?:did|does|do|done) so\b": "Then they did so in all tries.",
    r"(?:^|[.;:] )(?:nor|neither|so) (?:is|are|do|does|did|has|have|must|can|will)\b": (
        "Nor must operations of one stream wait for each other."
    ),
    r"(?:^|[.:] )to \w+ [^.]*? is (?:to|not enough)\b": "To synchronise once is not enough.",
    r"(?:: |\? )(?:yes|no)[.;]?$": "Is it pinned? No.",
}

#: A link whose text has a measured value, which leads to its record.
NESTED = re.compile(r"\[[^\[\]]*\{measured\}`[^`\n]*`[^\[\]]*\]\(")
CODE = re.compile(r"```.*?```|:::+\{plot\}.*?\n\n|`[^`\n]*`|\]\([^)\s]*\)", re.DOTALL)


def found(text: str) -> list[str]:
    prose = CODE.sub("", text)
    flags = re.IGNORECASE | re.MULTILINE
    return [m[0] for pattern in PATTERNS for m in re.finditer(pattern, prose, flags)]


@pytest.mark.parametrize(("pattern", "sample"), PATTERNS.items())
def test_each_pattern_finds_its_sample(pattern: str, sample: str) -> None:
    assert re.search(pattern, sample, re.IGNORECASE | re.MULTILINE)
    assert found(sample)


def test_no_page_and_no_example_has_them() -> None:
    pages = (p for p in (ROOT / "docs").rglob("*.md") if "gallery" not in p.parts)
    texts = {path: path.read_text("utf-8") for path in pages}
    for path in (ROOT / "examples").rglob("*.py"):
        source = path.read_text("utf-8")
        said = [source.split('"""')[1], *re.findall(r"(?m)^# (?!%%)(.*)$", source)]
        texts[path] = "\n".join(said)
    hits = {path.name: found(text) for path, text in texts.items()}
    assert {name: words for name, words in hits.items() if words} == {}


def test_no_link_holds_a_value_that_is_a_link_itself() -> None:
    assert NESTED.search("[{measured}`a.b` there](page.md)")
    pages = (ROOT / "docs").glob("*/*.md")
    found = {page.name: NESTED.findall(page.read_text("utf-8")) for page in pages}
    assert {name: links for name, links in found.items() if links} == {}


#: The rows of a table, which a blank line cuts off from their heading; code is left out before.
LOOSE = re.compile(
    r"(?<=\n\n)[ \t]*\|.*(?!\n[ \t]*\|[ :|-]*-[ :|-]*\|?[ \t]*\n)(?=\n|\Z)"
)


def test_no_table_has_a_row_that_a_blank_line_cuts_off() -> None:
    table = "\n\n| a | b |\n|---|---|\n| c | d |\n"
    assert not LOOSE.search(table)
    assert ["| e | f |"] == LOOSE.findall(f"{table}\n| e | f |\n")
    pages = (p for p in (ROOT / "docs").rglob("*.md") if "gallery" not in p.parts)
    texts = {path.name: CODE.sub("", path.read_text("utf-8")) for path in pages}
    rows = {name: LOOSE.findall(text) for name, text in texts.items()}
    assert {name: cut for name, cut in rows.items() if cut} == {}


V = "{measured}`a.b`"
#: Nothing is measured in the pages below: a count is none of its total if its name says so.
NONE_OF = "{measured}`a.none of a.tries`"
BOX = ":::{wrong} copy-is-faster\nIt is fast.\n:::\n"
HAZARD = f"::::{{hazard}}\n{BOX}{BOX.replace('wrong', 'right')}::::\n"
CHECKS = "```{checks} copy\nit-is-none:\n  is none: .none of .tries == 0\n```\n"


def rules(text: str) -> dict[str, int]:
    return Counter(
        f.rule for f in faults(text, lambda name, of: "none" in f"{of}{name}")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"From {V} to {V}, between {V} and {V}.", {}),
        (f"It took {V}, {V} and\n{V}. It took {V}.", {"values": 1}),
        (f"Of `f`, {V} of the {V} took {V}–{V}.", {}),
        ("{measured}`is | is not <a.b>` {measured}`is | is not <a.c>` " + V + V, {}),
        (
            "{measured}`never | in # of # | always <a.b of a.c>`, " + V + V,
            {"values": 1, "bold": 2},
        ),
        (f"In {NONE_OF}. In {NONE_OF}.", {}),
        (f"In {NONE_OF}, in none of the {V}.", {"none_of": 1}),
        (f"| In {NONE_OF} | in {NONE_OF} |\n| --- | --- |\n", {}),
        ("a " * 30 + "– `f(x, y)`.", {"long": 1}),
        ("a " * 28 + "– `f(x, y)`: [x](y.md). " + "A " * 30, {}),
        ("- " + "a " * 20 + "\n- " + "a " * 20, {}),
        ("It is initialised; the colour was\nlearnt.", {"british": 2, "words": 1}),
        (
            "`initialise` it, {doc}`a colour </gallery/a>` {term}`colours <a>`",
            {"british": 1},
        ),
        ("{measured}`true: stands | false: stood <a.b>`", {"words": 2}),
        ("```python\na = behind\n```\n\n```{code-cell}\na = behind\n```", {}),
        (
            ":::{picture} one\n:title: Its colour\n\nA kernel behind it.\n:::",
            {"words": 1, "british": 1},
        ),
        ("It never waits. [It always waits](a.md#so). It only\nwaits.", {"bold": 2}),
        ("It cannot wait, [and never, none waits. It always does]{#it-is-none}.", {}),
        (":::{right} it-is-none\nNone waits, never.\n:::", {}),
        ("```{glossary}\na b\n  " + "c " * 30 + "\n```", {}),
    ],
)
def test_a_page_breaks_a_rule(text: str, expected: dict[str, int]) -> None:
    assert expected == rules(text + "\n\n" + CHECKS)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["waits"], {}),
        (["held"], {"apart": 1}),
        (["waits (none)", "waits (a while)"], {"label": 1}),
        (["by call[call=host].waits"], {"label": 1, "apart": 1}),
    ],
)
def test_labels_are_a_reader_s_words_and_share_one_with_the_sentence(
    labels: list[str], expected: dict[str, int]
) -> None:
    checks = "".join(f"  {label}: .none of .tries == 0\n" for label in labels)
    text = f"[It waits]{{#it-waits}}.\n\n```{{checks}} copy\nit-waits:\n{checks}```\n"
    assert expected == rules(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOX * 2 + "Prose.\n\n" + BOX * 2, {}),
        (BOX * 2 + HAZARD + BOX, {"row": 2}),
        (HAZARD * 2 + "## Title\n\nProse.\n\n" + HAZARD, {}),
        ("# Title\n\n" + BOX, {"opens": 1}),
        ("# Title\n\n" + CHECKS + HAZARD, {"opens": 1}),
        ("# Title\n\n```python\na\n```\n" + BOX + CHECKS + BOX + BOX, {"row": 1}),
        (":::{wrong} it-is-none\nNone.\n:::\n" * 3, {"row": 1}),
        ("[None is so]{#it-is-none}.\n" * 3 + CHECKS, {}),
    ],
)
def test_boxes_stand_among_prose(text: str, expected: dict[str, int]) -> None:
    assert expected == rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "In {measured}`copy.none of copy.tries`.",
        "[In {measured}`.none of .tries`]{#it-is-none}.\n\n" + CHECKS,
        "In {measured}`.none of .tries`; [it is]{#it-is-none}.\n\n" + CHECKS,
        ":::{wrong} it-is-none\nIn {measured}`.none of .tries`.\n:::\n" + CHECKS,
    ],
)
def test_a_value_belongs_to_the_example_of_its_claim(text: str) -> None:
    parts = Reader(text, lambda name, of: bool(of or "copy." in name)).read(text)
    assert f"In {NONE}" in "".join(part.text for part in parts)


def test_a_count_is_none_by_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"copy.wrong": Plain(0), "copy.tries": Plain(20)}
    monkeypatch.setattr("prose.lookup", lambda address, _: found[str(address)])

    assert is_none(".wrong of .tries", "copy")
    assert not is_none("copy.tries of copy.tries", "")
    assert not is_none("copy.wrong", "")


def test_a_count_without_a_record_is_none_of_nothing() -> None:
    assert not is_none("no_such_example.wrong of no_such_example.tries", "")


@pytest.mark.parametrize("sample", WORDS.values(), ids=list(WORDS))
def test_each_translator_s_word_is_found_in_its_sample(sample: str) -> None:
    assert ["words"] == [rule for rule, _ in broken(sample)]


def test_what_english_says_with_the_same_words_is_no_fault() -> None:
    text = """\
    A training step keeps a training set. The claim behind it leaves its state behind.
    Dots stand for the rest. Both are alike, and as well as the third, besides a list."""
    assert "words" not in dict(broken(text))


def test_a_fault_names_the_line_of_its_sentence() -> None:
    page = f"# Title\n\nOne.\nTwo,\nthree. In {NONE_OF}\nand {NONE_OF}.\n"
    nested = page + "\n:::{right} one\nIt waits\nbehind it.\n:::\n"
    none, behind = faults(nested, lambda name, _: "none" in name)

    assert (5, "none_of", "In none of the # and none of the #.") == none
    assert (9, "words", "[behind] It waits behind it.") == behind


KEPT = {"a.md": {"long": 2, "row": 1}, "b.md": {"long": 1}}


def test_a_number_that_rises_is_red_and_one_that_falls_is_kept() -> None:
    found = {"a.md": {"long": 1, "values": 1}, "c.md": {"row": 1}}

    assert [
        "a.md: a sentence with more than two values, 1 (at most 0); "
        "see python tests/manner.py a.md",
        "c.md: a box after two others, 1 (at most 0); see python tests/manner.py c.md",
    ] == rises(found, KEPT, [])
    assert {"a.md": {"long": 1}} == lowered(found, KEPT)


def test_a_rewritten_page_breaks_nothing_and_its_bold_words_do_not_grow() -> None:
    assert [] == rises({"b.md": {"bold": 1}}, {"b.md": {"bold": 1}}, ["b.md"])
    assert [] != rises({"b.md": {"bold": 2}}, {"b.md": {"bold": 1}}, ["b.md"])
    assert [] == rises(KEPT, KEPT, [])
    assert ["b.md"] == [rise.partition(":")[0] for rise in rises(KEPT, KEPT, ["b.md"])]


def test_the_command_keeps_what_fell_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "manner.toml"
    kept.write_text(manner.dump(["c.md"], {**KEPT, "gone.md": {"row": 1}}))
    found = {"a.md": [Fault(3, "long", "a")], "b.md": [Fault(1, "long", "b")] * 2}
    monkeypatch.setattr("manner.KEPT", kept)
    monkeypatch.setattr("manner.site", lambda: found)

    assert manner.main(["a.md"]) == 0
    assert "a.md:3: a sentence of more than 30 words\ta\n" == capsys.readouterr().out
    assert manner.main([]) == 1
    assert "b.md: a sentence of more than 30 words, 2 (at" in capsys.readouterr().out
    expected = {"a.md": {"long": 1}, "b.md": {"long": 1}}
    assert (["c.md"], expected) == read_kept(kept.read_text())


def test_each_page_breaks_no_more_than_is_kept_and_no_less() -> None:
    rewritten, kept = read_kept(manner.KEPT.read_text("utf-8"))
    found = manner.site()
    counts = manner.count(found)

    assert [] == rises(counts, kept, rewritten)
    assert kept == counts, "numbers fell: PYTHONPATH=conf python tests/manner.py"
    assert set() == {*rewritten} - {*found}, "no such pages"
    assert {rule for each in kept.values() for rule in each} <= RULES.keys()
