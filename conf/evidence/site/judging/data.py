"""What was judged as data: what ``claims.json`` holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from evidence.examples.library import Example, Library
from evidence.judge.passes import Outcome
from evidence.judge.verdict import Judgement, builder_id, claim_data
from evidence.records import wire
from evidence.site.domain import EvidenceDomain

#: Files of the published site: all claims, and the folder of the reports for upstream.
CLAIMS, REPORTS = "claims.json", "reports"
CLAIMS_SCHEMA = 2


def as_json(data: dict[str, Any]) -> str:
    """Data as text; what is canonical to the last digit are records alone, which takes longer."""
    compact = msgspec.json.encode(data, order="sorted")
    return msgspec.json.format(compact, indent=1).decode()


def published(domain: EvidenceDomain) -> dict[str, Any]:
    """What ``claims.json`` holds; ids instead of positions, everything sorted."""
    library, judgements = domain.site.library, domain.judged.judgements
    verdicts = Counter(judgement.verdict.value for judgement in judgements)
    return {
        **measured(library),
        "claims": [
            claim_entry(domain, judgement)
            for judgement in sorted(judgements, key=attrgetter("claim.id"))
        ],
        "summary": {
            "claims": len(judgements),
            "examples": len(library.examples),
            "verdicts": dict(verdicts),
        },
    }


def claim_entry(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """A claim as ``claims.json`` has it."""
    claim, library = judgement.claim, domain.site.library
    example = library.examples.get(claim.stem)
    return {
        **claim_data(judgement),
        "statement": domain.sentence(claim),
        "record": library.shown(example.record_path) if example else "",
        "elsewhere": _elsewhere(domain.judged.elsewhere.by_model(claim.id)),
    }


def _elsewhere(
    by_model: Mapping[str, Sequence[Outcome]],
) -> dict[str, dict[str, list[str]]]:
    """The verdict of each pass, by GPU model and machine."""
    found: dict[str, dict[str, list[str]]] = {}
    for gpu, outcomes in by_model.items():
        machines = found.setdefault(gpu, {})
        for outcome in outcomes:
            verdicts = [verdict.value for verdict in outcome.verdicts.elements()]
            machines.setdefault(outcome.machine, []).extend(verdicts)
    return found


def measured(library: Library) -> dict[str, Any]:
    """The part of ``claims.json`` that is known before pages are read: builders and examples."""
    builders = (record.builder for record in library.records.values())
    examples = (library.examples[stem] for stem in sorted(library.examples))
    return {
        "schema": CLAIMS_SCHEMA,
        "builders": {builder_id(each): msgspec.to_builtins(each) for each in builders},
        "examples": [_example(library, example) for example in examples],
    }


def _example(library: Library, example: Example) -> dict[str, Any]:
    record = example.record
    return {
        "stem": example.stem,
        "path": library.shown(example.path),
        "record": library.shown(example.record_path),
        "builder": None if record is None else builder_id(record.builder),
        "mode": example.mode,
        "recorded": None if record is None else record.recorded,
        "seconds": 0.0 if record is None else record.seconds,
        "stale": example.stale,
        "measured": None if record is None else wire.packed(record.measured),
    }
