"""The end of reading: every claim is judged once, in every build, and every fault reported.

A warning that is raised while a page is read is gone in the next incremental build, because the
page is not read again. So the pages only collect, and this listener judges what they collected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.judge.verdict import Verdict, judge_all
from evidence.site import outdated
from evidence.site.diagnostics import Kind, inform, warn
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.publish.claims_json import published
from evidence.site.reading import counts, faults
from evidence.site.reading.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def on_env_updated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Judge and count; gives the pages to write again."""
    domain = evidence_of(env)
    library, claims = domain.library, domain.claims
    domain.judgements, errors = judge_all(claims, library.records, library.stale)
    domain.judged = {judgement.claim.id: judgement for judgement in domain.judgements}
    found = [
        Fault(Kind.CLAIM, text, (claim.page, claim.line)) for claim, text in errors
    ]
    for fault in (*_faults(app, domain), *found):
        warn(*fault)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in domain.judgements)
    inform([f"{len(claims)} claims judged, {held} hold"])
    domain.published = published(domain)
    return outdated.pages(app)


def _faults(app: Sphinx, domain: EvidenceDomain) -> Iterator[Fault]:
    library, claims = domain.library, domain.claims
    uses = {address for page in domain.pages.values() for address in page.uses}
    gallery = app.config.sphinx_gallery_conf["gallery_dirs"]
    for example in library.examples.values():
        preview = app.config.evidence_preview
        yield from faults.of_example(example, library, preview=preview)
    yield from faults.of_pages(domain.pages)
    for judgement in domain.judgements:
        yield from faults.of_judgement(judgement, library)
    yield from faults.of_ids(claims, domain.formerly)
    yield from counts.of_nothing(library, claims)
    yield from counts.of_gallery(library, gallery, app.env.found_docs)
    yield from counts.of_texts(domain.pages)
    yield from counts.of_uses(library, uses)
