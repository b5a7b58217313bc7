"""A recorded table on a page: its values come from the record, and what is not there is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import claim
from evidence.records.address import AddressError
from evidence.records.model import Plain, Table
from evidence.site.reading.recorded import chosen

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


def test_all_columns_and_rows_are_shown_unless_some_are_chosen() -> None:
    assert chosen(ROWS, None, None)[2] == {
        "call": "x + 1",
        "kind": "value",
        "has_waited": "no",
    }
    found = chosen(ROWS, "call, has_waited", "kind=value")
    assert [[*row.values()] for row in found] == [["x.item()", "yes"], ["x + 1", "no"]]


@pytest.mark.parametrize(
    ("columns", "where", "said"),
    [
        ("call, waited", None, "no column 'waited'; did you mean has_waited?"),
        (None, "kid=value", "no column 'kid'; did you mean kind?"),
        (None, "kind=valve", "no row where kind=valve"),
    ],
)
def test_what_was_not_recorded_is_named(
    columns: str | None, where: str | None, said: str
) -> None:
    with pytest.raises(AddressError, match="no ") as caught:
        chosen(ROWS, columns, where)
    assert str(caught.value) == said


def test_a_page_shows_a_table_its_caption_and_names(site: Site) -> None:
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(ROWS)})
    whole = (
        ":::{recorded} copy.by_call\n:columns: call, has_waited\n\nThe *caption*.\n:::"
    )
    line = ":::{recorded} copy.by_call\n:where: kind=value\n:names:\n:::"
    site.page(claim(), whole, line)
    page = site.build().page()
    cells = [cell.get_text() for cell in page.select("table.recorded :is(th, td)")]
    assert cells[:4] == ["call", "has waited", "x.item()", "yes"]
    assert page.select_one("table.recorded code")
    assert "The caption." in page.get_text()
    names = page.select("p.recorded-names code")
    assert [name.get_text() for name in names] == ["x.item()", "x + 1"]


@pytest.mark.parametrize("count", [14, 15])
def test_a_long_table_has_a_field_that_finds_rows(site: Site, count: int) -> None:
    rows = tuple({"call": Plain(f"call {n}"), "waited": Plain(n)} for n in range(count))
    site.record(measured={"speedup": Plain(5.0), "by_call": Table(rows)})
    site.page(claim(), ":::{recorded} copy.by_call\n:::")
    page = site.build().page()
    assert len(page.select("table.recorded tbody tr")) == count
    script = page.select_one("script[src*='ledger.js']")
    assert (script is not None) is (count == 15)


def test_a_table_that_was_not_recorded_turns_the_build_red(site: Site) -> None:
    site.page(claim(), ":::{recorded} copy.by_cal\n:::")
    build = site.build(code=1)
    assert "no table was measured as 'copy.by_cal'" in build.errors
