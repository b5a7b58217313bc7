"""What we propose to correct in upstream, and what was true formerly: entries to be quoted."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT, claim
from docutils import nodes
from evidence.judge.facts import PATCHES, UPSTREAM, Former, Upstream, read_toml
from evidence.judge.pages import read_claims
from evidence.judge.passes import Elsewhere
from evidence.judge.verdict import judge
from evidence.records.units import THIN_SPACE
from evidence.site.look.panel import line
from evidence.site.tables.corrections import FAULTS, changes, corrections
from evidence.site.tables.counts import byline, totals
from factories import (
    builder,
    claim_of,
    domain,
    filler,
    having,
    record,
    statement,
    timing,
    toml,
)
from factories import claim as made
from sphinx import addnodes

if TYPE_CHECKING:
    from conftest import Site
    from evidence.site.look.nodes import Filler

KNOWN = {
    "fast": statement(title="A `copy` is slow", harm="speed", known="2026-01-30"),
    "late": statement(page="Data", harm="results", fault="code"),
    "free": statement(words="is free", fault="slip"),
}

#: What older notes said, as the file has it.
FORMERLY = """
[formerly.copy-is-faster]
notes = "PyTorch 1.7"
since = "2.0"
said = "It was slower."
anchor = "formerly-1"
"""


def contradicting(**contradicted: str) -> Filler:
    """Claims by name, each on a page of its own, and the statements that they contradict."""
    claims = [
        made(name=name, place=(f"{name}-page", 1), contradicts=names)
        for name, names in contradicted.items()
    ]
    return filler(domain(*claims, upstream=KNOWN))


def chaptered(given: Filler, **chapters: list[str]) -> Filler:
    """The same, with these captions on the landing page."""
    for caption, pages in chapters.items():
        tree = addnodes.toctree(caption=caption, includefiles=pages)
        given.env.tocs["index"] += tree
    return given


def paragraphs(entry: nodes.Node) -> list[str]:
    return [p.astext() for p in entry.findall(nodes.paragraph)]


def test_an_entry_says_what_is_wrong_what_was_measured_and_what_to_do() -> None:
    _, chapter = corrections(contradicting(a="fast"), "")

    _, entry = chapter.children
    assert ["fast"] == entry["ids"]
    assert "A copy is slow" == entry.next_node(nodes.title).astext()
    told = paragraphs(entry)
    where = "CUDA semantics: Copies; 01234567, accessed 31 January 2026"
    assert [
        "The documentation is wrong · Lost speed · known since 30 January 2026 · report "
        "· patch",
        f"Documented: If possible, copy_ is fast. “is fast” ({where})",
        "Measured: It is faster.",
    ] == told[:3]
    assert [
        "NVIDIA H200, torch 2.11.0, last run on 31 January 2026 · what to do: a-page",
        "Proposed wording: It is slow.",
    ] == told[-2:]
    # What it contradicts, and how to verify it, its own page says.
    assert not [line for line in told if line.startswith(("Contradicts", "On your"))]
    links = [link["refuri"] for link in entry.findall(nodes.reference)]
    source = "https://github.com/pytorch/pytorch/blob/0123456789abcdef/docs/cuda.md"
    said = KNOWN["fast"].address
    files = ["reports/fast.md", "reports/docs-cuda.md.patch"]
    assert [*files, said, source, "a-page.html#a"] == [*links[:4], links[-1]]


def test_an_entry_without_a_title_or_a_day_shows_the_words_and_when_it_was_read() -> (
    None
):
    _, chapter = corrections(contradicting(a="free"), "")

    assert "is free" == chapter.children[1].next_node(nodes.title).astext()
    first = "A slip of the pen · Outdated or imprecise · known since 31 January 2026 · "
    assert f"{first}report · patch" == paragraphs(chapter)[0]


def test_a_title_prints_its_values_and_keeps_what_was_not_measured() -> None:
    given = contradicting(a="fast")
    titles = given.domain.pages["a-page"].sentences
    titles["a"] = "So fast: {measured}`copy.speedup`, {measured}`copy.size`."

    _, chapter = corrections(given, "")

    told = "Measured: So fast: 5.0×, {measured}`copy.size`."
    assert told in paragraphs(chapter)


def test_a_title_calls_a_ratio_near_1_as_a_sentence_does() -> None:
    near = record(measured={"speedup": timing(0.98, 1.04)})
    given = domain(made("in 0.95..1.07"), records=(near,))
    titles = given.pages["page"].sentences

    titles["a-claim"] = "It is {measured}`copy.speedup` as fast."
    assert "It is about as fast." == given.sentence(given.claims[0])

    titles["a-claim"] = "As fast: {measured}`copy.speedup`."
    assert "As fast: 1.01×." == given.sentence(given.claims[0])


def test_a_statement_is_listed_once_with_all_claims_that_contradict_it() -> None:
    _, chapter = corrections(contradicting(a="fast", b="fast"), "")

    assert 2 == len(chapter.children)
    assert 2 == paragraphs(chapter).count("Measured: It is faster.")


def test_statements_are_counted_by_page_and_by_label() -> None:
    summary, *_ = corrections(contradicting(a="fast, late, free"), "")

    rows = [[e.astext() for e in row.children] for row in summary.findall(nodes.row)]
    assert [
        ["Documentation", *FAULTS.values()],
        ["CUDA semantics", "1", "–", "–", "1"],
        ["Data", "–", "1", "–", "–"],
        ["All of them", "1", "1", "–", "1"],
    ] == rows


def test_the_landing_page_counts_them_by_label() -> None:
    given = contradicting(a="fast, late, free")
    given.env.titles["evidence/corrections"] = nodes.title("", "Corrections")

    (line,) = totals(given, "")

    counts = "docs 1, code 1, slips 1"
    assert f"3 corrections: {counts}" in line.astext()


def test_entries_stand_by_chapter_in_the_order_of_the_landing_page() -> None:
    given = contradicting(a="fast", b="late", c="free")
    chaptered(given, Moving=["c-page", "a-page"])

    _, *chapters = corrections(given, "")

    titles = [[t.astext() for t in c.findall(nodes.title)] for c in chapters]
    assert [
        ["Other pages", "is fast"],
        ["Moving", "is free", "A copy is slow"],
    ] == titles
    assert [["other-pages"], ["moving"]] == [chapter["ids"] for chapter in chapters]


def test_a_chapter_with_a_page_has_its_entries_there_and_the_list_of_all_leads_to_them() -> (
    None
):
    claims = [
        made(name=name, place=(f"{folder}/{name}", 1), contradicts=wrong)
        for name, folder, wrong in (
            ("a", "moving", "fast"),
            ("b", "other", "free"),
            ("c", "other", "fast"),
        )
    ]
    given = filler(domain(*claims, upstream=KNOWN))
    given.env.titles["evidence/corrections/moving"] = nodes.title("", "Wrong")

    _, named, whole = corrections(given, "")
    (entry,) = corrections(given, "moving")

    (item,) = named.findall(nodes.list_item)
    told = "A copy is slow · The documentation is wrong · Lost speed"
    assert (["fast"], told) == (item["ids"], item.astext())
    link = item.next_node(nodes.reference)
    assert "evidence/corrections/moving.html#fast" == link["refuri"]
    assert ["fast"] == entry["ids"]
    assert "Measured: It is faster." in paragraphs(entry)
    assert ["free"] == whole.children[1]["ids"]
    assert [] == corrections(given, "no-chapter")


SLOW = Former("PyTorch 1.7", "2.0", "It was `slow`.", "formerly-1")
FREE = Former("PyTorch 1.9–2.1", "2.2", "It wasn't free.")


def test_changes_say_until_when_what_was_said_and_what_was_measured() -> None:
    said = domain(made(place=("b-page", 1)), made(name="b-claim", place=("a-page", 2)))
    having(said, formerly={"b-claim": FREE, "nowhere": SLOW, "a-claim": SLOW})
    given = chaptered(filler(said), Moving=["b-page", "a-page"])

    (chapter,) = changes(given, "")

    _, first, second = chapter.children
    assert [["since-2-0-a-claim"], ["since-2-2-b-claim"]] == [
        first["ids"],
        second["ids"],
    ]
    titles = [entry.next_node(nodes.title).astext() for entry in (first, second)]
    assert ["Until PyTorch 2.0", "Until PyTorch 2.2"] == titles
    told = ["PyTorch 1.7: It was slow.", "Measured: It is faster."]
    assert told == paragraphs(first)[:2]
    assert "PyTorch 1.9–2.1: It wasn’t free." == paragraphs(second)[0]
    assert "b-page.html#a-claim" == [*first.findall(nodes.reference)][-1]["refuri"]


def test_changes_tell_what_another_torch_gave_with_the_same_script() -> None:
    """Nothing where it holds with that as well, or where it is told what was said."""
    names = ("a-claim", "b-claim", "c-claim")
    said = domain(
        *(made(name=name, place=("b-page", n)) for n, name in enumerate(names))
    )
    having(said, formerly={"b-claim": FREE})
    slow, noisy, fast = (
        judge(made(), {"copy": record(measured={"speedup": timing(*medians)})})
        for medians in ((2.0,), (2.0, 4.5), (7.0,))
    )
    by_series = {"2.9": noisy, "2.11": slow, "2.12": fast}
    others = {"a-claim": by_series, "b-claim": by_series, "c-claim": {"2.11": fast}}
    said.close(replace(said.judged, elsewhere=Elsewhere(others=others)))

    (chapter,) = changes(chaptered(filler(said), Moving=["b-page"]), "")

    _, first, second = chapter.children
    assert [["since-2-2-b-claim"], ["not-with-2-11-a-claim"]] == [
        first["ids"],
        second["ids"],
    ]
    assert "Not with PyTorch 2.11" == second.next_node(nodes.title).astext()
    assert [
        "PyTorch 2.9, as sent in: noisy (speedup 3.2×)",
        "PyTorch 2.11, as sent in: diverged (speedup 2.000×)",
        "Measured: It is faster.",
    ] == [text.replace(THIN_SPACE, " ") for text in paragraphs(second)[:3]]


def test_an_entry_names_each_builder_that_measured_its_claim() -> None:
    later = builder(gpu="NVIDIA L40", torch="2.12.1+cu130")
    wait = record("wait", recorded="2026-03-17", builder=later)
    both = claim_of("copy.speedup <= wait.speedup", contradicts="fast")
    given = filler(domain(both, records=(record(), wait), upstream=KNOWN))

    *_, entries = corrections(given, "")

    builders = (
        "NVIDIA H200 and NVIDIA L40, torch 2.11.0 and 2.12.1, last run on 17 March"
    )
    assert f"{builders} 2026 · what to do: page" in entries.astext()


def test_the_evidence_of_a_claim_says_what_was_said_formerly() -> None:
    said = domain(made(place=("ledger", 1)), made(name="b-claim", place=("ledger", 2)))
    having(said, formerly={"a-claim": SLOW, "b-claim": FREE})
    given = filler(said)

    both = [line(given, name)[0] for name in ("a-claim", "b-claim")]

    told = [text for box in both for text in paragraphs(box) if "Formerly" in text]
    assert [
        "Formerly, PyTorch 1.7: It was slow.",
        "Formerly, PyTorch 1.9–2.1: It wasn’t free.",
    ] == told
    # An anchor that a page had before leads to it.
    anchors = [part["ids"] for box in both for part in box.findall(nodes.inline)]
    assert [["formerly-1"]] == [ids for ids in anchors if ids]
    # The list of changes says it itself.
    given.env.current_document.docname = "changes"
    assert "Formerly" not in line(given, "a-claim")[0].astext()


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("fast", ["corrections of PyTorch’s docs: 1"]),
        ("free, fast", ["corrections of PyTorch’s docs: 2"]),
        ("", []),
    ],
)
def test_a_page_says_what_it_corrects_in_the_notes(names: str, told: list[str]) -> None:
    about: dict[str, Any] = {"contradicts": names} if names else {}
    known = domain(made(place=("ledger", 1), **about), upstream=KNOWN)
    given = filler(known)
    assert [] == [*byline(given, "")[0].findall(nodes.reference)]

    given.env.titles["evidence/corrections"] = nodes.title("", "Wrong")

    (strip,) = byline(given, "")
    links = [*strip.findall(nodes.reference)]
    assert told == [link.astext() for link in links]
    uris = ["evidence/corrections.html#fast"] * len(told)
    assert uris == [link["refuri"] for link in links]


def test_a_page_says_what_it_corrects_though_another_does_as_well() -> None:
    claims = [
        made(name=name, place=(page, line), contradicts=wrong)
        for name, page, line, wrong in (
            ("a", "first", 1, "free"),
            ("b", "ledger", 1, "late"),
            ("c", "ledger", 2, "free, late"),
            ("d", "other", 1, "fast"),
        )
    ]
    given = filler(domain(*claims, upstream=KNOWN))
    given.env.titles["evidence/corrections"] = nodes.title("", "Wrong")

    (strip,) = byline(given, "")

    (link,) = strip.findall(nodes.reference)
    told = ("corrections of PyTorch’s docs: 2", "evidence/corrections.html#late")
    assert told == (link.astext(), link["refuri"])


def test_a_link_from_a_page_leads_to_an_entry(site: Site) -> None:
    site.write(f"docs/{UPSTREAM}", toml() + FORMERLY)
    site.page(claim(contradicts="fast"))
    fill = "```{evidence-corrections}\n```"
    site.page(fill, name="evidence/corrections", title="Wrong")
    site.page("```{evidence-changes}\n```", name="evidence/changes", title="Changed")

    build = site.build()

    (link,) = build.page().find_all(string=re.compile("corrections of PyTorch"))
    page, _, anchor = str(link.parent["href"]).partition("#")
    entry = build.page(page.removesuffix(".html")).find(id=anchor)
    assert entry is not None and "Measured: It is faster (5.0×)." in entry.text
    links = build.page("evidence/changes").find_all("a", string="Tiny")
    assert "../index.html#copy-is-faster" in [link["href"] for link in links]
    former = build.page().select_one("details #formerly-1")
    assert former is not None and "It was slower." == former.text


def test_each_contradicted_statement_has_a_title_a_label_a_harm_and_a_day() -> None:
    path = ROOT / "docs" / UPSTREAM
    raw = tomllib.loads(path.read_text("utf-8"))["statements"]
    named = {
        field: {name for name, each in raw.items() if field in each}
        for field in ("suggestion", "title", "fault", "harm", "known")
    }

    assert named["suggestion"] == named["title"] == named["harm"] == named["known"]
    assert named["suggestion"] == named["fault"]
    titles = [
        each.title
        for each in read_toml(path, Upstream).statements.values()
        if each.title
    ]
    assert len(titles) == len({*titles})


def test_there_is_a_patch_for_each_contradicted_statement() -> None:
    statements = read_toml(ROOT / "docs" / UPSTREAM, Upstream).statements.values()
    mended = {each.patch for each in statements if each.fault}

    patches = {path.name for path in (ROOT / "docs" / PATCHES).iterdir()}
    assert mended == patches


def test_a_patch_names_the_claims_of_each_statement_that_it_mends() -> None:
    statements = read_toml(ROOT / "docs" / UPSTREAM, Upstream).statements
    pages = {path: path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")}
    for path, text in pages.items():
        name = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for found in read_claims(text, name)[0]:
            for said in (statements[each] for each in found.contradicts):
                patch = (ROOT / "docs" / PATCHES / said.patch).read_text("utf-8")
                assert f"{found.id} (page {name})" in " ".join(patch.split())
