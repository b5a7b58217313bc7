"""A sweep whose rows are claims: values from the record, words and ids from the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import Site
from evidence.judge.pages import sentences
from evidence.records.address import AddressError
from evidence.records.model import Plain, Table
from evidence.site.reading.sweeps import chosen

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build

ROWS = tuple(
    {"case": Plain(case), "size_bytes": Plain(size * 2**20), "waits": Plain(waits)}
    for case, size, waits in (
        ("small", 2, False),
        ("large", 200, True),
        ("large, as it is", 300, True),
    )
)
SWEEP = """\
:::{recorded} copy.by_case
:columns: case as the tensor, size_bytes as its size, waits as host waits
:row: case=large as a *large* one {#a-large-one-waits}
:row: case=large, as it is {.row .a-large-one-waits}
:row: case=small as [a small one](#tiny) {.row .the-small-one-returns}

Three tensors.
:::"""
CHECKS = """\
```{checks} copy.by_case
a-large-one-waits:
  host waited: [case=large].waits true
  host waited, as it is: [case=large, as it is].waits true
  size: [case=large].size_bytes == 200 MiB
  :title: The host waits for a large tensor.
the-small-one-returns:
  host waited for a small one: [case=small].waits false
```"""
SMALL = "[It never waits for a small one]{#the-small-one-returns}."
PAGE = f"(tiny)=\n{SMALL}\n\n{SWEEP}\n\n{CHECKS}"
PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "its size"
msgstr "大小"

msgid "[a *large* one]{#a-large-one-waits}"
msgstr "[很大]{#a-large-one-waits}"
"""


def site_of(folder: Path, page: str = PAGE) -> Site:
    site = Site(folder)
    site.page(page, name="rows", title="Rows")
    site.page(name="index")
    site.script()
    site.record(measured={"by_case": Table(ROWS)})
    return site


def cells(build: Build) -> list[list[str]]:
    table = build.page("rows").find("table", class_="claims")
    return [
        [" ".join(cell.text.split()) for cell in row.find_all(["th", "td"])]
        for row in table.find_all("tr")
    ]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = site_of(tmp_path_factory.mktemp("rows"))
    path = site.folder / "docs/rows.md"
    hidden = "orphan: true\nsearch:\n  a-large-one-waits: velocity"
    path.write_text(path.read_text().replace("orphan: true", hidden))
    return site.build()


def test_a_row_is_a_claim_or_refers_to_one(built: Build) -> None:
    head, large, opened, as_it_is, also, small, other = cells(built)
    assert head == ["the tensor", "its size", "host waits", "evidence"]
    assert large == ["a large one", "200 MiB", "yes", "✓"]
    assert as_it_is == ["large, as it is", "300 MiB", "yes", "✓"]
    assert small == ["a small one", "2 MiB", "no", "✓"]
    ids = built.page("rows").select("table.claims [id]")
    assert [each["id"] for each in ids] == ["a-large-one-waits"]
    # Of its claim, the evidence of a row tells what is checked there.
    assert "host waited yes size 200 MiB" in opened[0]
    assert "as it is" not in opened[0]
    assert "host waited, as it is yes" in also[0]
    assert "host waited for a small one no" in other[0]


def test_its_sentence_is_its_title_everywhere(built: Build) -> None:
    said = "The host waits for a large tensor."
    data = json.loads((built.html / "claims.json").read_text())
    by_id = {claim["id"]: claim for claim in data["claims"]}
    assert by_id["a-large-one-waits"]["statement"] == said
    assert len(by_id) == 2
    twin = (built.html / "rows.md").read_text()
    assert "| a *large* one | 200\u00a0MiB | yes |" in twin
    assert "host waited, as it is **yes**" in twin
    index = (built.html / "_static/search_index.js").read_text()
    assert '["a-large-one-waits",""' in index
    assert "\\nveloc," in index
    assert sentences(PAGE) == {
        "a-large-one-waits": said,
        "the-small-one-returns": "It never waits for a small one",
    }


def test_words_and_headings_are_translated(tmp_path: Path) -> None:
    whole = ":::{recorded} copy.by_case\n:columns: case, size_bytes as its size\n:::"
    site = site_of(tmp_path, f"{PAGE}\n\n{whole}")
    site.write("locale/zh_CN/LC_MESSAGES/rows.po", PO)
    build = site.build(conf='language = "zh_CN"\nlocale_dirs = ["../locale"]\n')
    head, large, *_ = cells(build)
    assert head[1] == "大小"
    assert large[0] == "很大"
    _claims, other = build.page("rows").select("table.recorded")
    assert [head.text for head in other.select("thead th")] == ["case", "大小"]


def test_the_longest_key_that_fits_is_the_row() -> None:
    keys = ["case=a", "case=a as b"]
    assert [*chosen(["case=a as b", "case=a as c {#x}"], keys)] == [
        ("case=a as b", "", ""),
        ("case=a", "c", "{#x}"),
    ]
    with pytest.raises(AddressError, match="no row ''"):
        [*chosen([""], keys)]


RED = {
    "an unknown row": (
        PAGE.replace(":row: case=small", ":row: case=tiny"),
        "recorded 'copy.by_case': no row 'case=tiny'; did you mean case=small or case=large?",
    ),
    "a row twice": (
        PAGE.replace(":row: case=small", ":row: case=large"),
        "recorded 'copy.by_case': the row 'case=large' stands twice",
    ),
    "an unknown column": (
        PAGE.replace("waits as host", "wait as host"),
        "recorded 'copy.by_case': no column 'wait'; did you mean waits?",
    ),
    "a name of a field": (
        PAGE.replace("size_bytes as its size", "size_bytes"),
        "column 'size_bytes' has no heading: write 'size_bytes as …'",
    ),
    "an unknown option": (
        PAGE.replace(":columns:", ":column:"),
        "recorded 'copy.by_case': no option 'column' (known: columns, row, find, join)",
    ),
    "another attribute": (
        PAGE.replace("{.row .a-large-one-waits}", "{.a-large-one-waits}"),
        "write {#its-id} or {.row .its-id}, not '{.a-large-one-waits}'",
    ),
    "no title": (
        PAGE.replace("  :title: The host waits for a large tensor.\n", ""),
        "claim 'a-large-one-waits' is a row: write its sentence as ':title:'",
    ),
    "an id without checks": (
        PAGE.replace("case=large, as it is {.row .a", "case=large, as it is {#a-no"),
        "'a-no-large-one-waits' has a text and no checks: write them below it",
    ),
    "a reference to nothing": (
        PAGE.replace("{.row .a-large", "{.row .no-large"),
        "'no-large-one-waits' has a text and no checks: write them below it",
    ),
    "a claim that stands elsewhere, too": (
        PAGE.replace("{.row .the-small", "{#the-small"),
        'Duplicate explicit target name: "the-small-one-returns"',
    ),
    "a row of another claim": (
        PAGE.replace("{.row .the-small-one-returns}", "{.row .a-large-one-waits}"),
        "claim 'a-large-one-waits' checks nothing of its row, copy.by_case[case=small]",
    ),
    "a row of nobody": (
        PAGE.replace(" {.row .the-small-one-returns}", ""),
        "copy.by_case[case=small].size_bytes is shown, but no claim here checks it",
    ),
}


@pytest.mark.parametrize(("page", "message"), RED.values(), ids=RED)
def test_each_fault_is_red(tmp_path: Path, page: str, message: str) -> None:
    build = site_of(tmp_path, page).build(code=1)
    assert [warning for warning in build.warnings if message in warning], build.errors
