"""What is wrong with the claims of a site that was read: pure, and tested without a build."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from evidence.judge.claim import Claim
from evidence.judge.facts import SOURCES, UPSTREAM
from evidence.judge.verdict import Finding, Judgement, Verdict
from evidence.records.address import Address, did_you_mean
from evidence.records.units import spoken_cell
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain, Shown

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
            if kind := _kind(finding, claim, domain):
                path = library.examples[finding.check.value.stem].record_path
                yield _measured(judgement, finding, kind, library.shown(path))


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
            line = text.partition(stem)[0].count("\n") + 1 if stem in text else 1
            hint = f"{bare_words}{did_you_mean(stem, examples)}"
            message = f"nothing was measured as {stem!r}{hint}"
            yield Fault(Kind.CLAIM, message, (name, line))


def _kind(finding: Finding, claim: Claim, domain: EvidenceDomain) -> Kind | None:
    """What is wrong with a check that was judged."""
    if finding.verdict in (Verdict.DIVERGED, Verdict.NOISY):
        return Kind(finding.verdict.value)
    if finding.verdict is Verdict.OUT_OF_SCOPE:
        return Kind.SCOPE
    # A live build judges the band, not where its own interval fell.
    if finding.margin and domain.site.library.examples[claim.stem].mode == "replayed":
        return Kind(finding.margin)
    return None


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
                yield _measured(judgement, finding, Kind.ELSEWHERE, where)
    for path, earlier in domain.judged.elsewhere.doubted:
        held = f"held in {earlier.held} of {earlier.passes} earlier passes"
        where = f"on {earlier.gpu} ({library.shown(path)})"
        message = f"{held} {where}; {REMEDIES[Kind.ELSEWHERE]}"
        claim = domain.judged.by_id[earlier.claim].claim
        yield _of_claim(claim, message, Kind.ELSEWHERE)


def _measured(judgement: Judgement, finding: Finding, kind: Kind, where: str) -> Fault:
    """What is expected, what was measured, where, and what to do."""
    claim, record, check = judgement.claim, judgement.record, finding.check
    assert record is not None
    cell, gpu = finding.cell, record.builder.gpu or "a CPU"
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
    """Ids that are given twice, and references to ids that are given to nothing."""
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


def of_sentences(domain: EvidenceDomain) -> Iterator[Fault]:
    """The sentence of a claim shows each value that it checks."""
    by_claim: dict[str, set[Address]] = defaultdict(set)
    for _, each in _shown(domain):
        by_claim[each.claim].add(each.address)
    for claim in {claim.id: claim for claim in domain.claims}.values():
        for value in sorted({c.value for c in claim.checks} - by_claim[claim.id]):
            if value.stem in domain.site.library.records:
                message = f"it checks {value}, which its sentence does not show"
                yield _of_claim(claim, message, Kind.UNCHECKED)


def of_shown(domain: EvidenceDomain) -> Iterator[Fault]:
    """What is shown and was found is checked: in a sentence by its claim, else by a claim."""
    claims = {claim.id: claim for claim in domain.claims}
    everywhere = {address for claim in claims.values() for address in claim.addresses}
    for name, each in _shown(domain):
        address, given = each.address, not domain.site.library.is_found(each.address)
        links = each.links if each.row or name == domain.env.config.root_doc else ()
        near = [claims[claim] for claim in {each.claim, *links} & claims.keys()]
        is_about = any(address.stem in claim.stems for claim in near)
        fits = given or is_about or (address in everywhere and not near)
        if mine := claims.get(each.claim):
            rows = {other.row for other in mine.addresses}
            fits = given and is_about and (not address.is_key or address.row in rows)
        if not fits and not (mine and address in mine.addresses):
            what, remedy = "no claim here", "claim it, or leave it out"
            if each.claim:
                what, remedy = f"claim {each.claim!r}", "add ':check:' to it"
            message = f"{address} is shown, but {what} checks it: {remedy}"
            yield Fault(Kind.UNCHECKED, message, (name, each.line))


def _shown(domain: EvidenceDomain) -> Iterator[tuple[str, Shown]]:
    """What each page shows, with its name."""
    for name, page in sorted(domain.pages.items()):
        yield from ((name, each) for each in page.shown)


def of_tables(domain: EvidenceDomain) -> Iterator[Fault]:
    """A row of a table shows one row of a sweep or one of its columns, and nothing again."""
    by_sweep: dict[tuple[str, str, str], list[Shown]] = defaultdict(list)
    for name, each in _shown(domain):
        if not each.row or not each.address.row:
            continue
        one, earlier = each.address, by_sweep[name, each.address.stem, each.address.top]
        for two, other in ((other.address, other) for other in earlier):
            mixed = each.row == other.row and one.row != two.row
            if mixed and one.quantity != two.quantity:
                message = f"{one} does not belong into this row: it shows {two}"
            elif (
                one == two
                and each.row != other.row
                and domain.site.library.is_found(one)
            ):
                message = f"{one} is shown in two rows: here, and in line {other.line}"
            else:
                continue
            yield Fault(Kind.UNCHECKED, message, (name, each.line))
        earlier.append(each)


def of_seeds(domain: EvidenceDomain) -> Iterator[Fault]:
    """Seeds that are no statement, stand twice, or are said to be impossible to show."""
    known = domain.site.sources.statements
    for claim in domain.claims:
        for seed in claim.seed:
            if seed not in known:
                hint = did_you_mean(seed, known)
                yield _of_claim(claim, f"{SOURCES} has no {seed!r}{hint}")
            elif known[seed].cannot:
                remedy = f"take its 'cannot' out of {SOURCES}"
                yield _of_claim(claim, f"its seed {seed!r} is shown: {remedy}")


def of_upstream(domain: EvidenceDomain) -> Iterator[Fault]:
    """Claims name statements of upstream that are known; each is named, and so is each claim."""
    known, unused = domain.site.upstream, set(domain.site.upstream)
    for claim in domain.claims:
        names = {*claim.contradicts, *claim.confirms}
        unused -= names
        for name in sorted(names - known.keys()):
            hint = did_you_mean(name, known)
            yield _of_claim(claim, f"docs/{UPSTREAM} has no {name!r}{hint}")
    for name in sorted(unused):
        message = f"no claim contradicts or confirms {name!r}: name it in a claim, or remove it"
        yield Fault(Kind.UNUSED, message, f"docs/{UPSTREAM}:1")
    ids = {claim.id for claim in domain.claims}
    for name in sorted(domain.site.formerly.keys() - ids):
        message = f"formerly.{name}: there is no such claim{did_you_mean(name, ids)}"
        yield Fault(Kind.CLAIM, message, f"docs/{UPSTREAM}:1")


CHECKS = (
    *(of_names, of_judgements, of_passes, of_ids, of_sentences, of_shown),
    *(of_tables, of_seeds, of_upstream),
)
