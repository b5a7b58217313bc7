"""What must be as many, is: scripts, records, pages; claims in the text, read and judged.

The expected sets come from parsing files here, never from the run that they check.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evidence.judge.claim import ClaimError, read_claims
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import evidence_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from evidence.examples.library import Library
    from evidence.site.domain import EvidenceDomain


def on_doctree_read(app: Sphinx, _doctree: nodes.document) -> None:
    """Note which claims stand in the text of a page."""
    env = app.env
    page = env.current_document.docname
    path = Path(env.doc2path(page))
    gallery = app.config.sphinx_gallery_conf["gallery_dirs"]
    if page.startswith(f"{gallery}/") or path.suffix != ".md":
        return
    try:
        claims = read_claims(path.read_text("utf-8"), page)
    except ClaimError:
        return  # the directive has reported it
    evidence_of(env).data["texts"][page] = {claim.id for claim in claims}


def report_counts(app: Sphinx, env: BuildEnvironment, domain: EvidenceDomain) -> None:
    """Report everything that is missing, or there for no reason."""
    library = domain.library
    gallery = app.config.sphinx_gallery_conf["gallery_dirs"]
    if not library.examples:
        warn(Kind.COUNT, f"there is no example in {library.folder.name}/")
    if not domain.claims:
        warn(Kind.COUNT, "no page makes a claim")
    _report_pages(library, gallery, env.found_docs)
    _report_texts(domain)
    _report_unused(domain)


def _report_pages(library: Library, gallery: str, found: Iterable[str]) -> None:
    """Every script has a page, and every page of the gallery a script."""
    expected = {library.page(stem, gallery) for stem in library.examples}
    pages = {page for page in found if page.startswith(f"{gallery}/")}
    shown = {page for page in pages if not page.endswith("/index")}
    for page in sorted(expected - shown):
        warn(Kind.COUNT, f"the example {page.partition('/')[2]}.py has no page")
    for page in sorted(shown - expected):
        warn(
            Kind.COUNT,
            f"{page} is the page of no example; remove the folder {gallery}/",
            page,
        )


def _report_texts(domain: EvidenceDomain) -> None:
    """The claims in the text of the pages are those that the build read, and verify reads."""
    for page, in_text in sorted(domain.data["texts"].items()):
        if page in domain.data["problems"]:
            continue  # a claim that cannot be understood is not built, and reported
        read = {claim.id for claim in domain.data["claims"].get(page, ())}
        for claim in sorted(in_text ^ read):
            seen = (
                "in the text, but was not built"
                if claim in in_text
                else "built, not in the text"
            )
            warn(Kind.COUNT, f"claim {claim!r} stands {seen}", (page, 1))


def _report_unused(domain: EvidenceDomain) -> None:
    """Evidence that nobody cites is a mistake as well: a claim went, its measurement stayed."""
    used = {
        (stem, _top(rest)) for stem, _, rest in (u.partition(".") for u in domain.uses)
    }
    for stem, record in domain.library.records.items():
        place = f"{domain.library.shown(domain.library.examples[stem].path)}:1"
        for name in record.measured:
            if (stem, name) not in used:
                message = (
                    f"{stem}.{name} was measured, but no claim, text or figure uses it"
                )
                warn(Kind.UNUSED, message, place)


def _top(name: str) -> str:
    return name.partition("[")[0]
