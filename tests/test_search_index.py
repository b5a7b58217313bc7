"""The index of the site's own search: its words and passages, and what a build makes of it."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest
from conftest import claim, green
from docutils import nodes
from docutils.utils import new_document
from evidence.records.model import Plain, Raised
from evidence.site.look.nodes import paragraph, section, table
from evidence.site.parts import Passage
from evidence.site.publish import search_index
from evidence.site.publish.search_index import Places, words
from evidence.site.publish.search_index import passages as passages_of
from evidence.site.publish.search_messages import listed, plain
from factories import claim as made
from factories import domain, record

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build, Site

HIDDEN = "---\norphan: true\nsearch:\n  lead: velocity\n  {}: tempo\n---\n\n"
#: A page's chapter in the landing page's tables of contents.
TREE = "```{{toctree}}\n:caption: {0}\n\n{1}\n```"
TEXT, HEADING, TITLE, HIDDEN_WORDS = range(4)


def said(text: str, *, whole: bool = False) -> list[str]:
    stops = {"the", "dont"}
    return list(words(text, lambda word: word.removesuffix("s"), stops, whole=whole))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("record_stream", ["recordstream", "record", "stream"]),
        ("non-blocking", ["nonblocking", "non", "blocking"]),
        ("torch.cuda.has_tf32()", ["torch", "cuda", "hastf32", "ha", "tf32"]),
        ("DataLoader", ["dataloader", "data", "loader"]),
        ("_foreach_copy_", ["foreachcopy", "foreach", "copy"]),
        ("The loaders don’t", ["loader"]),
        ("x takes 20 s", ["take"]),
        ("IO of 4 GB", ["io", "of", "gb"]),
        ("", []),
    ],
)
def test_words_are_stemmed_and_identifiers_split_and_joined(
    text: str, expected: list[str]
) -> None:
    assert expected == said(text)


def test_an_identifier_may_be_taken_whole() -> None:
    expected = ["recordstream", "dataloader", "nonblocking", "non", "blocking"]
    assert expected == said("record_stream DataLoader non-blocking", whole=True)


def said_of(name: str, text: str) -> nodes.inline:
    """The span of a claim."""
    return nodes.inline("", text, ids=[name], classes=["claim-text"])


def test_a_reader_is_led_to_the_nearest_section_claim_box_or_term() -> None:
    both = paragraph(said_of("one", "It waits."), " And ", said_of("two", "it runs."))
    row = table(["case"], [[said_of("three", "a cell")], ["no claim"]])
    terms = nodes.definition_list_item(
        "",
        nodes.term("", "stream", ids=["term-stream"]),
        nodes.definition("", paragraph("A queue.")),
    )
    boxed = nodes.container("", paragraph("It fails."), ids=["four"], classes=["box"])
    plain = nodes.container("", paragraph("Caption."), ids=["five"])
    doctree = new_document("page")
    doctree += section(
        "Page",
        paragraph("The lead, with ", said_of("six", "a claim.")),
        section("Inner part", both, row, boxed, plain, anchor="inner"),
        section("See also", paragraph("Elsewhere."), anchor="see-also-2"),
        section("Read next", paragraph("There."), anchor="read-next"),
        nodes.definition_list("", terms),
        anchor="page",
    )

    found = passages_of(doctree, {"three": "Its title."})

    assert {
        "page": ["Page"],
        "six": ["a claim."],
        "inner": ["Inner part", "Caption."],
        "one": ["It waits. And it runs."],
        "two": [""],
        "three": ["Its title."],
        "four": ["It fails."],
        "term-stream": ["stream", "A queue."],
    } == found


def test_a_word_is_told_by_its_distance_from_where_it_stood_before() -> None:
    places = Places()
    noted = [
        places.note(Passage(*passage))
        for passage in (
            ("", "", ["copy", "copy", "fast"], [], ["title"], ["velocity"]),
            ("a", "", ["wait"], []),
            ("b", "Copies", ["fast"], ["copy"]),
            ("c", "", ["copy", "fast"], [], ["unused"]),
        )
    ]
    assert [
        ["", "", 2, 0, 1, 1],
        ["a", "", 1, 0],
        ["b", "Copies", 1, 1],
        ["c", "", 2, 0],
    ] == noted
    lines = ["copy,0 0 3,2", "fast,0 2 1", "title,,,0", "velocity,,,,0", "wait,1"]
    assert lines == sorted(places.lines())


def test_distances_are_written_in_base_36() -> None:
    places = Places()
    said = {35: ["late"], 1331: ["late"]}
    for number in range(1332):
        places.note(Passage(str(number), "", said.get(number, []), []))

    assert ["late,z 100"] == [*places.lines()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RuntimeError: CUDA error: invalid Ordinal 7", "cuda error invalid ordinal #"),
        ("torch.OutOfMemoryError: Tried 2.5 GiB", "tried # # gib"),
        ("UserWarning: ValueError: on cuda:0 and cpu!", "on cuda # and cpu"),
        ("torch.cuda.amp.a_b(args...) can't", "torch.cuda.amp.a_b args can t"),
        ("Error", "error"),
    ],
)
def test_a_message_is_kept_as_its_words(text: str, expected: str) -> None:
    assert expected == plain(text)


def test_a_message_leads_to_its_claims_or_to_the_page_that_names_it() -> None:
    measured = {
        "refused": Raised("ValueError", "Not 3 of 4"),
        "why": Plain("ZeroError: no way"),
        "warning": Plain("it is old"),
    }
    known = domain(
        made("raises ValueError: Not 3 of 4", "copy.refused", "a", ("x", 1)),
        made('== "ZeroError: no way"', "copy.why", "b", ("x", 2)),
        records=(
            record(measured=measured),
            record("of_no_claim", {"warning": Plain("it is new")}),
        ),
    )
    known.page("y").hidden = {"lead": "there is no way out", "c": "no way"}

    assert [
        ["it is old", 1, "a"],
        ["no way", 2, ""],
        ["not # of #", 1, "a"],
    ] == listed(known, ["w", "x", "y"])


def index(build: Build) -> dict[str, Any]:
    text = (build.html / "_static/search_index.js").read_text("utf-8")
    _, loads, data = text.partition("\nsiteSearch.load(")
    assert loads
    loaded: dict[str, Any] = json.loads(data.removesuffix(");\n"))
    return loaded


def stands(build: Build, name: str, field: int) -> dict[str, list[str]]:
    """The words of a page's passages in a field, by anchor, decoded as search.js does."""
    data = index(build)
    numbered = [(page[0], passage[0]) for page in data["pages"] for passage in page[-1]]
    found: dict[str, list[str]] = {}
    for line in data["words"].split("\n"):
        word, *fields = line.split(",")
        steps = fields[field].split() if field < len(fields) else []
        for place in accumulate(int(step, 36) for step in steps):
            page, anchor = numbered[place]
            if page == name:
                found.setdefault(anchor, []).append(word)
    return {anchor: sorted(found[anchor]) for anchor in found}


def passages(build: Build, name: str) -> dict[str, list[Any]]:
    """The heading of each passage of a page, and how many words each of its fields has."""
    ((*_, passages),) = (page for page in index(build)["pages"] if page[0] == name)
    return {anchor: rest for anchor, *rest in passages}


def front(site: Site, place: str, *blocks: str) -> None:
    """Write a page with hidden words for its lead and for a place."""
    path = site.page(*blocks, name="page", title="Two copies")
    text = path.read_text().removeprefix("---\norphan: true\n---\n\n")
    path.write_text(HIDDEN.format(place) + text)


def test_passages_are_sections_and_claims(tmp_path: Path) -> None:
    site = green(tmp_path)
    site.page(name="index", title="Tiny")
    site.page("Another page has pinned it, too.", name="other", title="Later on")
    front(
        site,
        "copy-is-faster",
        claim(),
        "## Reading `pin_memory`",
        "Pinned twice, you’re pinned, it isn't.",
    )
    build = site.build()

    assert {
        "": ["lead"],
        "copy-is-faster": ["faster", "tempo"],
        "reading-pin-memory": ["pin", "twice"],
    } == stands(build, "page", TEXT)
    assert {
        "two-copies": ["copi", "two"],
        "reading-pin-memory": ["memori", "pin", "pinmemori", "read"],
    } == stands(build, "page", HEADING)
    assert {"": ["copi", "page", "two"]} == stands(build, "page", TITLE)
    assert {"": ["veloc"]} == stands(build, "page", HIDDEN_WORDS)
    assert {
        "": ["", 1, 0, 3, 1],
        "two-copies": ["Two copies", 0, 2],
        "copy-is-faster": ["", 2, 0],
        "reading-pin-memory": ["Reading pin_memory", 2, 4],
    } == passages(build, "page")
    assert ["anoth", "page", "pin"] == stands(build, "other", TEXT)["later-on"]
    texts = json.loads((build.html / "_static/passages/page.json").read_text("utf-8"))
    assert {
        "copy-is-faster": "It is faster (5.0×).",
        "reading-pin-memory": "Pinned twice, you’re pinned, it isn’t.",
    } == texts
    pages = [name for name, *_ in index(build)["pages"]]
    explained = {pages.index("gallery/memory/copy"): [pages.index("page")]}
    assert {str(number): each for number, each in explained.items()} == index(build)[
        "explained"
    ]


def test_what_no_reader_looks_for_is_not_indexed(tmp_path: Path) -> None:
    site = green(tmp_path)
    site.page("| kilo |\n|---|\n| mega |", "```text\ngiga\n```", name="page")
    data = json.dumps(index(site.build()))

    assert "lead" in data
    # A table, a block, the evidence under a claim, and the first page.
    assert not [word for word in ("kilo", "mega", "giga", "median") if word in data]


def test_hidden_words_need_a_place(tmp_path: Path) -> None:
    site = green(tmp_path)
    front(site, "gone")

    (warning,) = site.build(code=1).warnings

    assert "'gone' is no claim or section of this page [evidence.markup]" in warning


def test_the_pages_to_begin_with_are_in_the_order_of_the_chapters(
    tmp_path: Path,
) -> None:
    site = green(tmp_path)
    for name in ("zebra/two", "zebra/one", "apple/three", "apple/four"):
        site.write(f"docs/{name}.md", f"# {name}\n\nText.\n")
    trees = [
        TREE.format("Late", "zebra/two\nzebra/one"),
        TREE.format("Early", "apple/three\napple/four"),
    ]
    site.page(claim(), *trees)
    data = index(site.build())

    expected = ["zebra/two", "apple/three", "gallery/index"]
    assert expected == [data["pages"][number][0] for number in data["best"]]


def test_an_incremental_build_gives_the_same_index(tmp_path: Path) -> None:
    site = green(tmp_path, preview=True)
    site.page("Once.", name="page")
    before = index(site.build())
    site.page("Twice.", name="page")
    grown = site.build()

    assert {"page"} == grown.read
    assert before != index(grown)
    site.preview = False
    assert index(grown) == index(site.build())


def test_sphinx_makes_no_index_of_its_own(tmp_path: Path) -> None:
    build = green(tmp_path).build()

    assert [] == [*build.html.rglob("searchindex.js")]
    assert "dumping search index" not in build.output


def test_an_example_is_explained_by_the_pages_of_its_claims_in_their_order() -> None:
    pages = [f"page-{n}" for n in (7, 3, 9, 1, 5, 2, 8)]
    claims = [made(name=f"c-{page}", place=(page, 1)) for page in pages]
    known = domain(*claims, made(name="hidden", place=("not-listed", 1)))
    names = sorted([*pages, "gallery/memory/copy", "gallery/memory/silent", "zoo"])

    (found,) = search_index._explained(known, names)

    assert (0, [2, 3, 4, 5, 6, 7, 8]) == found
