"""Judgements in words and as plain data: what the pages and ``claims.json`` say of each claim."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import to_builtins

from evidence.judge.claim import LISTS, Check
from evidence.judge.expect import Bound
from evidence.judge.verdict import Finding, Judgement
from evidence.records.address import Records, lookup
from evidence.records.model import Builder, Cell, Plain, Raised, Timing
from evidence.records.store import canonical, rounded
from evidence.records.units import THIN_SPACE, Unit, format_cell, format_number, unit_of


@cache
def builder_id(builder: Builder) -> str:
    """A name for a builder: its GPU, and a hash over all that is known of it."""
    fields = to_builtins(builder)
    if not builder.share:  # as the names of older records were made
        del fields["share"]
    digest = hashlib.sha256(canonical(fields).encode()).hexdigest()
    slug = re.sub(r"[^a-z0-9]+", "-", (builder.gpu or "cpu").lower()).strip("-")
    return f"{slug}-{digest[:8]}"


def measured_data(name: str, cell: Cell) -> dict[str, Any]:
    """A measured value as data: number, interval, number of processes, unit, and its text."""
    match cell:
        case Timing(median=medians):
            ends = [cell.interval.low, cell.interval.high]
            fields = {"value": rounded(cell.value), "interval": ends, "n": len(medians)}
        case Plain(value=value):
            fields = {"value": value}
        case Raised(type=kind, message=message):
            fields = {"raised": kind, "message": message}
    text = format_cell(name, cell).replace(THIN_SPACE, "\u00a0")
    return {**fields, "unit": unit_of(name).name, "text": text}


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


#: An expectation in words, by its form.
_WORDS = {
    "true": "yes",
    "false": "no",
    "==": "exactly {bound}",
    ">=": "at least {bound}",
    "<=": "at most {bound}",
    ">": "more than {bound}",
    "<": "less than {bound}",
    "in": "{low} to {high}",
    "about": "about {bound} ± {percent} %",
    "most": "the most",
    "least": "the least",
    "raises": "raises {type}",
}


def expected_words(check: Check, records: Records, say: Callable[[str], str]) -> str:
    """What a check expects, in words for a reader: ``at least 3×``.

    :param records: hold the values that it compares with
    :param say: translates the words
    """
    expectation, unit = check.expectation, check.value.unit
    words = _WORDS[expectation.form]
    match expectation.form, expectation.bounds:
        case "==", (Plain(str()),):
            words = "{bound}"
        case "about", (Plain(1.0),):
            words = "no difference, within {percent} %"
    texts = [_bound_text(bound, unit, records) for bound in expectation.bounds] or [""]
    # What the words do not name is left out.
    return say(words).format(
        bound=texts[0],
        low=texts[0],
        high=texts[-1],
        type=texts[0],
        percent=f"{expectation.percent:g}",
    )


def _bound_text(bound: Bound, unit: Unit, records: Records) -> str:
    """A bound for a reader; its digits are exact."""
    match bound:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Plain(value):
            return str(value)
    other = format_cell(bound.address.quantity, lookup(bound.address, records))
    return other if bound.factor == 1 else f"{bound.factor:g} × {other}"
