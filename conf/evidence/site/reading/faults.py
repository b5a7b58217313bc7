"""What is wrong with a site that was read, in sentences: pure, and tested without a build.

What must be as many, is: scripts, records, pages; claims in the text, read and judged. The
expected sets come from parsing files, never from the run that they check.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain
from evidence.site.reading import claim_faults


def of_examples(domain: EvidenceDomain) -> Iterator[Fault]:
    """Examples that cannot be read, have no usable record, or changed since they have."""
    library = domain.library
    for stem, example in library.examples.items():
        place = library.place(example)
        remedy = f"'nox -s record -- {stem}' on a machine with a GPU, or take"
        if example.script is None:
            yield Fault(Kind.RECORD, example.problem, place)
        elif example.record is None:
            path = library.shown(example.record_path)
            message = (
                f"{path} {example.problem}; record it with {remedy} back the version "
                "that was committed"
            )
            yield Fault(Kind.RECORD, message, place)
        elif example.stale:
            message = (
                f"the code changed since its record; record it again with {remedy} it "
                "from the GPU builder's next run ('EVIDENCE=live nox -s docs')"
            )
            yield Fault(Kind.STALE, message, place)


def of_reading(domain: EvidenceDomain) -> Iterator[Fault]:
    """What was noted while pages were read."""
    for _, page in sorted(domain.pages.items()):
        yield from page.faults


def of_nothing(domain: EvidenceDomain) -> Iterator[Fault]:
    """Nothing of anything is no success."""
    if not domain.library.examples:
        folder = domain.library.folder.name
        yield Fault(Kind.COUNT, f"there is no example in {folder}/")
    if not domain.claims:
        yield Fault(Kind.COUNT, "no page makes a claim")


def of_gallery(domain: EvidenceDomain) -> Iterator[Fault]:
    """Every script has a page, and every page of the gallery a script."""
    library, gallery = domain.library, domain.gallery
    expected = {library.page(stem, gallery) for stem in library.examples}
    found = {page for page in domain.env.found_docs if page.startswith(f"{gallery}/")}
    shown = {page for page in found if not page.endswith("/index")}
    for page in sorted(expected - shown):
        script = page.partition("/")[2]
        yield Fault(Kind.COUNT, f"the example {script}.py has no page")
    for page in sorted(shown - expected):
        message = f"{page} is the page of no example; remove the folder {gallery}/"
        yield Fault(Kind.COUNT, message, page)


def of_texts(domain: EvidenceDomain) -> Iterator[Fault]:
    """The claims in the text of the pages are those that the build read, and verify reads."""
    for name, page in sorted(domain.pages.items()):
        if page.faults:
            continue  # a claim that cannot be understood is not built, and reported
        built = {claim.id: claim.line for claim in page.claims}
        for claim in sorted(page.in_text ^ built.keys()):
            seen = (
                "built, but verify does not see it: write ':::{claim}' on a page in .md"
            )
            if claim in page.in_text:
                seen = "in the text, but was not built"
            place = name, built.get(claim, 1)
            yield Fault(Kind.COUNT, f"claim {claim!r} stands {seen}", place)


def of_uses(domain: EvidenceDomain) -> Iterator[Fault]:
    """Evidence that nobody cites is a mistake as well: a claim went, its measurement stayed."""
    library = domain.library
    uses = {address for page in domain.pages.values() for address in page.uses}
    used = {(address.stem, address.top) for address in uses}
    for stem, record in library.records.items():
        for name in record.measured:
            if (stem, name) not in used:
                message = (
                    f"{stem}.{name} was measured, but no claim, text or figure uses it"
                )
                yield Fault(Kind.UNUSED, message, library.place(library.examples[stem]))


CHECKS = (
    *(of_examples, of_reading, *claim_faults.CHECKS),
    *(of_nothing, of_gallery, of_texts, of_uses),
)
