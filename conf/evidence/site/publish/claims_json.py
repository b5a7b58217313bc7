"""The site as data: ``claims.json``, the schemas, the records, and a report for upstream."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.template import FileRenderer

from evidence.records import wire
from evidence.records.store import record_path
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.judging.data import CLAIMS, REPORTS, as_json, published
from evidence.site.look.builders import builder_facts
from evidence.site.publish.text_twins import listings

SCHEMA = Path(__file__).with_name("claims.schema.json")
RECORD_SCHEMA = "record.schema.json"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the data, also of a red build: it says what diverged."""
    if exception is not None or app.builder.format != "html":
        return
    domain, target = evidence_of(app.env), Path(app.outdir)
    texts = {
        CLAIMS: as_json(published(domain)),
        SCHEMA.name: SCHEMA.read_text("utf-8").strip(),
        RECORD_SCHEMA: json.dumps(wire.schema(), indent=2),
        **reports(domain),
        **listings(app),
    }
    (target / REPORTS).mkdir(exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text + "\n", encoding="utf-8")
    written = len(domain.judged.judgements)
    if written != len(domain.claims):
        warn(Kind.COUNT, f"{len(domain.claims)} claims were read, {written} published")
    for example in domain.site.library.examples.values():
        # Also one that a reader should see is damaged.
        if example.record_path.exists():
            copy = target / domain.site.library.shown(record_path(example.path))
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(example.record_path, copy)


TEMPLATES = FileRenderer([Path(__file__).parent])


def reports(domain: EvidenceDomain) -> dict[str, str]:
    """The reports by file name: what a statement says, what was measured, a better wording."""
    about = {"domain": domain, "facts": builder_facts}
    return {
        f"{REPORTS}/{name}.md": TEMPLATES.render("report.md", {**about, "name": name})
        for name in domain.judged.contradicting
    }
