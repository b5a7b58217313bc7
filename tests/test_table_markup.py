"""Tables as HTML: headings that a screen reader says, bodies that a browser lays out one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import Build, claim, green
from evidence.records.model import Plain, Table

if TYPE_CHECKING:
    from bs4 import Tag
    from evidence.records.model import Value

#: Tables of values, the first longer than what is laid out at once.
SWEEPS: dict[str, Value] = {
    "long": Table(tuple({"n": Plain(n), "twice": Plain(2 * n)} for n in range(203))),
    "short": Table(tuple({"n": Plain(n), "thrice": Plain(3 * n)} for n in (4, 5))),
    "single": Table(tuple({"n": Plain(n)} for n in (6, 7))),
}
TYPED = "## Typed\n\n| a | b |\n|---|---|\n| one | two |\n\n### Deeper\n\nText."


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = green(tmp_path_factory.mktemp("tables"))
    site.script("swept")
    site.record("swept", measured=SWEEPS)
    recorded = [f"```{{recorded}} swept.{name}\n```" for name in SWEEPS]
    site.page(claim(), TYPED, recorded[0], "## Small", *recorded[1:])
    return site.build()


def tables(build: Build, page: str) -> list[Tag]:
    return build.page(page).find(role="main").find_all("table")


def test_a_table_is_named_by_the_heading_above_it(shown: Build) -> None:
    assert ["Typed", "Deeper", "Small", "Small"] == [
        table.caption.text for table in tables(shown, "index")
    ]
    assert ["long", "short", "single"] == [
        table.caption.text for table in tables(shown, "gallery/memory/swept")
    ]


def test_each_table_says_what_its_headings_are_of(shown: Build) -> None:
    typed, long, short, single = tables(shown, "index")
    for table, heads in (
        (typed, ["a", "b"]),
        (long, ["n", "twice"]),
        (short, ["n", "thrice"]),
        (single, ["n"]),
    ):
        columns = table.thead.select("th[scope=col]")
        assert heads == [each.text.strip() for each in columns]
        assert len(heads) == len(table.thead.select("th, td"))
    for table, row in (
        (typed, [("th", "row", "one"), ("td", None, "two")]),
        (long, [("th", "row", "0"), ("td", None, "0")]),
        (short, [("th", "row", "4"), ("td", None, "12")]),
        (single, [("td", None, "6")]),
    ):
        cells = table.tbody.tr.find_all(["th", "td"])
        assert row == [(c.name, c.get("scope"), c.text.strip()) for c in cells]
    assert "4" == short.tbody.code.text
    assert not typed.code
    assert not tables(shown, "gallery/memory/swept")[1].code


def test_a_long_table_is_laid_out_in_bodies(shown: Build) -> None:
    typed, long, short, _single = tables(shown, "index")

    def bodies(table: Tag) -> list[tuple[int, str]]:
        found = table.find_all("tbody")
        return [(len(body.find_all("tr")), body["style"]) for body in found]

    assert [(1, "--rows: 1")] == bodies(typed)
    assert [(2, "--rows: 2")] == bodies(short)
    assert [*[(40, "--rows: 40")] * 5, (3, "--rows: 3")] == bodies(long)
    assert "--columns: 2" == long["style"]
    assert [True, False] == ["long" in table["class"] for table in (long, short)]
    for table in (long, short):
        assert {"table-wrapper", "measured-table"} <= {*table.parent["class"]}


def test_a_long_table_can_be_searched_and_a_short_one_need_not(shown: Build) -> None:
    others = [table.parent["class"] for table in tables(shown, "index")[1:]]
    assert [True, False, False] == ["filtered" in each for each in others]
    own = (table.parent["class"] for table in tables(shown, "gallery/memory/swept"))
    assert [True, False, False] == ["filtered" in each for each in own]
