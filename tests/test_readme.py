"""The README's claim is one of the site's, with the number and the builder of its record."""

from __future__ import annotations

from pathlib import Path

from evidence.judge.claim import read_claims
from evidence.judge.report import expected_words, statement
from evidence.records.store import load
from evidence.records.units import THIN_SPACE, format_interval, unit_of
from evidence.records.units import digits_for as digits

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/transfer/pinned_memory.md"
CLAIM = "pinned-copy-is-faster"


def quoted() -> str:
    """What the README must say between its two markers."""
    found, _ = read_claims(PAGE.read_text("utf-8"), "page")
    claims = {claim.id: claim for claim in found}
    claim = claims[CLAIM]
    record = load(ROOT / f"examples/transfer/{claim.stem}.json")
    cell = record.cells[claim.value.partition(".")[2]]
    ends = format_interval(
        cell.interval, unit_of(claim.name), digits(cell.value, cell.interval)
    )
    records = {record.stem: record}
    builder = record.builder
    return (
        f"> {statement(claim, records)}\n>\n"
        f"> <sub>{expected_words(claim, records)}: holds, {ends} in "
        f"{len(cell.median)} processes · {builder.gpu} · torch {builder.torch} · "
        f"{record.recorded}</sub>\n"
    ).replace(THIN_SPACE, "\u00a0")


def test_the_readme_quotes_a_claim_with_its_recorded_value() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")

    _, begin, rest = readme.partition("<!-- claim -->\n")
    shown, end, _ = rest.partition("<!-- end of claim -->")

    assert begin
    assert end
    assert quoted() == shown


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 80
