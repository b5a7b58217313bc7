"""The README's claim is one of the site's, with the number and the builder of its record."""

from __future__ import annotations

import re
from pathlib import Path

from evidence.judge.claim import directives, make_claim
from evidence.judge.report import expected_words
from evidence.records.address import Address, lookup
from evidence.records.store import load
from evidence.records.units import THIN_SPACE, digits_for, format_cell, format_interval

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/transfer/pinned_memory.md"
CLAIM = "pinned-copy-is-faster"


def quoted() -> str:
    """What the README must say between its two markers."""
    (options, body, line), *_ = (
        found[2:] for found in directives(PAGE.read_text("utf-8")) if found[1] == CLAIM
    )
    claim = make_claim(CLAIM, options, body, "page", line)
    record = load(ROOT / f"examples/transfer/{claim.value.stem}.json")
    records, builder = {record.stem: record}, record.builder

    def value(match: re.Match[str]) -> str:
        address = Address.of(match[1])
        return format_cell(address.quantity, lookup(address, records))

    sentence = re.sub(r"{measured}`(.+?)`", value, body.strip())
    cell = lookup(claim.value, records)
    digits = digits_for(cell.value, cell.interval)
    ends = format_interval(cell.interval, claim.value.unit, digits)
    return (
        f"> {sentence}\n>\n"
        f"> <sub>{expected_words(claim, records, str)}: holds, {ends} in "
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
