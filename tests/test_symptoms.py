"""The list of error messages: what is one, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import claim
from docutils import nodes
from evidence.records.model import Plain, Raised, Table
from evidence.site.tables.indexes import message, messages, symptoms
from factories import claim as made
from factories import domain, filler, record, timing

if TYPE_CHECKING:
    from conftest import Site
    from evidence.records.model import Cell

SYMPTOMS = "```{evidence-symptoms}\n```"


@pytest.mark.parametrize(
    ("quantity", "cell", "expected"),
    [
        ("error", Raised("ValueError", "no\nbecause"), "ValueError: no"),
        (
            "said",
            Plain("torch.AcceleratorError: CUDA error: no"),
            "AcceleratorError: CUDA error: no",
        ),
        ("device_warning", Plain("this is deprecated"), "this is deprecated"),
        ("message", Plain("torch.old() is deprecated"), "torch.old() is deprecated"),
        ("after_error", Plain("the same device"), ""),
        ("message_kind", Plain("the same device"), ""),
        ("said", Plain("CSAN detected a race"), "CSAN detected a race"),
        ("said", Plain("UserWarnings: two of them"), "UserWarnings: two of them"),
        ("said", Plain("CUDA errors are late"), ""),
        ("said", Plain("RuntimeError"), ""),
        ("said", Plain("no error at all"), ""),
        ("count", Plain(3), ""),
        ("said", None, ""),
    ],
)
def test_a_message_is_told_from_other_values(
    quantity: str, cell: Cell | None, expected: str
) -> None:
    assert expected == message(quantity, cell)


def test_each_message_leads_to_its_claim_and_else_to_the_example(site: Site) -> None:
    rows = Table(
        (
            {"case": Plain("a"), "error": Raised("TypeError", "nor so")},
            {"case": Plain("b"), "error": Plain("not so")},
        )
    )
    site.record(measured={"refused": Raised("ValueError", "not so"), "rows": rows})
    said = claim(value="copy.refused", expect="raises ValueError: not so")
    site.page(said, ":::{recorded} copy.rows\n:::", SYMPTOMS)

    (table,) = site.build().page().select("table.symptoms")
    shown = [
        [cell.get_text(strip=True) for cell in row.select("th, td")]
        for row in table.select("tbody tr")
    ]

    assert [["TypeError: nor so", "copy.py"], ["ValueError: not so", "Tiny"]] == shown
    (link,) = table.select("tr:last-child a")
    assert "#copy-is-faster" == link["href"].removeprefix("index.html")


def test_a_message_leads_to_the_first_claim_of_each_page() -> None:
    measured = {
        "refused": Raised("ValueError", "Not so"),
        "why": Plain("ZeroError: no way"),
    }
    places = {"a": ("x", 1), "b": ("x", 2), "c": ("y", 3), "d": ("y", 4)}
    claims = [
        made("raises ValueError: Not so", "copy.refused", name, place)
        for name, place in places.items()
    ]
    claims.append(made('== "ZeroError: no way"', "copy.why", "e", ("y", 5)))
    known = domain(*claims, records=(record(measured=measured),))

    (table,) = symptoms(filler(known), "")

    _header, *rows = table.findall(nodes.row)
    links = [[link["refuri"] for link in row.findall(nodes.reference)] for row in rows]
    assert ["ZeroError: no way", "ValueError: Not so"] == [
        row[0].astext() for row in rows
    ]
    assert [["y.html#e"], ["x.html#a", "y.html#c"]] == links


def test_a_message_without_its_type_is_that_with_it() -> None:
    measured = {
        "late": Plain("CUDA error: not so"),
        "soon": Raised("AcceleratorError", "CUDA error: not so"),
    }
    claims = [
        made('== "CUDA error: not so"', "copy.late", "a", ("x", 1)),
        made("raises AcceleratorError: not so", "copy.soon", "b", ("y", 2)),
    ]
    known = domain(*claims, records=(record(measured=measured),))
    assert {"AcceleratorError: CUDA error: not so": {"y": "b", "x": "a"}} == messages(
        known
    )


def test_where_a_page_says_a_message_with_its_type_and_without_that_with_it_counts() -> (
    None
):
    measured = {
        "late": Plain("CUDA error: not so"),
        "soon": Raised("AcceleratorError", "CUDA error: not so"),
    }
    claims = [
        made('== "CUDA error: not so"', "copy.late", "a", ("x", 1)),
        made("raises AcceleratorError: not so", "copy.soon", "b", ("x", 2)),
        made('== "CUDA error: not so"', "copy.late", "c", ("y", 3)),
    ]
    known = domain(*claims, records=(record(measured=measured),))
    told = {"AcceleratorError: CUDA error: not so": {"x": "b", "y": "c"}}
    assert told == messages(known)


def test_a_message_that_no_claim_says_leads_to_the_page_of_its_title_too() -> None:
    """Where that is more than one word: one may be in any message."""
    measured = {
        "refused": Raised("ValueError", "Not so, said Tiny"),
        "failed": Raised("OSError", "Tiny again"),
    }
    places = ("Not so", "Tiny", "so, said: or not", "Nor so")
    claims = [
        made(">= 2", "copy.speedup", f"c{n}", (page, n))
        for n, page in enumerate(places)
    ]
    copy = record(measured={"speedup": timing(5.5)})
    known = domain(*claims, records=(copy, record("other", measured)))

    (table,) = symptoms(filler(known), "")

    _header, *rows = table.findall(nodes.row)
    assert [
        ["ValueError: Not so, said Tiny", "Not so so, said: or not other.py"],
        ["OSError: Tiny again", "other.py"],
    ] == [[" ".join(cell.astext().split()) for cell in row.children] for row in rows]


def test_a_message_that_says_the_title_of_a_page_leads_there_first() -> None:
    measured = {"refused": Raised("ValueError", "Not so, said Tiny. Try 3")}
    claims = [
        made("raises ValueError: Not so", "copy.refused", "a", ("x", 1)),
        made(">= 2", "copy.speedup", "b", ("Not so, said", 2)),
    ]
    known = domain(*claims, records=(record(measured=measured),))

    (table,) = symptoms(filler(known), "")

    links = [link["refuri"] for link in table.findall(nodes.reference)]
    assert ["Not so, said.html", "x.html#a"] == links
