"""What was judged as data: what ``claims.json`` holds."""

from __future__ import annotations

from typing import Any

import msgspec

from evidence.examples.library import Example, Library
from evidence.judge.verdict import Judgement, builder_id, claim_data
from evidence.records import wire
from evidence.records.signed import Signed
from evidence.site.domain import EvidenceDomain

#: Files of the published site: all claims, and the folder of the reports for upstream.
CLAIMS, REPORTS = "claims.json", "reports"
CLAIMS_SCHEMA = 5


def as_json(data: dict[str, Any]) -> str:
    """Data as text; what is canonical to the last digit are records alone, which takes longer."""
    compact = msgspec.json.encode(data, order="sorted")
    return msgspec.json.format(compact, indent=1).decode()


def claim_entry(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """A claim as ``claims.json`` has it; the verdict of each pass, by GPU model and machine.

    Those of our machines, and those that were sent in.
    """
    claim, library = judgement.claim, domain.site.library
    example = library.examples.get(claim.stem)
    elsewhere: dict[str, dict[str, list[str]]] = {}
    sent_in: dict[str, dict[str, list[str]]] = {}
    for outcome in domain.judged.elsewhere.outcomes.get(claim.id, ()):
        found = elsewhere if outcome.keeper else sent_in
        machines = found.setdefault(outcome.gpu, {})
        verdicts = [verdict.value for verdict in outcome.verdicts.elements()]
        machines.setdefault(outcome.machine, []).extend(verdicts)
    return {
        **claim_data(judgement),
        "statement": domain.sentence(claim),
        "record": library.shown(example.record_path) if example else "",
        "elsewhere": elsewhere,
        "sent_in": sent_in,
    }


def measured(library: Library, signed: Signed) -> dict[str, Any]:
    """The part of ``claims.json`` that is known before pages are read: builders and examples."""
    builders = (record.builder for record in library.records.values())
    examples = (library.examples[stem] for stem in sorted(library.examples))
    return {
        "schema": CLAIMS_SCHEMA,
        "builders": {builder_id(each): msgspec.to_builtins(each) for each in builders},
        "examples": [_example(library, example, signed) for example in examples],
    }


def _example(library: Library, example: Example, signed: Signed) -> dict[str, Any]:
    record = example.record
    return {
        "stem": example.stem,
        "path": library.shown(example.path),
        "record": library.shown(example.record_path),
        "builder": record and builder_id(record.builder),
        "mode": example.mode,
        "recorded": record and record.recorded,
        "seconds": record.seconds if record else 0.0,
        "signed_by": signed.keeper(example.record_path) if record else "",
        "stale": example.stale,
        "measured": record and wire.packed(record.measured),
    }
