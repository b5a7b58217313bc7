"""The end of reading: every claim is judged, in every build, and every failure reported.

A warning that is raised while a page is read is gone in the next incremental build, because the
page is not read again. So the pages only collect, and this listener judges what they collected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.judge import expect
from evidence.judge.claim import ClaimError
from evidence.judge.verdict import Verdict, judge, lookup
from evidence.records.model import Cell, Timing
from evidence.records.units import THIN_SPACE, format_cell, unit_of
from evidence.site.diagnostics import Kind, inform, warn
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.evidence_nodes import interval_text
from evidence.site.publish.claims_json import published
from evidence.site.reading.claims import judge_all
from evidence.site.reading.counts import report_counts
from evidence.site.tables import filler

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from evidence.examples.library import Example, Library
    from evidence.judge.claim import Claim
    from evidence.judge.verdict import Judgement


def on_env_updated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Judge and count; gives the pages to write again."""
    domain = evidence_of(env)
    library = domain.library
    for example in library.examples.values():
        _report_example(library, example, preview=app.config.evidence_preview)
    judgements, errors = judge_all(
        domain.claims, lambda claim: judge(claim, library.records, library.stale)
    )
    for page, problems in sorted(domain.data["problems"].items()):
        for line, kind, message in problems:
            warn(kind, message, (page, line))
    for claim, message in errors:
        warn(Kind.CLAIM, message, _place(claim))
    for judgement in judgements:
        _report(judgement, library)
    domain.judgements = judgements
    _report_ids(domain)
    _report_code(domain)
    report_counts(app, env, domain)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in judgements)
    inform([f"{len(domain.claims)} claims judged, {held} hold"])
    domain.published = published(library, judgements)
    return filler.outdated(app)


def _place(claim: Claim) -> tuple[str, int]:
    return claim.page, claim.line


def _report_example(library: Library, example: Example, *, preview: bool) -> None:
    if example.script is None:
        warn(Kind.RECORD, example.problem, _script(library, example))
    elif example.record is None:
        record = library.shown(example.record_path)
        warn(
            Kind.RECORD,
            f"{record} {example.problem}; record it with 'nox -s record -- {example.stem}' "
            "on a machine with a GPU, or take back the version that was committed",
            _script(library, example),
        )
    elif example.stale and not preview:
        warn(
            Kind.STALE,
            "the code changed since its record; record it again with "
            f"'nox -s record -- {example.stem}' on a machine with a GPU, or take it from the "
            "GPU builder's next run ('EVIDENCE=live nox -s docs')",
            _script(library, example),
        )


def _script(library: Library, example: Example) -> str:
    """Where a message about an example points; with a line, or Sphinx takes it for a page."""
    return f"{library.shown(example.path)}:1"


def _report(judgement: Judgement, library: Library) -> None:
    if judgement.verdict in (Verdict.DIVERGED, Verdict.NOISY):
        warn(
            Kind(judgement.verdict.value),
            failure(judgement, library),
            _place(judgement.claim),
        )
    elif judgement.verdict is Verdict.MISSING:
        _report_missing(judgement.claim, library)
    elif judgement.margin == "tight" and _replayed(judgement, library):
        # Only for committed records: a live build judges the band, not where its own interval fell.
        warn(Kind.TIGHT, tightness(judgement), _place(judgement.claim))


def _report_missing(claim: Claim, library: Library) -> None:
    """Report a value of no example at all; an example without a record is reported itself."""
    others = expect.references(expect.parse(claim.expect, unit_of(claim.name)))
    for address in (claim.value, *others):
        if address.partition(".")[0] in library.examples:
            continue
        try:
            lookup(address, library.records)
        except ClaimError as error:
            warn(Kind.CLAIM, f"claim {claim.id!r}: {error}", _place(claim))


def _replayed(judgement: Judgement, library: Library) -> bool:
    return library.examples[judgement.claim.stem].mode == "replayed"


def failure(judgement: Judgement, library: Library) -> str:
    """What is documented, what was measured, where, and what to do."""
    claim, record, cell = judgement.claim, judgement.record, judgement.cell
    assert record is not None and cell is not None
    path = library.shown(library.examples[claim.stem].record_path)
    remedy = "correct the page, or record again with"
    if judgement.verdict is Verdict.NOISY:
        remedy = (
            "the interval straddles the bound: move the bound, or record again with"
        )
    return (
        f"claim {claim.id!r}: documented {claim.expect}, measured {spoken(claim.name, cell)} "
        f"on {record.builder.gpu or 'a CPU'} ({path}); {remedy} 'nox -s record -- {claim.stem}'"
    )


def tightness(judgement: Judgement) -> str:
    """Why a bound that holds here may not hold on the next machine."""
    claim, cell = judgement.claim, judgement.cell
    assert cell is not None
    return (
        f"claim {claim.id!r}: the bound {claim.expect} stands too near "
        f"{spoken(claim.name, cell)} to hold on another machine: leave a factor of 1.25 "
        "(1.05 where the interval is narrower than 2 %), or name the :documented: figure"
    )


def spoken(name: str, cell: Cell) -> str:
    """A measured value for a message: ``3.1 (6 processes 3.0–3.2)``."""
    value = format_cell(name, cell).replace(THIN_SPACE, " ")
    if not isinstance(cell, Timing):
        return value
    interval = interval_text(name, cell).replace(THIN_SPACE, " ")
    return f"{value} ({len(cell.median)} processes {interval})"


def _report_ids(domain: EvidenceDomain) -> None:
    first: dict[str, Claim] = {}
    for claim in domain.claims:
        if claim.id in first:
            other = first[claim.id]
            message = f"claim {claim.id!r} stands already at {other.page}:{other.line}"
            warn(Kind.CLAIM, message, _place(claim))
        first.setdefault(claim.id, claim)
    for claim in domain.claims:
        if claim.control and claim.control not in first:
            message = f"claim {claim.id!r}: its control {claim.control!r} is no claim"
            warn(Kind.CLAIM, message, _place(claim))
    for note in domain.formerly:
        if note.claim not in first:
            message = f"formerly {note.versions!r}: {note.claim!r} is no claim"
            warn(Kind.CLAIM, message, (note.page, note.line))


def _report_code(domain: EvidenceDomain) -> None:
    for page, lines in sorted(domain.data["unexecuted"].items()):
        for line in lines:
            warn(
                Kind.UNEXECUTED,
                "nothing runs this Python; take it from an example with literalinclude",
                (page, line),
            )
