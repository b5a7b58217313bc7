"""The site as data: ``claims.json``, the schemas, the records, and a report for upstream."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from sphinx.application import Sphinx
from sphinx.jinja2glue import BuiltinTemplateLoader

from evidence.examples.library import Example, Library
from evidence.judge.report import builder_id, claim_data
from evidence.records import wire
from evidence.records.store import record_path
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.look.builders import builder_facts
from evidence.site.publish.text_twins import listings

CLAIMS = "claims.json"
CLAIMS_SCHEMA = 2
SCHEMA = Path(__file__).with_name("claims.schema.json")
RECORD_SCHEMA = "record.schema.json"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the data, also of a red build: it says what diverged."""
    if exception is not None or app.builder.format != "html":
        return
    domain, target = evidence_of(app.env), Path(app.outdir)
    texts = {
        CLAIMS: as_json(domain.published),
        SCHEMA.name: SCHEMA.read_text("utf-8").strip(),
        RECORD_SCHEMA: json.dumps(wire.schema(), indent=2),
        **reports(app.builder.templates, domain),
        **listings(app),
    }
    (target / REPORTS).mkdir(exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text + "\n", encoding="utf-8")
    written = len(domain.published["claims"])
    if written != len(domain.claims):
        warn(Kind.COUNT, f"{len(domain.claims)} claims were read, {written} published")
    for example in domain.library.examples.values():
        # Also one that a reader should see is damaged.
        if example.record_path.exists():
            copy = target / domain.library.shown(record_path(example.path))
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(example.record_path, copy)


def as_json(data: dict[str, Any]) -> str:
    """Data as text; what is canonical to the last digit are records alone, which takes longer."""
    compact = msgspec.json.encode(data, order="sorted")
    return msgspec.json.format(compact, indent=1).decode()


def published(domain: EvidenceDomain) -> dict[str, Any]:
    """What ``claims.json`` holds; ids instead of positions, everything sorted."""
    library, claims = domain.library, []
    for judgement in sorted(domain.judgements, key=attrgetter("claim.id")):
        claim = judgement.claim
        example = library.examples.get(claim.stem)
        path = library.shown(example.record_path) if example else ""
        sentence = domain.sentence(claim)
        elsewhere = domain.elsewhere.verdicts.get(claim.id, {})
        more = {"statement": sentence, "record": path, "elsewhere": elsewhere}
        claims.append({**claim_data(judgement), **more})
    verdicts = Counter(judgement.verdict.value for judgement in domain.judgements)
    counts = {"claims": len(claims), "examples": len(library.examples)}
    summary = {**counts, "verdicts": dict(verdicts)}
    return {**measured(library), "claims": claims, "summary": summary}


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
        "measured": None if record is None else wire.wrapped(record.measured),
    }


REPORTS = "reports"
TEMPLATE = Path(__file__).with_name("report.md")


def reports(templates: BuiltinTemplateLoader, domain: EvidenceDomain) -> dict[str, str]:
    """The reports by file name: what a statement says, what was measured, a better wording."""
    text, found = TEMPLATE.read_text("utf-8"), {}
    for name in domain.contradicted:
        context = {"domain": domain, "name": name, "facts": builder_facts}
        found[f"{REPORTS}/{name}.md"] = templates.render_string(text, context)
    return found
