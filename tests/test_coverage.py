"""What the site covers: statements of sources, which seeds name, and the page that shows them."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, claim, green
from docutils import nodes
from evidence.judge.facts import (
    SOURCES,
    UPSTREAM,
    FactsError,
    Seed,
    Sources,
    Upstream,
    read_toml,
)
from evidence.judge.pages import read_claims
from evidence.site.judging.claim_faults import of_statements
from evidence.site.tables.indexes import coverage, documents
from factories import claim as made
from factories import domain, filler, having

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Site
    from evidence.site.domain import EvidenceDomain

KNOWN = Sources(
    {"notes": "The notes"},
    {
        "copy-fast": Seed("Copies", ["notes"], "A `copy` is fast."),
        "copy-free": Seed("Copies", ["notes", "a/b#1"], "A copy is free."),
        "old": Seed("History", ["notes"], "It was slow.", "it takes an old GPU"),
    },
)

TOML = """\
[documents]
notes = "The notes"

[statements.copy-fast]
chapter = "Copies"
sources = ["notes"]
text = "A copy is fast."
"""


def seeded(**seeds: str) -> EvidenceDomain:
    """Claims that name these seeds, with the statements that are known here."""
    claims = [
        made(name=name, **({"seed": seed} if seed else {}))
        for name, seed in seeds.items()
    ]
    said = domain(*claims)
    having(said, sources=KNOWN)
    return said


@pytest.mark.parametrize(
    ("seed", "problem"),
    [
        (
            "copy-fats",
            "docs/evidence/sources.toml has no 'copy-fats'; did you mean "
            "copy-fast or copy-free?",
        ),
        ("B99", "docs/evidence/sources.toml has no 'B99'"),
        (
            "old",
            "its seed 'old' is shown: take its 'cannot' out of docs/evidence/sources.toml",
        ),
    ],
)
def test_a_seed_names_a_statement_that_can_be_shown(seed: str, problem: str) -> None:
    (fault,) = of_statements(seeded(a=seed, b="copy-fast, copy-free", c=""))

    assert f"claim 'a': {problem}" == fault.message
    assert ("page", 1) == fault.place


def test_an_unknown_seed_is_red_at_its_claim(site: Site) -> None:
    site.write("docs/evidence/sources.toml", TOML)
    site.page(claim(seed="copy-fast"), claim("other", seed="000 copy-fast"))

    (warning,) = site.build(code=1).warnings

    expected = (
        "docs/index.md:16: WARNING: claim 'other': docs/evidence/sources.toml has no "
        "'000 copy-fast'; did you mean copy-fast? [evidence.claim]"
    )
    assert expected == warning


WRONG = {
    "text": ("x", "Expected '=' after a key in a key/value pair (at end of document)"),
    "twice": (
        TOML + "[statements.copy-fast]\n",
        "Cannot declare ('statements', 'copy-fast') twice (at line 8, column 22)",
    ),
    "field": (
        TOML + 'txet = "A."\n',
        "Object contains unknown field `txet` - at `$.statements[...]`",
    ),
    "whole": ("seeds = 3\n" + TOML, "Object contains unknown field `seeds`"),
    "type": (
        TOML.replace('["notes"]', "3"),
        "Expected `array`, got `int` - at `$.statements[...].sources`",
    ),
    "missing": (
        TOML.replace("text", "cannot"),
        "Object missing required field `text` - at `$.statements[...]`",
    ),
    "bytes": (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_of_statements_that_cannot_be_read_says_why(
    tmp_path: Path, wrong: str
) -> None:
    content, problem = WRONG[wrong]
    path = tmp_path / "docs/evidence/sources.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)

    with pytest.raises(
        FactsError, match=re.escape(f"evidence/sources.toml: {problem}")
    ):
        read_toml(tmp_path / SOURCES, Sources)


def test_a_file_of_statements_that_cannot_be_read_ends_the_build(site: Site) -> None:
    site.write("docs/evidence/sources.toml", TOML + "x")

    build = site.build(code=2)

    assert "evidence/sources.toml: Expected '=' after a key" in build.errors


def texts(table: nodes.table) -> list[list[str]]:
    rows = table.findall(nodes.row)
    return [[entry.astext() for entry in row.children] for row in rows]  # type: ignore[attr-defined]


def test_the_page_shows_claims_what_is_open_and_what_cannot_be_shown() -> None:
    said = seeded(a="copy-fast", b="copy-fast")

    chapters = coverage(filler(said), "")

    copies, history = (chapter.next_node(nodes.table) for chapter in chapters)
    assert [
        "Statements: 2 · with claims: 1 · open: 1 · cannot be shown: 0",
        "Statements: 1 · with claims: 0 · open: 0 · cannot be shown: 1",
    ] == [chapter.next_node(nodes.paragraph).astext() for chapter in chapters]
    assert [
        ["Statement", "Sources", "On this site"],
        ["A copy is fast. copy-fast", "notes", "It is faster. It is faster. "],
        ["A copy is free. copy-free", "notes, a/b#1", "open"],
    ] == texts(copies)
    reason = "cannot be shown: it takes an old GPU"
    assert ["It was slow. old", "notes", reason] == texts(history)[1]
    links = [link["refuri"] for link in copies.findall(nodes.reference)]
    assert ["page.html#a", "page.html#b"] == links
    assert ["copy", "copy-fast"] == [n.astext() for n in copies.findall(nodes.literal)][
        :2
    ]


def test_statements_are_counted_by_document() -> None:
    counts, _, listed = documents(filler(seeded(a="copy-fast", b="copy-fast")), "")

    every = "Statements: 3 · with claims: 1 · open: 1 · cannot be shown: 1"
    assert every == counts.astext()
    header = ["Source", "Document", "Its statements"]
    assert [header, ["notes", "The notes", every]] == texts(listed)


def test_a_page_lists_the_statements_of_its_chapter() -> None:
    said = seeded(a="copy-fast")
    known = {
        "copy-fast": Seed("transfer/Copies", ["notes"], "A copy is fast."),
        "old": Seed("amp/Copies", ["notes"], "It was slow."),
    }
    having(said, sources=Sources({"notes": "The notes"}, known))

    (chapter,) = coverage(filler(said), "transfer")

    assert "Copies" == chapter.next_node(nodes.title).astext()
    assert "It was slow" not in chapter.astext()


def test_a_source_counts_its_own_statements_and_a_thread_none() -> None:
    said = seeded(a="copy-free")
    both = Seed("Copies", ["notes", "post"], "A copy is cheap.")
    titles = {"notes": "The notes", "talk": "A talk", "post": "A post"}
    known = {**KNOWN.statements, "copy-cheap": both}
    having(said, sources=Sources(titles, known))

    *_, listed = documents(filler(said), "")

    none = "Statements: 0 · with claims: 0 · open: 0 · cannot be shown: 0"
    one = "Statements: 1 · with claims: 0 · open: 1 · cannot be shown: 0"
    assert [["talk", "A talk", none], ["post", "A post", one]] == texts(listed)[2:]
    assert "a/b#1" not in listed.astext()


def test_a_long_sentence_is_cut_in_the_list() -> None:
    said = seeded(a="copy-fast")
    said.page("page").sentences["a"] = "It is faster than " + "this and that, " * 9

    copies, _ = coverage(filler(said), "")

    (link,) = copies.findall(nodes.reference)
    assert link.astext().endswith("this and that …")
    assert len(link.astext()) <= 112


def test_a_preview_shows_a_statement_that_changed(tmp_path: Path) -> None:
    site = green(tmp_path, preview=True)
    site.write("docs/evidence/sources.toml", TOML)
    site.page("```{evidence-coverage}\n```", name="coverage", title="Coverage")
    first = site.build()
    assert "A copy is fast. copy-fast notes open" in first.text("coverage")
    assert not site.build().read

    site.write("docs/evidence/sources.toml", TOML.replace("is fast", "is quick"))

    again = site.build()
    assert "coverage" in again.read
    assert "A copy is quick. copy-fast notes open" in again.text("coverage")


def test_each_committed_seed_is_a_statement() -> None:
    pages = {
        path: path.read_text("utf-8")
        for path in (ROOT / "docs").rglob("*.md")
        if "gallery" not in path.parts
    }
    claims = [
        c for path, text in pages.items() for c in read_claims(text, path.name)[0]
    ]
    said = domain()
    said.page("all").claims = claims
    upstream = read_toml(ROOT / "docs" / UPSTREAM, Upstream).statements
    sources = read_toml(ROOT / SOURCES, Sources)
    having(said, sources=sources, upstream=upstream)

    assert [] == [*of_statements(said)]
    assert len({seed for each in claims for seed in each.seed}) > 90


def test_each_committed_statement_has_a_source_a_sentence_and_a_chapter() -> None:
    sources = read_toml(ROOT / SOURCES, Sources)
    found = sources.statements
    named = {source for each in found.values() for source in each.sources}
    threads = {name for name in named if re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", name)}
    chapters = [name for name, _ in groupby(each.chapter for each in found.values())]

    assert sources.documents.keys() == named - threads
    assert [] == [name for name, each in found.items() if not each.sources]
    assert [] == [name for name, e in found.items() if not re.search(r"[.?]$", e.text)]
    assert [] == [name for name, each in found.items() if each.text.count("`") % 2]
    assert len(set(chapters)) == len(chapters)
