"""What is wrong with claims and examples, in sentences: pure, and tested without a build."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from evidence.judge.verdict import Judgement, Verdict
from evidence.records.address import AddressError, lookup
from evidence.records.compare import spoken_cell
from evidence.site.diagnostics import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from evidence.examples.library import Example, Library
    from evidence.judge.claim import Claim
    from evidence.site.diagnostics import Location
    from evidence.site.domain import Formerly, Page


class Fault(NamedTuple):
    """One warning: its kind, what it says, and where it points."""

    kind: Kind
    message: str
    place: Location = None


def of_pages(pages: Mapping[str, Page]) -> Iterator[Fault]:
    """The faults that were noted while pages were read."""
    for name, page in sorted(pages.items()):
        for line, kind, message in page.problems:
            yield Fault(kind, message, (name, line))


def of_example(example: Example, library: Library, *, preview: bool) -> Iterator[Fault]:
    """An example that cannot be read, has no usable record, or changed since it has."""
    place = library.place(example)
    remedy = f"'nox -s record -- {example.stem}' on a machine with a GPU, or take"
    if example.script is None:
        yield Fault(Kind.RECORD, example.problem, place)
    elif example.record is None:
        yield Fault(
            Kind.RECORD,
            f"{library.shown(example.record_path)} {example.problem}; record it with "
            f"{remedy} back the version that was committed",
            place,
        )
    elif example.stale and not preview:
        yield Fault(
            Kind.STALE,
            f"the code changed since its record; record it again with {remedy} it from "
            "the GPU builder's next run ('EVIDENCE=live nox -s docs')",
            place,
        )


def of_judgement(judgement: Judgement, library: Library) -> Iterator[Fault]:
    """A claim that does not hold, or whose bound will not on the next machine."""
    claim, verdict = judgement.claim, judgement.verdict
    place = claim.page, claim.line
    if verdict in (Verdict.DIVERGED, Verdict.NOISY):
        yield Fault(Kind(verdict.value), failure(judgement, library), place)
    elif verdict is Verdict.MISSING:
        for message in _unknown(claim, library):
            yield Fault(Kind.CLAIM, f"claim {claim.id!r}: {message}", place)
    elif judgement.margin == "tight" and _is_replayed(claim, library):
        # Only for committed records: a live build judges the band, not where its own interval fell.
        yield Fault(Kind.TIGHT, tightness(judgement), place)


def _unknown(claim: Claim, library: Library) -> Iterator[str]:
    """What names no example at all; an example without a record is reported itself."""
    for address in claim.addresses:
        if address.stem not in library.examples:
            try:
                lookup(address, library.records)
            except AddressError as error:
                yield str(error)


def _is_replayed(claim: Claim, library: Library) -> bool:
    return library.examples[claim.value.stem].mode == "replayed"


def failure(judgement: Judgement, library: Library) -> str:
    """What is expected, what was measured, where, and what to do."""
    claim, record, cell = judgement.claim, judgement.record, judgement.cell
    assert record is not None and cell is not None
    path = library.shown(library.examples[claim.value.stem].record_path)
    remedy = "correct the page, or record again with"
    if judgement.verdict is Verdict.NOISY:
        remedy = (
            "the interval straddles the bound: move the bound, or record again with"
        )
    return (
        f"claim {claim.id!r}: expected {claim.expect}, measured "
        f"{spoken_cell(claim.value.quantity, cell)} on {record.builder.gpu or 'a CPU'} "
        f"({path}); {remedy} 'nox -s record -- {claim.value.stem}'"
    )


def tightness(judgement: Judgement) -> str:
    """Why a bound that holds here may not hold on the next machine."""
    claim, cell = judgement.claim, judgement.cell
    assert cell is not None
    return (
        f"claim {claim.id!r}: the bound {claim.expect} stands too near "
        f"{spoken_cell(claim.value.quantity, cell)} to hold on another machine: leave a factor "
        "of 1.25 (1.05 where the interval is narrower than 2 %), or name the :documented: "
        "figure"
    )


def of_ids(claims: Iterable[Claim], formerly: Iterable[Formerly]) -> Iterator[Fault]:
    """Ids that are given twice, and references to ids that are given to nothing."""
    claims = list(claims)
    first: dict[str, Claim] = {}
    for claim in claims:
        place = claim.page, claim.line
        other = first.setdefault(claim.id, claim)
        if other is not claim:
            yield Fault(
                Kind.CLAIM,
                f"claim {claim.id!r} stands twice: here, and at {other.page}:{other.line}; "
                "give the newer one an id of its own",
                place,
            )
    for claim in claims:
        if claim.control and claim.control not in first:
            message = f"claim {claim.id!r}: its control {claim.control!r} is no claim"
            yield Fault(Kind.CLAIM, message, (claim.page, claim.line))
    for note in formerly:
        if note.claim not in first:
            message = f"formerly {note.versions!r}: {note.claim!r} is no claim"
            yield Fault(Kind.CLAIM, message, (note.page, note.line))
