"""A recorded table on a page: its values come from the record, and what is not there is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import claim
from evidence.records.address import AddressError
from evidence.records.model import Plain, Table
from evidence.site.look.evidence import LONG_FROM, kinds, sweep
from evidence.site.look.words import processes
from evidence.site.reading.sweeps import headings, joined

if TYPE_CHECKING:
    from conftest import Site

ROWS = tuple(
    {"call": Plain(name), "kind": Plain(kind), "has_waited": Plain(waited)}
    for name, kind, waited in (
        ("x.item()", "value", True),
        ("x[mask]", "mask", True),
        ("x + 1", "value", False),
    )
)


def test_all_columns_are_shown_unless_some_are_chosen() -> None:
    assert headings({"call": Plain(1), "kind": Plain(2)}, "") == {
        "call": "call",
        "kind": "kind",
    }
    chosen = headings(ROWS[0], "call as the call, has_waited as `has_waited`")
    assert chosen == {"call": "the call", "has_waited": "`has_waited`"}
    turned = headings(ROWS[0], "kind, has_waited as waits, call")
    assert ["kind", "has_waited", "call"] == [*turned]


@pytest.mark.parametrize("columns", ["", "has_waited", "has_waited as a has_waited"])
def test_a_name_of_a_field_is_no_heading(columns: str) -> None:
    message = "column 'has_waited' has no heading: write 'has_waited as …'"
    with pytest.raises(AddressError, match=message):
        headings(ROWS[0], columns)


def test_a_column_that_was_not_recorded_is_named() -> None:
    with pytest.raises(AddressError, match=r"'waited'; did you mean has_waited\?"):
        headings(ROWS[0], "call, waited")


def test_headings_that_have_changed_places_are_refused() -> None:
    row = {"size": Plain(1), "copy_s": Plain(2), "idle_s": Plain(3)}
    named = "size, copy_s as Time of a copy, idle_s as Time on an idle GPU"
    assert headings(row, named)["idle_s"] == "Time on an idle GPU"
    changed = "size, copy_s as Time on an idle GPU, idle_s as Time of a copy"
    with pytest.raises(AddressError, match="'copy_s' and 'idle_s' have each other's"):
        headings(row, changed)
    assert headings(row, "size as Zeit, copy_s as Dauer")["copy_s"] == "Dauer"


def test_words_and_the_many_rows_of_an_example_are_told_by_class() -> None:
    assert kinds([["a b", "1"]], 2) == ["recorded", "measured-table"]
    assert "words" in kinds([["a", "x waits"]], 2)
    assert "words" not in kinds([["a b", "1"], ["c", "2"]], 3)
    assert ["filtered", "recorded", "measured-table"] == kinds([["a", "1"]] * 2, 2)
    assert "filtered" not in kinds([["a", "1"]] * 2, 3)
    assert "filtered" not in sweep(ROWS * (LONG_FROM // 3))["classes"]
    assert "filtered" in sweep(ROWS * (LONG_FROM // 3 + 1))["classes"]


def test_one_process_is_one() -> None:
    assert [processes(1), processes(2)] == ["1 process", "2 processes"]


def test_a_page_shows_a_table_and_its_caption(site: Site) -> None:
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(ROWS)})
    site.page(
        claim(),
        ":::{recorded} copy.by_call\n"
        ":columns: call, has_waited as *waits* in `LOCAL_RANK`\n\nThe *caption*.\n:::",
    )
    build = site.build()
    page = build.page()
    cells = [cell.get_text() for cell in page.select("table.recorded :is(th, td)")]
    assert cells[:4] == ["call", "waits in LOCAL_RANK", "x.item()", "yes"]
    (heading,) = page.select("table.recorded th:has(em)")
    assert heading.select_one("code").text == "LOCAL_RANK"
    assert "| call | *waits* in `LOCAL_RANK` |" in (build.html / "index.md").read_text()
    assert page.select_one("table.recorded code")
    assert not page.select("table.recorded tbody p")
    caption = page.select_one(".plot .caption")
    assert caption
    assert caption.get_text(strip=True) == "Thecaption."


def test_only_cells_of_the_record_hold_quantities(site: Site) -> None:
    rows = ({"way": Plain("plain"), "peak_bytes": Plain(2**26)},)
    site.record(measured={"speedup": Plain(5.0), "by_way": Table(rows)})
    shown = ":::{recorded} copy.by_way\n:columns: way, peak_bytes as peak\n"
    site.page(claim(), f"{shown}:::")
    assert "64" in str(site.build().page().select_one("table.recorded"))
    forged = "```{list-table}\n:class: recorded\n\n* - 64 MiB\n```"
    site.page(claim(), f"{shown}\n{forged}\n:::")
    assert "'64 MiB' is typed" in site.build(code=1).errors


@pytest.mark.parametrize("count", [14, 15])
def test_a_long_table_has_a_field_that_finds_rows(site: Site, count: int) -> None:
    rows = tuple({"call": Plain(f"call {n}"), "waited": Plain(n)} for n in range(count))
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(rows)})
    site.page(claim(), ":::{recorded} copy.by_call\n:::")
    page = site.build().page()
    assert len(page.select("table.recorded tbody tr")) == count
    script = page.select_one("script[src*='ledger.js']")
    assert (script is not None) is (count == 15)


def test_a_table_has_all_of_its_rows_a_very_long_one_in_several_bodies(
    site: Site,
) -> None:
    rows = tuple({"call": Plain(f"call {n}"), "waited": Plain(n)} for n in range(205))
    sweeps = {"by_some": Table(rows[:45]), "by_many": Table(rows)}
    site.record(measured={"speedup": Plain(5.0), **sweeps})
    site.page(claim(), *(f":::{{recorded}} copy.{name}\n:::" for name in sweeps))

    bodies = [
        [len(body.select("tr")) for body in table.select("tbody")]
        for table in site.build().page().select("table.recorded")
    ]

    assert [[45], [40, 40, 40, 40, 40, 5]] == bodies


def test_a_column_without_a_heading_turns_the_build_red(site: Site) -> None:
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(ROWS)})
    site.page(claim(), ":::{recorded} copy.by_call\n:::")
    message = "recorded 'copy.by_call': column 'has_waited' has no heading"
    assert message in site.build(code=1).errors


def test_a_table_that_was_not_recorded_turns_the_build_red(site: Site) -> None:
    site.page(claim(), ":::{recorded} copy.by_cal\n:::")
    build = site.build(code=1)
    assert "no table was measured as 'copy.by_cal'" in build.errors


def test_two_sweeps_are_joined_by_their_first_columns() -> None:
    waits = [{"call": Plain("x + 1"), "waits": Plain(False)}]
    others = [
        {"call": Plain("x.item()"), "waits": Plain(True)},
        {"call": Plain("x + 1"), "waits": Plain(False)},
    ]
    both = joined(waits, others, "old")
    shown = [[cell.value for cell in row.values()] for row in both]  # type: ignore[union-attr]
    assert ["call", "waits", "old.call", "old.waits"] == [*both[0]] == [*both[1]]
    assert [
        ["x + 1", False, "x + 1", False],
        ["x.item()", "", "x.item()", True],
    ] == shown
    with pytest.raises(AddressError, match="what is joined is not 'call'"):
        joined(waits, [{"line": Plain("x"), "waits": Plain(True)}], "old")


def test_a_page_shows_two_sweeps_in_one_table(site: Site) -> None:
    older = Table(({"call": Plain("x[mask]"), "has_waited": Plain(False)},))
    measured = {"speedup": Plain(5.0), "by_call": Table(ROWS), "older": older}
    site.record(measured=measured)
    columns = ":columns: call, has_waited as waits, old.has_waited as waited"
    site.page(
        claim(),
        f":::{{recorded}} copy.by_call\n:join: copy.older as old\n{columns}\n:::",
    )
    page = site.build().page()
    cells = [cell.get_text() for cell in page.select("table.recorded :is(th, td)")]
    assert ["call", "waits", "waited", "x.item()", "yes", ""] == cells[:6]
    assert ["x[mask]", "yes", "no"] == cells[6:9]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (":join: copy.older", "write ':join: stem.sweep as name', without ':row:'"),
        (":join: copy.old as old", "no table was measured as 'copy.old'"),
        (
            ":join: copy.by_call as two\n:row: call=x.item() as it",
            "write ':join: stem.sweep as name', without ':row:'",
        ),
    ],
)
def test_a_join_that_names_no_sweep_turns_the_build_red(
    site: Site, option: str, message: str
) -> None:
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(ROWS)})
    site.page(
        claim(),
        f":::{{recorded}} copy.by_call\n{option}\n:columns: call, kind\n:::",
    )
    assert message in site.build(code=1).errors
