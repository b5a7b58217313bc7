"""The index of the site's own search: its words and passages, and what a build makes of it."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import claim, green
from evidence.site.publish.search_index import words

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build, Site

#: Stands in for what npm brings.
CONF = 'evidence_minisearch = "../npm"\n'
HIDDEN = "---\nsearch:\n  lead: velocity\n  {}: tempo\n---\n\n"


def said(text: str) -> list[str]:
    return list(words(text, lambda word: word.removesuffix("s"), {"the", "dont"}))


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
        ("", []),
    ],
)
def test_words_are_stemmed_and_identifiers_split_and_joined(
    text: str, expected: list[str]
) -> None:
    assert expected == said(text)


def ranked(folder: Path, *, preview: bool = False) -> Site:
    """A site whose build finds MiniSearch."""
    site = green(folder, preview=preview)
    site.write("npm/dist/umd/index.js", "// ranks")
    site.write("npm/LICENSE.txt", "MIT")
    return site


def index(build: Build) -> dict[str, Any]:
    text = (build.html / "_static/search_index.js").read_text("utf-8")
    assert text.startswith("siteSearch.load({")
    loaded: dict[str, Any] = json.loads(text[len("siteSearch.load(") : -len(");\n")])
    return loaded


def found(build: Build) -> dict[str, str]:
    """The words of each passage of the page, by its place."""
    data = index(build)
    number = [name for name, *_ in data["pages"]].index("page")
    return {place: said for page, place, _, said in data["passages"] if page == number}


def front(site: Site, place: str, *blocks: str) -> None:
    """Write a page with hidden words for its lead and for a place."""
    path = site.page(*blocks, name="page", title="Copies")
    text = path.read_text().removeprefix("---\norphan: true\n---\n\n")
    path.write_text(
        HIDDEN.format(place).replace("---\n", "---\norphan: true\n", 1) + text
    )


def test_passages_are_sections_and_claims(tmp_path: Path) -> None:
    site = ranked(tmp_path)
    site.page(name="index", title="Tiny")
    front(site, "copy-is-faster", claim(), "## Reading `pin_memory`", "Pinned twice.")
    build = site.build(conf=CONF)

    assert ["page", "Copies", "The lead.", "velocity"] in index(build)["pages"]
    assert {
        "copies": "",
        "copy-is-faster": "faster tempo",
        "reading-pin-memory": "pin twice",
    } == found(build)
    assert "// ranks" == (build.html / "_static/minisearch.js").read_text()
    assert "MIT" == (build.html / "_static/minisearch.txt").read_text()


def test_what_no_reader_looks_for_is_not_indexed(tmp_path: Path) -> None:
    site = ranked(tmp_path)
    site.page("| kilo |\n|---|\n| mega |", "```text\ngiga\n```", name="page")
    data = json.dumps(index(site.build(conf=CONF)))

    assert "lead" in data
    # A table, a block, the evidence under a claim, and the first page.
    assert not [word for word in ("kilo", "mega", "giga", "median") if word in data]


def test_hidden_words_need_a_place(tmp_path: Path) -> None:
    site = ranked(tmp_path)
    front(site, "gone")

    (warning,) = site.build(code=1).warnings

    assert "'gone' is no claim or section of this page [evidence.markup]" in warning


def test_an_incremental_build_gives_the_same_index(tmp_path: Path) -> None:
    site = ranked(tmp_path, preview=True)
    site.page("Once.", name="page")
    before = index(site.build(conf=CONF))
    site.page("Twice.", name="page")
    grown = site.build()

    assert {"page"} == grown.read
    assert before != index(grown)
    site.preview = False
    assert index(grown) == index(site.build())


def test_without_minisearch_the_search_is_that_of_sphinx(tmp_path: Path) -> None:
    build = green(tmp_path).build()

    line = (
        "evidence: no MiniSearch here (npm ci --prefix .ci/npm): the search is Sphinx's"
    )
    assert line in build.output.splitlines()
    assert not (build.html / "_static/search_index.js").exists()
    assert (build.html / "searchindex.js").exists()


def test_an_index_is_compressed_well(tmp_path: Path) -> None:
    site = ranked(tmp_path)
    site.page(*[f"Copy number {number} is fast." for number in range(100)], name="page")
    build = site.build(conf=CONF)

    data = (build.html / "_static/search_index.js").read_bytes()

    assert len(gzip.compress(data)) < 1000, "a word stands once in a passage"
