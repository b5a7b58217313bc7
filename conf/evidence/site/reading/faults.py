"""What is wrong with a site that was read, in sentences: pure, and tested without a build.

What must be as many, is: scripts, records, pages; claims in the text, read and judged. The
expected sets come from parsing files, never from the run that they check.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from evidence.examples.library import Library
from evidence.judge.claim import Claim
from evidence.judge.upstream import UPSTREAM
from evidence.judge.verdict import Finding, Judgement, Verdict
from evidence.records.address import Address, AddressError, did_you_mean, lookup
from evidence.records.compare import spoken_cell
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain
from evidence.site.sources import SOURCES

#: What to do about a claim, once it is said what was expected and measured.
REMEDIES = {
    Kind.DIVERGED: "correct the page, or record again with 'nox -s record -- {stem}'",
    Kind.NOISY: "the interval straddles the bound: move the bound, or record again with "
    "'nox -s record -- {stem}'",
    Kind.ELSEWHERE: "a claim holds on every machine in its scope: restate it, or narrow "
    "its :scope:",
    Kind.TIGHT: "the bound stands too near to hold on another machine: leave a factor of "
    "1.25 (1.05 where the interval is narrower than 2 %), or write 'as documented' behind it",
    Kind.WEAK: "the bound stands too far to say much: move it to within a factor of 2, or write "
    "'as documented' behind it",
    Kind.SCOPE: "the scope {scope!r} leaves out its own record: correct it, or say in :elsewhere: "
    "where it was seen",
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
    """Claims that do not hold, or whose bound will not on the next machine, or says little."""
    library = domain.library
    for judgement in domain.judgements:
        claim = judgement.claim
        if judgement.verdict is Verdict.MISSING:
            yield from _unknown(claim, library)
        for finding in judgement.findings:
            if kind := _kind(finding, claim, library):
                yield _measured(judgement, finding, library, kind)


def _kind(finding: Finding, claim: Claim, library: Library) -> Kind | None:
    """What is wrong with a check that was judged."""
    match finding.verdict:
        case Verdict.DIVERGED | Verdict.NOISY:
            return Kind(finding.verdict.value)
        case Verdict.OUT_OF_SCOPE if not claim.elsewhere:
            return Kind.SCOPE
    # A live build judges the band, not where its own interval fell.
    replayed = (
        library.examples[claim.stem].mode == "replayed" if finding.margin else False
    )
    return Kind(finding.margin) if replayed else None


def of_passes(domain: EvidenceDomain) -> Iterator[Fault]:
    """Files of passes that cannot be used, and claims that did not hold in one."""
    library = domain.library
    for path, problem in domain.elsewhere.unusable.items():
        shown = library.shown(path)
        message = f"{shown} {problem}; remove it, or ask its sender for it again"
        yield Fault(Kind.ELSEWHERE, message, f"{shown}:1")
    for (path, _), judgement in domain.elsewhere.failed.items():
        for finding in judgement.findings:
            if finding.verdict is not Verdict.HOLDS:
                yield _measured(judgement, finding, library, Kind.ELSEWHERE, path)


def _measured(
    judgement: Judgement,
    finding: Finding,
    library: Library,
    kind: Kind,
    path: Path | None = None,
) -> Fault:
    """What is expected, what was measured, where, and what to do."""
    claim, record, check = judgement.claim, judgement.record, finding.check
    assert record is not None
    path = path or library.examples[check.value.stem].record_path
    cell, gpu = finding.cell, record.builder.gpu or "a CPU"
    found = spoken_cell(check.value.quantity, cell) if cell else "nothing"
    of = f"{check.value} " if len(claim.checks) > 1 else ""
    remedy = REMEDIES[kind].format(stem=check.value.stem, scope=claim.scope.text)
    message = (
        f"expected {of}{check.expect}, measured {found} on {gpu} "
        f"({library.shown(path)}); {remedy}"
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
        control = first.get(claim.control)
        if claim.control and control is None:
            yield _of_claim(claim, f"its control {claim.control!r} is no claim")
        elif control and (control is claim or claim.stems.isdisjoint(control.stems)):
            message = (
                "measures another example" if control is not claim else "is itself"
            )
            yield _of_claim(claim, f"its control {claim.control!r} {message}")
    for note in domain.formerly:
        if note.claim not in first:
            message = f"formerly {note.versions!r}: {note.claim!r} is no claim"
            yield Fault(Kind.CLAIM, message, (note.page, note.line))


def of_sentences(domain: EvidenceDomain) -> Iterator[Fault]:
    """A sentence shows what its claim checks, and checks what it shows and was found."""
    shown = [
        (name, each)
        for name, page in sorted(domain.pages.items())
        for each in page.shown
    ]
    by_claim: dict[str, set[Address]] = defaultdict(set)
    for _, each in shown:
        by_claim[each.claim].add(each.address)
    claims = {claim.id: claim for claim in domain.claims}
    for claim in claims.values():
        if not domain.library.lacks_record(claim.stem):
            for value in sorted({c.value for c in claim.checks} - by_claim[claim.id]):
                message = f"it checks {value}, which its sentence does not show"
                yield _of_claim(claim, message, Kind.UNCHECKED)
    everywhere = {address for claim in claims.values() for address in claim.addresses}
    for name, each in shown:
        linked = each.in_table or name == domain.env.config.root_doc
        known = claims[each.claim].addresses if each.claim in claims else everywhere
        if each.address in known or not domain.library.is_found(each.address):
            continue
        if not each.claim and linked and each.links & claims.keys():
            continue
        remedy = "add ':check:' to it" if each.claim else "claim it, or leave it out"
        what = f"claim {each.claim!r}" if each.claim else "no claim"
        message = f"{each.address} is shown, but {what} checks it: {remedy}"
        yield Fault(Kind.UNCHECKED, message, (name, each.line))


def of_seeds(domain: EvidenceDomain) -> Iterator[Fault]:
    """Seeds that are no statement, stand twice, or are said to be impossible to show."""
    known, problem = domain.sources.statements, domain.sources.problem
    if problem:
        yield Fault(Kind.CLAIM, problem, f"{SOURCES}:1")
        return
    for claim in domain.claims:
        for place, seed in enumerate(claim.seed):
            if seed not in known:
                problem = f"is no statement of {SOURCES}{did_you_mean(seed, known)}"
            elif seed in claim.seed[:place]:
                problem = "is named twice"
            elif known[seed].cannot:
                problem = f"is shown: take its 'cannot' out of {SOURCES}"
            else:
                continue
            yield _of_claim(claim, f"its seed {seed!r} {problem}")


def of_nothing(domain: EvidenceDomain) -> Iterator[Fault]:
    """Nothing of anything is no success."""
    if not domain.library.examples:
        folder = domain.library.folder.name
        yield Fault(Kind.COUNT, f"there is no example in {folder}/")
    if not domain.claims:
        yield Fault(Kind.COUNT, "no page makes a claim")


def of_gallery(domain: EvidenceDomain) -> Iterator[Fault]:
    """Every script has a page, and every page of the gallery a script."""
    library, env = domain.library, domain.env
    gallery = env.config.sphinx_gallery_conf["gallery_dirs"]
    expected = {library.page(stem, gallery) for stem in library.examples}
    found = {page for page in env.found_docs if page.startswith(f"{gallery}/")}
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


def of_upstream(domain: EvidenceDomain) -> Iterator[Fault]:
    """Claims name statements of upstream that are known, and each of these is named."""
    known, unused = domain.upstream, set(domain.upstream)
    for claim in domain.claims:
        names = {*claim.contradicts, *claim.confirms}
        unused -= names
        for name in sorted(names - known.keys()):
            hint = did_you_mean(name, known)
            message = f"claim {claim.id!r}: docs/{UPSTREAM} has no {name!r}{hint}"
            yield Fault(Kind.CLAIM, message, (claim.page, claim.line))
    for name in sorted(unused):
        message = f"no claim contradicts or confirms {name!r}: name it in a claim, or remove it"
        yield Fault(Kind.UNUSED, message, f"docs/{UPSTREAM}:1")


CHECKS = (
    of_examples,
    of_reading,
    of_judgements,
    of_passes,
    of_ids,
    of_sentences,
    of_seeds,
    of_nothing,
    of_gallery,
    of_texts,
    of_uses,
    of_upstream,
)
