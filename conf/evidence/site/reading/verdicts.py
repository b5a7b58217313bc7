"""The end of reading: every claim is judged once, in every build, and every fault reported.

A warning that is raised while a page is read is gone in the next incremental build, because the
page is not read again. So the pages only collect, and this listener judges what they collected.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from evidence.judge.passes import FOLDER, read_passes
from evidence.judge.verdict import Verdict, judge_all
from evidence.site import outdated
from evidence.site.diagnostics import Kind, inform, warn
from evidence.site.domain import evidence_of
from evidence.site.publish.claims_json import published
from evidence.site.reading.faults import CHECKS


def on_env_updated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Judge and count; gives the pages to write again."""
    domain = evidence_of(env)
    library, claims = domain.library, domain.claims
    domain.judgements, errors = judge_all(claims, library.records, library.stale)
    domain.judged = {judgement.claim.id: judgement for judgement in domain.judgements}
    keys = {e.stem: e.script.code_key for e in library.examples.values() if e.script}
    judged = [judgement.claim for judgement in domain.judgements]
    domain.elsewhere = read_passes(Path(app.srcdir, FOLDER), judged, keys)
    for claim, message in errors:
        warn(Kind.CLAIM, message, (claim.page, claim.line))
    for check in CHECKS:
        for fault in check(domain):
            warn(*fault)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in domain.judgements)
    inform(f"{len(claims)} claims judged, {held} hold")
    domain.published = published(domain)
    return outdated.pages(app)
