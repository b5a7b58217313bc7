"""Judgements as plain data: what ``claims.json`` says of each claim."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from evidence.judge import expect
from evidence.judge.claim import ClaimError
from evidence.judge.verdict import lookup
from evidence.records.model import Plain, Raised, Timing
from evidence.records.store import canonical
from evidence.records.units import THIN_SPACE, format_cell, unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evidence.judge.claim import Claim
    from evidence.judge.verdict import Judgement
    from evidence.records.model import Builder, Cell, Record

_MEASURED = re.compile(r"\{measured\}`([^`]+)`")
_ROLE = re.compile(r"\{[\w:-]+\}`(?:([^`<]+?)\s*<[^`]+>|([^`]+))`")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_BLOCK = re.compile(r"^(`{3,}|:{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)


@cache
def builder_id(builder: Builder) -> str:
    """A name for a builder: its GPU, and a hash over all that is known of it."""
    digest = hashlib.sha256(canonical(to_builtins(builder)).encode()).hexdigest()
    slug = re.sub(r"[^a-z0-9]+", "-", (builder.gpu or "cpu").lower()).strip("-")
    return f"{slug}-{digest[:8]}"


def statement(claim: Claim, records: Mapping[str, Record]) -> str:
    """The sentence of a claim as plain text, with the measured values in it."""

    def value(match: re.Match[str]) -> str:
        try:
            cell = lookup(match[1], records)
        except ClaimError:
            return "(not measured)"
        return format_cell(match[1].rpartition(".")[2], cell).replace(
            THIN_SPACE, "\u00a0"
        )

    text = _BLOCK.sub("", claim.statement)
    text = _MEASURED.sub(value, text)
    text = _ROLE.sub(lambda match: match[1] or match[2], text)
    text = _LINK.sub(r"\1", text)
    return re.sub(r"[ \n]+", " ", re.sub(r"[`*]", "", text)).strip()


def expected_words(claim: Claim, records: Mapping[str, Record]) -> str:
    """What a claim expects, in words, with the values of those that it compares with."""
    unit = unit_of(claim.name)
    expectation = expect.parse(claim.expect, unit)
    words = expect.describe(expectation, unit)
    # The longest first: one address may begin with another.
    for address in sorted(expect.references(expectation), key=len, reverse=True):
        name, cell = address.rpartition(".")[2], lookup(address, records)
        words = words.replace(address, format_cell(name, cell))
    return words if claim.scope == "any" else f"{words} ({claim.scope})"


def measured_data(name: str, cell: Cell) -> dict[str, Any]:
    """A measured value as data: number, interval, number of processes, unit, and its text."""
    text = format_cell(name, cell).replace(THIN_SPACE, "\u00a0")
    match cell:
        case Timing(median=medians):
            ends = cell.interval
            interval = [ends.low, ends.high]
            found: dict[str, Any] = {
                "value": cell.value,
                "interval": interval,
                "n": len(medians),
            }
        case Plain(value=value):
            found = {"value": value}
        case Raised(type=kind, message=message):
            found = {"raised": kind, "message": message}
    return {**found, "unit": unit_of(name).name, "text": text}


def claim_data(judgement: Judgement, records: Mapping[str, Record]) -> dict[str, Any]:
    """One claim with its verdict, as it stands in ``claims.json``."""
    claim, record, cell = judgement.claim, judgement.record, judgement.cell
    return {
        "id": claim.id,
        "page": claim.page,
        "anchor": f"{claim.page}.html#{claim.id}",
        "statement": statement(claim, records),
        "value": claim.value,
        "expect": claim.expect,
        "documented": claim.documented,
        "scope": claim.scope,
        "control": claim.control,
        "seed": sorted(claim.seed),
        "contradicts": sorted(claim.contradicts),
        "verdict": judgement.verdict.value,
        "margin": judgement.margin,
        "measured": None if cell is None else measured_data(claim.name, cell),
        "builder": None if record is None else builder_id(record.builder),
    }
