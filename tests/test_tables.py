"""The generated tables: what they count, mark and quote, without a build."""

from __future__ import annotations

import pytest
from docutils import nodes
from evidence.records.model import Plain
from evidence.records.units import THIN_SPACE
from evidence.site.evidence_nodes import measured_tables
from evidence.site.nodes import inline, with_literals
from evidence.site.tables.inserted import byline
from evidence.site.tables.ledger import facets, ledger, totals
from factories import builder, claim, domain, filler, record, statement


def cells(shown: list[nodes.Node], name: str = "") -> list[list[str]]:
    """The texts of the rows of a table, its header first."""
    (table,) = (node for node in shown if isinstance(node, nodes.table))
    return [
        [entry.astext().replace(THIN_SPACE, " ") for entry in row]  # type: ignore[attr-defined]
        for row in table.findall(nodes.row)
        if name in row.astext()
    ]


def test_totals_count_what_contradicts_the_notes() -> None:
    claims = [
        claim(name="wrong", contradicts="fast"),
        claim(name="again", contradicts="fast, late", documented="no faster"),
        claim(name="right", documented="about 5 times (cuda.md)"),
        claim(name="false", expect=">= 9"),
        claim(name="own"),
    ]

    said = {name: statement() for name in ("late", "fast", "free")}

    (figures,) = totals(filler(domain(*claims, upstream=said)), "")

    expected = [
        "5 claims, 4 hold",
        "1 runnable examples",
        "2 statements in PyTorch’s docs found wrong",
        "NVIDIA H200 torch 2.11.0, last run on 31 January 2026",
    ]
    assert expected == [figure.astext() for figure in figures.children[::2]]


def test_quotes_are_curly_and_code_is_code() -> None:
    said = nodes.paragraph("", "", *inline(with_literals('it\'s "on": ``f("a")``')))

    assert 'it’s “on”: f("a")' == said.astext()
    assert ['f("a")'] == [code.astext() for code in said.findall(nodes.literal)]


@pytest.mark.parametrize(
    ("expected", "verdict"), [(">= 2.4", "✓ holds (weak bound)"), (">= 3", "✓ holds")]
)
def test_the_ledger_marks_a_weak_bound(expected: str, verdict: str) -> None:
    shown = ledger(filler(domain(claim(expected))), "")

    header, _, row = cells(shown)

    assert ["Claim", "Expected", "Measured", "Verdict"] == header
    assert ["5.0× (4.9–5.1×), median of 6 processes ", verdict] == row[2:]


def test_the_ledger_counts_what_holds() -> None:
    claims = [claim(name=f"held-{n}") for n in range(2)]
    claims += [claim(name="false", expect=">= 9"), claim(name="no", value="gone.x")]

    strip, _ = ledger(filler(domain(*claims)), "")

    builders = "NVIDIA H200, torch 2.11.0, last run on 31 January 2026"
    assert f"4 claims, 2 hold · {builders} claims.json" == strip.astext()


def test_a_row_is_filtered_by_chapter_verdict_scope_and_builder() -> None:
    known = claim(
        place=("memory/copies", 3),
        scope="sm_80+",
        documented="twice",
        contradicts="fast",
        seed="any",
        control="other",
    )
    unmeasured = claim(name="b-claim", value="gone.x", place=("memory/copies", 9))

    found = [facets(judgement) for judgement in domain(known, unmeasured).judgements]

    first = ["chapter-memory", "verdict-holds", "scope-sm-80", "builder-nvidia-h200"]
    last = ["chapter-memory", "verdict-missing", "scope-any", "builder-none"]
    assert [first, last] == found


def test_a_measured_table_names_its_columns() -> None:
    header, row = cells(measured_tables(record()))
    expected = {
        "name": "speedup",
        "value": "5.0× (4.9–5.1×), median of 6 processes",
    }
    assert expected == dict(zip(header, row, strict=True))


def test_a_line_under_a_lead_counts_claims_and_names_builders() -> None:
    made = [
        record(f"e{n}", {"n": Plain(1)}, builder=builder(gpu=f"GPU {n}"))
        for n in range(2)
    ]
    known = [claim("== 1", f"e{n}.n", f"c{n}", ("ledger", n)) for n in range(2)]

    def shown(count: int) -> str:
        said = domain(*known[:count], records=tuple(made))
        (strip,) = byline(filler(said), "")
        return strip.astext()

    assert shown(1).startswith("1 claim holds · GPU 0, torch 2.11.0")
    assert shown(2).startswith("2 claims, all hold · GPU 0 and GPU 1, torch 2.11.0")
