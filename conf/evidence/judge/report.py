"""Judgements in words and as plain data: what the pages and ``claims.json`` say of each claim."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from evidence.judge import expect
from evidence.judge.claim import LISTS, Check
from evidence.judge.verdict import Finding, Judgement
from evidence.records.address import Records, lookup
from evidence.records.model import Builder, Cell, Plain, Raised, Timing
from evidence.records.store import canonical, rounded
from evidence.records.units import THIN_SPACE, Unit, format_cell, format_number, unit_of


@cache
def builder_id(builder: Builder) -> str:
    """A name for a builder: its GPU, and a hash over all that is known of it."""
    digest = hashlib.sha256(canonical(to_builtins(builder)).encode()).hexdigest()
    slug = re.sub(r"[^a-z0-9]+", "-", (builder.gpu or "cpu").lower()).strip("-")
    return f"{slug}-{digest[:8]}"


def measured_data(name: str, cell: Cell) -> dict[str, Any]:
    """A measured value as data: number, interval, number of processes, unit, and its text."""
    match cell:
        case Timing(median=medians):
            ends = [cell.interval.low, cell.interval.high]
            found = {"value": rounded(cell.value), "interval": ends, "n": len(medians)}
        case Plain(value=value):
            found = {"value": value}
        case Raised(type=kind, message=message):
            found = {"raised": kind, "message": message}
    text = format_cell(name, cell).replace(THIN_SPACE, "\u00a0")
    return {**found, "unit": unit_of(name).name, "text": text}


def claim_data(judgement: Judgement) -> dict[str, Any]:
    """One claim with its verdict, as it stands in ``claims.json``."""
    claim, record = judgement.claim, judgement.record
    return {
        "id": claim.id,
        "page": claim.page,
        "anchor": f"{claim.page}.html#{claim.id}",
        "checks": [finding_data(finding) for finding in judgement.findings],
        "documented": claim.documented,
        "scope": claim.scope.text,
        "control": claim.control,
        **{name: sorted(getattr(claim, name)) for name in LISTS},
        "verdict": judgement.verdict.value,
        "builder": None if record is None else builder_id(record.builder),
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One check of a claim, with what was measured for it."""
    check, cell = finding.check, finding.cell
    return {
        "value": str(check.value),
        "expect": check.expect,
        "verdict": finding.verdict.value,
        "margin": finding.margin,
        "measured": None if cell is None else measured_data(check.value.quantity, cell),
    }


#: A comparison in words, by its operator.
_COMPARISONS = {
    "==": "exactly {bound}",
    ">=": "at least {bound}",
    "<=": "at most {bound}",
    ">": "more than {bound}",
    "<": "less than {bound}",
}


def expected_words(check: Check, records: Records, say: Callable[[str], str]) -> str:
    """What a check expects, in words for a reader: ``at least 3×``.

    :param records: hold the values that it compares with
    :param say: translates the words
    """
    parts = asdict(check.expectation).items()
    shown = {name: _shown(part, check.value.unit, records) for name, part in parts}
    return say(_template(check.expectation)).format(**shown)


def _template(expectation: expect.Expectation) -> str:
    match expectation:
        case expect.Truth(value):
            return "yes" if value else "no"
        case expect.Raises():
            return "raises {type}"
        case expect.Compare("==", Plain(str())):
            return "{bound}"
        case expect.Compare(operator):
            return _COMPARISONS[operator]
        case expect.Within():
            return "{low} to {high}"
        case expect.About(Plain(1.0)):
            return "no difference, within {percent} %"
        case expect.About():
            return "about {bound} ± {percent} %"
        case expect.Extreme(most=most):
            return "the most" if most else "the least"


def _shown(part: object, unit: Unit, records: Records) -> str:
    """A part of an expectation for a reader; the digits of a bound are exact."""
    match part:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case expect.Reference(address, factor):
            other = format_cell(address.quantity, lookup(address, records))
            return other if factor == 1 else f"{factor:g} × {other}"
        case Plain(value):
            return str(value)
        case float():
            return f"{part:g}"
    return str(part)
