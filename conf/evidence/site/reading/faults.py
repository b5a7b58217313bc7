"""What is wrong with a site that was read, in sentences: pure, and tested without a build.

What must be as many, is: scripts, records, pages; claims in the text, read and judged. The
expected sets come from parsing files, never from the run that they check.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence.examples.library import Library
from evidence.judge.claim import Claim
from evidence.judge.verdict import Judgement, Verdict
from evidence.records.address import AddressError, lookup
from evidence.records.compare import spoken_cell
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain

#: What to do about a claim, once it is said what was expected and measured.
REMEDIES = {
    Kind.DIVERGED: "correct the page, or record again with 'nox -s record -- {stem}'",
    Kind.NOISY: "the interval straddles the bound: move the bound, or record again with "
    "'nox -s record -- {stem}'",
    Kind.TIGHT: "the bound stands too near to hold on another machine: leave a factor of "
    "1.25 (1.05 where the interval is narrower than 2 %), or name the :documented: figure",
}


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
        elif example.stale and not domain.env.config.evidence_preview:
            message = (
                f"the code changed since its record; record it again with {remedy} it "
                "from the GPU builder's next run ('EVIDENCE=live nox -s docs')"
            )
            yield Fault(Kind.STALE, message, place)


def of_reading(domain: EvidenceDomain) -> Iterator[Fault]:
    """What was noted while pages were read."""
    for _, page in sorted(domain.pages.items()):
        yield from page.faults


def of_judgements(domain: EvidenceDomain) -> Iterator[Fault]:
    """Claims that do not hold, or whose bound will not on the next machine."""
    library = domain.library
    for judgement in domain.judgements:
        claim, verdict = judgement.claim, judgement.verdict
        if verdict in (Verdict.DIVERGED, Verdict.NOISY):
            yield _measured(judgement, library, Kind(verdict.value))
        elif verdict is Verdict.MISSING:
            yield from _unknown(claim, library)
        elif judgement.margin == "tight" and _is_replayed(claim, library):
            yield _measured(judgement, library, Kind.TIGHT)


def _is_replayed(claim: Claim, library: Library) -> bool:
    """A live build judges the band, not where its own interval fell."""
    return library.examples[claim.value.stem].mode == "replayed"


def _measured(judgement: Judgement, library: Library, kind: Kind) -> Fault:
    """What is expected, what was measured, where, and what to do."""
    claim, record, cell = judgement.claim, judgement.record, judgement.cell
    assert record is not None and cell is not None
    path = library.shown(library.examples[claim.value.stem].record_path)
    found = spoken_cell(claim.value.quantity, cell)
    message = (
        f"expected {claim.expect}, measured {found} on {record.builder.gpu or 'a CPU'} "
        f"({path}); {REMEDIES[kind].format(stem=claim.value.stem)}"
    )
    return _of_claim(claim, message, kind)


def _unknown(claim: Claim, library: Library) -> Iterator[Fault]:
    """What names no example at all; an example without a record is reported itself."""
    for address in claim.addresses:
        if address.stem not in library.examples:
            try:
                lookup(address, library.records)
            except AddressError as error:
                yield _of_claim(claim, str(error))


def _of_claim(claim: Claim, message: str, kind: Kind = Kind.CLAIM) -> Fault:
    return Fault(kind, f"claim {claim.id!r}: {message}", (claim.page, claim.line))


def of_ids(domain: EvidenceDomain) -> Iterator[Fault]:
    """Ids that are given twice, and references to ids that are given to nothing."""
    first: dict[str, Claim] = {}
    for claim in domain.claims:
        other = first.setdefault(claim.id, claim)
        if other is not claim:
            message = (
                f"it stands twice: here, and at {other.page}:{other.line}; give the "
                "newer one an id of its own"
            )
            yield _of_claim(claim, message)
    for claim in domain.claims:
        if claim.control and claim.control not in first:
            yield _of_claim(claim, f"its control {claim.control!r} is no claim")
    for note in domain.formerly:
        if note.claim not in first:
            message = f"formerly {note.versions!r}: {note.claim!r} is no claim"
            yield Fault(Kind.CLAIM, message, (note.page, note.line))


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
        built = {claim.id for claim in page.claims}
        for claim in sorted(page.in_text ^ built):
            seen = "built, not in the text"
            if claim in page.in_text:
                seen = "in the text, but was not built"
            yield Fault(Kind.COUNT, f"claim {claim!r} stands {seen}", (name, 1))


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
    of_examples,
    of_reading,
    of_judgements,
    of_ids,
    of_nothing,
    of_gallery,
    of_texts,
    of_uses,
)
