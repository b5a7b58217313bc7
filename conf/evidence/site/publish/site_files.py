"""The site as a whole, as data and text: ``claims.json``, schemas, records, lists, and reports.

``llms.txt`` lists the Markdown twins of all pages, and ``SKILL.md`` tells an agent how to look up a
claim and how to verify one. Where the site knows its address, ``sitemap.xml`` and the feed have it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.template import FileRenderer

from evidence.judge.facts import PATCHES
from evidence.records import wire
from evidence.records.store import record_path
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import evidence_of
from evidence.site.judging.data import CLAIMS, REPORTS, as_json
from evidence.site.look.evidence import verdict_words
from evidence.site.look.words import _, builder_facts, shortened
from evidence.site.publish import programs, words
from evidence.site.publish.doctor_app import write_app
from evidence.site.tables import corrections, news
from evidence.site.tables.chapters import chapters

TEMPLATES = FileRenderer([Path(__file__).parent])
SCHEMA = Path(__file__).with_name("claims.schema.json")
RECORD_SCHEMA = "record.schema.json"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the data, also of a red build: it says what diverged."""
    if exception is not None or app.builder.format != "html":
        return
    domain, target = evidence_of(app.env), Path(app.outdir)
    texts = {
        CLAIMS: as_json(programs.published(domain)),
        programs.GPUS: as_json(programs.gpus(domain)),
        words.WORDS: as_json(words.found_by(app.env)),
        SCHEMA.name: SCHEMA.read_text("utf-8").strip(),
        RECORD_SCHEMA: json.dumps(wire.schema(), indent=2),
        **dict(rendered(app)),
    }
    (target / REPORTS).mkdir(exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text + "\n", encoding="utf-8")
    programs.write_names(app.env, target)
    if missing := write_app(target, json.loads(texts[CLAIMS]), app.config.html_baseurl):
        warn(Kind.COUNT, f"the doctor cites claims that no page makes: {missing}")
    for patch in Path(app.srcdir, PATCHES).glob("*.patch"):
        shutil.copyfile(patch, target / REPORTS / patch.name)
    written = len(domain.judged.judgements)
    if written != len(domain.claims):
        warn(Kind.COUNT, f"{len(domain.claims)} claims were read, {written} published")
    for example in domain.site.library.examples.values():
        copy = target / domain.site.library.shown(record_path(example.path))
        # Also one that a reader should see is damaged; where one changed, a build starts clean.
        if example.record_path.exists() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(example.record_path, copy)


def rendered(app: Sphinx) -> Iterator[tuple[str, str]]:
    """Names and texts of the files that templates make: the lists, and a report for upstream each.

    A report has what a statement says, what was measured, and the wording that we propose.
    """
    domain = evidence_of(app.env)
    context = {
        "config": app.config,
        "chapters": chapters(app.env).items(),
        "titles": app.env.titles,
        "domain": domain,
        "judged": domain.judged.by_page,
        "verdict_words": verdict_words,
        "shortened": shortened,
        "facts": builder_facts,
        "news": news,
        "faults": corrections.FAULTS,
        "harms": corrections.HARMS,
        "say": _,
    }
    names = ["llms.txt", "SKILL.md"]
    names += ["sitemap.xml"] if app.config.html_baseurl else []
    names += [news.FEED] if news.feed_address(domain) else []
    for name in names:
        yield name, TEMPLATES.render(name, context)
    for name in domain.judged.contradicting:
        report = TEMPLATES.render("report.md", {**context, "name": name})
        yield f"{REPORTS}/{name}.md", report
