"""What is wrong with the claims of a site that was read: pure, and tested without a build."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from evidence.judge.claim import Claim
from evidence.judge.facts import SOURCES, UPSTREAM
from evidence.judge.verdict import Finding, Verdict
from evidence.records.address import did_you_mean
from evidence.records.model import Record
from evidence.records.units import spoken_cell
from evidence.records.versions import release, series
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain
from evidence.site.parts import Shown

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
    Kind.SCOPE: "the scope {scope!r} leaves out its own record: correct it",
}


def of_judgements(domain: EvidenceDomain) -> Iterator[Fault]:
    """Claims that do not hold, or whose bound will not on the next machine, or says little."""
    library = domain.site.library
    for judgement in domain.judged.judgements:
        claim = judgement.claim
        for finding in judgement.findings:
            if kind := _kind(finding, domain):
                example = library.examples[finding.check.value.stem]
                where = library.shown(example.record_path)
                yield _measured(claim, finding, kind, example.record, where)


def of_names(domain: EvidenceDomain) -> Iterator[Fault]:
    """Examples that do not exist: each once for a page, at the first line that names it."""
    examples = domain.site.library.examples
    # One of these may be what was meant, under a new name.
    bare = [stem for stem, example in examples.items() if example.record is None]
    bare_words = f" ({', '.join(bare[:3])}: no record)" if bare else ""
    for name, page in sorted(domain.pages.items()):
        stems = {address.stem for address in page.uses} - examples.keys()
        text = Path(domain.env.doc2path(name)).read_text("utf-8") if stems else ""
        for stem in sorted(stems):
            # Without its example, an address has no stem.
            before = text.partition(stem)[0] if stem and stem in text else ""
            line = before.count("\n") + 1
            hint = f"{bare_words}{did_you_mean(stem, examples)}"
            message = f"nothing was measured as {stem!r}{hint}"
            yield Fault(Kind.CLAIM, message, (name, line))


def _kind(finding: Finding, domain: EvidenceDomain) -> Kind | None:
    """What is wrong with a check that was judged."""
    if finding.verdict in (Verdict.DIVERGED, Verdict.NOISY):
        return Kind(finding.verdict.value)
    kind = Kind.SCOPE if finding.verdict is Verdict.OUT_OF_SCOPE else finding.margin
    if not kind:
        return None
    # A live build judges the band, not where its own interval fell, and on any machine.
    examples = domain.site.library.examples
    modes = {examples[address.stem].mode for address in finding.check.addresses}
    return Kind(kind) if modes == {"replayed"} else None


def of_passes(domain: EvidenceDomain) -> Iterator[Fault]:
    """Files of passes that cannot be used, and claims that did not hold in one."""
    library = domain.site.library
    for path, problem in domain.judged.elsewhere.unusable.items():
        shown = library.shown(path)
        message = f"{shown} {problem}; remove it, or ask its sender for it again"
        yield Fault(Kind.ELSEWHERE, message, f"{shown}:1")
    for path, judgement in domain.judged.elsewhere.failed:
        for finding in judgement.findings:
            if finding.verdict is not Verdict.HOLDS:
                where = library.shown(path)
                yield _measured(
                    judgement.claim, finding, Kind.ELSEWHERE, judgement.record, where
                )
    for path, earlier in domain.judged.elsewhere.doubted:
        held = f"held in {earlier.held} of {earlier.passes} earlier passes"
        where = f"on {earlier.gpu} ({library.shown(path)})"
        message = f"{held} {where}; {REMEDIES[Kind.ELSEWHERE]}"
        claim = domain.judged.by_id[earlier.claim].claim
        yield _of_claim(claim, message, Kind.ELSEWHERE)


def _measured(
    claim: Claim, finding: Finding, kind: Kind, record: Record | None, where: str
) -> Fault:
    """What is expected, what was measured, where, and what to do.

    :param record: the one that the check rests on, as others may be of another machine
    """
    assert record is not None
    check, cell = finding.check, finding.cell
    gpu = record.builder.gpu or "a CPU"
    found = spoken_cell(check.value.quantity, cell) if cell else "nothing"
    of = f"{check.value} " if len(claim.checks) > 1 else ""
    remedy = REMEDIES[kind].format(stem=check.value.stem, scope=claim.scope.text)
    message = (
        f"expected {of}{check.expect}, measured {found} on {gpu} ({where}); {remedy}"
    )
    return _of_claim(claim, message, kind)


def _of_claim(claim: Claim, message: str, kind: Kind = Kind.CLAIM) -> Fault:
    return Fault(kind, f"claim {claim.id!r}: {message}", (claim.page, claim.line))


def of_ids(domain: EvidenceDomain) -> Iterator[Fault]:
    """Ids that are given twice, and controls that are no other claim of the same example."""
    first: dict[str, Claim] = {}
    for claim in domain.claims:
        other = first.setdefault(claim.id, claim)
        if other is not claim:
            where = f"here, and at {other.page}:{other.line}"
            remedy = "give the newer one an id of its own"
            yield _of_claim(claim, f"it stands twice: {where}; {remedy}")
    for claim in domain.claims:
        control = first.get(claim.control, claim)
        apart = claim.stems.isdisjoint(control.stems)
        if claim.control and (apart or control == claim):
            what = "is no other claim that measures the same example"
            yield _of_claim(claim, f"its control {claim.control!r} {what}")


def of_versions(domain: EvidenceDomain) -> Iterator[Fault]:
    """A claim that compares examples compares nothing where they ran on unlike versions."""
    records = domain.site.library.records
    for claim in domain.claims:
        measured = sorted(claim.stems & records.keys())
        torch = {stem: series(records[stem].builder.torch) for stem in measured}
        if len(versions := sorted(set(torch.values()), key=release)) > 1:
            older = [stem for stem in measured if torch[stem] != versions[-1]]
            remedy = f"record {', '.join(older)} with {versions[-1]} as well"
            message = f"it compares records of torch {' and '.join(versions)}"
            yield _of_claim(claim, f"{message}: {remedy}")


def of_shown(domain: EvidenceDomain) -> Iterator[Fault]:
    """What is shown and was found is checked: in a sentence by its claim, else by a claim."""
    claims = {claim.id: claim for claim in domain.claims}
    everywhere = {address for claim in claims.values() for address in claim.addresses}
    for name, shown in _shown(domain):
        address = shown.address
        given = not domain.site.library.is_found(address)
        links = shown.links if shown.row else ()
        near = [claims[claim] for claim in {shown.claim, *links} & claims.keys()]
        is_about = any(address.stem in claim.stems for claim in near)
        if mine := claims.get(shown.claim):
            rows = {other.row for other in mine.addresses}
            in_row = not address.is_key or address.row in rows
            fits = address in mine.addresses or (given and is_about and in_row)
        else:
            fits = given or is_about or (address in everywhere and not near)
            if beside := [claims[c] for c in shown.beside & claims.keys()]:
                linked = [claims[c] for c in shown.links & claims.keys()]
                told = (c.addresses for c in [*beside, *linked])
                fits = given or any(address in values for values in told)
        if not fits:
            message = f"{address} is shown, but no claim here checks it: claim it, or leave it out"
            if shown.claim:
                message = (
                    f"{address} is shown in claim {shown.claim!r}, which does not check it: add a "
                    f"line 'label: {address} expectation' to its checks, or leave it out"
                )
            yield Fault(Kind.UNCHECKED, message, (name, shown.line))


def _shown(domain: EvidenceDomain) -> Iterator[tuple[str, Shown]]:
    """What each page shows, with its name."""
    for name, page in sorted(domain.pages.items()):
        for shown in page.shown:
            yield name, shown


def of_tables(domain: EvidenceDomain) -> Iterator[Fault]:
    """A row of a table shows one row of a sweep or one of its columns, and nothing again."""
    by_sweep: dict[tuple[str, str, str], list[Shown]] = defaultdict(list)
    for name, shown in _shown(domain):
        one = shown.address
        if not shown.row or not one.row:
            continue
        earlier = by_sweep[name, one.stem, one.top]
        for other in earlier:
            two, same_row = other.address, shown.row == other.row
            if same_row and one.row != two.row and one.quantity != two.quantity:
                message = f"{one} does not belong into this row: it shows {two}"
                yield Fault(Kind.UNCHECKED, message, (name, shown.line))
            elif one == two and not same_row and domain.site.library.is_found(one):
                message = f"{one} is shown in two rows: here, and in line {other.line}"
                yield Fault(Kind.UNCHECKED, message, (name, shown.line))
        earlier.append(shown)


def of_statements(domain: EvidenceDomain) -> Iterator[Fault]:
    """Claims name statements that are known; those of upstream are each named by one."""
    seeds, upstream = domain.site.sources.statements, domain.site.upstream
    unused, place = set(upstream), f"docs/{UPSTREAM}:1"
    for claim in domain.claims:
        named = {*claim.contradicts, *claim.confirms}
        unused -= named
        for seed in claim.seed:
            if seed not in seeds:
                hint = did_you_mean(seed, seeds)
                yield _of_claim(claim, f"{SOURCES} has no {seed!r}{hint}")
            elif seeds[seed].cannot:
                remedy = f"take its 'cannot' out of {SOURCES}"
                yield _of_claim(claim, f"its seed {seed!r} is shown: {remedy}")
        for name in sorted(named - upstream.keys()):
            hint = did_you_mean(name, upstream)
            yield _of_claim(claim, f"docs/{UPSTREAM} has no {name!r}{hint}")
    for name in sorted({n for claim in domain.claims for n in claim.contradicts}):
        if name in upstream and not upstream[name].fault:
            message = f"{name!r} is contradicted: say in its 'fault' where the two part"
            yield Fault(Kind.CLAIM, message, place)
    for name in sorted(unused):
        message = f"no claim contradicts or confirms {name!r}: name it in a claim, or remove it"
        yield Fault(Kind.UNUSED, message, place)
    ids = {claim.id for claim in domain.claims}
    for name in sorted(domain.site.formerly.keys() - ids):
        message = f"formerly.{name}: there is no such claim{did_you_mean(name, ids)}"
        yield Fault(Kind.CLAIM, message, place)


CHECKS = (
    *(of_names, of_judgements, of_passes, of_ids, of_versions),
    *(of_shown, of_tables, of_statements),
)
