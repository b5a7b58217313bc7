"""``claims.json``: every claim and measured value as data, and its JSON Schema beside it."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from evidence.judge.report import builder_id, claim_data
from evidence.records import wire
from evidence.records.store import canonical
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from evidence.examples.library import Example, Library
    from evidence.judge.verdict import Judgement

#: The file's name at the root of the site, and the version of what stands in it.
CLAIMS = "claims.json"
CLAIMS_SCHEMA = 1

SCHEMA = Path(__file__).with_name("claims.schema.json")
RECORD_SCHEMA = "record.schema.json"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the claims, also of a red build: it says what diverged."""
    if exception is not None or app.builder.format != "html":
        return
    domain = evidence_of(app.env)
    data = domain.published
    target = Path(app.outdir)
    (target / CLAIMS).write_text(canonical(data) + "\n", encoding="utf-8")
    shutil.copyfile(SCHEMA, target / SCHEMA.name)
    record_schema = json.dumps(wire.schema(), indent=2) + "\n"
    (target / RECORD_SCHEMA).write_text(record_schema, encoding="utf-8")
    if len(data["claims"]) != len(domain.claims):
        written = len(data["claims"])
        warn(Kind.COUNT, f"{len(domain.claims)} claims were read, {written} published")
    for stem in domain.library.examples:
        page = domain.library.page(stem, app.config.sphinx_gallery_conf["gallery_dirs"])
        if not (target / f"{page}.html").exists():
            warn(Kind.COUNT, f"the page of example {stem} was not written: {page}.html")


def published(library: Library, judgements: list[Judgement]) -> dict[str, Any]:
    """What ``claims.json`` holds; ids instead of positions, everything sorted."""
    records = library.records
    claims = []
    for judgement in sorted(judgements, key=lambda judgement: judgement.claim.id):
        example = library.examples.get(judgement.claim.stem)
        path = library.shown(example.record_path) if example else ""
        claims.append({**claim_data(judgement, records), "record": path})
    verdicts = Counter(judgement.verdict.value for judgement in judgements)
    return {
        "schema": CLAIMS_SCHEMA,
        "builders": {
            builder_id(record.builder): to_builtins(record.builder)
            for record in records.values()
        },
        "examples": [
            _example(library, library.examples[stem])
            for stem in sorted(library.examples)
        ],
        "claims": claims,
        "summary": {
            "claims": len(claims),
            "examples": len(library.examples),
            "verdicts": dict(verdicts),
            "weak": [claim["id"] for claim in claims if claim["margin"] == "weak"],
        },
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
