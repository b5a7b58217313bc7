"""The end of reading: every claim is judged once, in every build, and every fault reported.

A warning that is raised while a page is read is gone in the next incremental build, because the
page is not read again. So the pages only collect, and a listener here judges what they collected.

What must be as many, is: scripts, records, pages; claims in the text, read and judged. The
expected sets come from parsing files, never from the run that they check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from evidence.judge.claim import Claim
from evidence.judge.clear import middles
from evidence.judge.passes import FOLDER, Elsewhere, read_passes
from evidence.judge.verdict import Verdict, judge_all
from evidence.records.address import did_you_mean
from evidence.records.signed import PROGRAM
from evidence.site.diagnostics import Fault, Kind, inform, warn
from evidence.site.domain import EvidenceDomain, Judged, evidence_of
from evidence.site.judging import claim_faults, outdated
from evidence.site.judging.sentence_faults import of_sentences
from evidence.site.publish.chinese import WORDS


def of_examples(domain: EvidenceDomain) -> Iterator[Fault]:
    """Examples that cannot be read, have no usable record, or changed since they have."""
    library = domain.site.library
    for stem, example in library.examples.items():
        remedy = (
            f"record it with 'nox -s record -- {stem}' on a machine with a GPU, or take what was "
            "committed, or what the GPU builder's next run measures"
        )
        if example.script is None:
            message = example.problem
        elif example.stale:
            message = f"the code changed since its record; {remedy}"
        elif example.record is None:
            path = library.shown(example.record_path)
            message = f"{path} {example.problem}; {remedy}"
        else:
            continue
        kind = Kind.STALE if example.stale else Kind.RECORD
        # With a line, or Sphinx takes it for a page.
        yield Fault(kind, message, f"{library.shown(example.path)}:1")


def of_records(domain: EvidenceDomain) -> Iterator[Fault]:
    """A record without a script was left behind when that was renamed or removed."""
    library = domain.site.library
    for path in sorted(library.folder.rglob("*.json")):
        if not path.with_suffix(".py").exists():
            message = (
                "is the record of no example: rename it with its script, or remove it"
            )
            yield Fault(Kind.RECORD, message, f"{library.shown(path)}:1")


def of_signatures(domain: EvidenceDomain) -> Iterator[Fault]:
    """Lists that their keeper did not sign as they are, and files that changed since."""
    if not domain.site.signed.is_checked:
        inform(f"signatures were not checked: there is no {PROGRAM}")
    for path, wrong in domain.site.signed.faults:
        place = domain.site.library.shown(path)
        yield Fault(Kind.RECORD, f"{place}: {wrong}", f"{place}:1")


def of_reading(domain: EvidenceDomain) -> Iterator[Fault]:
    """What was noted while pages were read."""
    for _, page in sorted(domain.pages.items()):
        yield from page.faults


def of_nothing(domain: EvidenceDomain) -> Iterator[Fault]:
    """Nothing of anything is no success."""
    if not domain.site.library.examples:
        folder = domain.site.library.folder.name
        yield Fault(Kind.COUNT, f"there is no example in {folder}/")
    if not domain.claims:
        yield Fault(Kind.COUNT, "no page makes a claim")


def of_gallery(domain: EvidenceDomain) -> Iterator[Fault]:
    """Every script has a page, and every page of the gallery a script."""
    library, gallery = domain.site.library, domain.site.gallery
    expected = {library.page(stem, gallery) for stem in library.examples}
    pages = {page for page in domain.env.found_docs if page.startswith(f"{gallery}/")}
    for page in sorted(expected - pages):
        script = page.partition("/")[2]
        yield Fault(Kind.COUNT, f"the example {script}.py has no page")
    for page in sorted(pages - expected):
        if not page.endswith("/index"):
            message = f"{page} is the page of no example; remove the folder {gallery}/"
            yield Fault(Kind.COUNT, message, page)


def of_texts(domain: EvidenceDomain) -> Iterator[Fault]:
    """The claims in the text of the pages are those that the build read, and verify reads."""
    for name, page in sorted(domain.pages.items()):
        if page.faults:
            continue  # a claim that cannot be understood is not built, and reported
        built = {claim.id: claim.line for claim in page.claims}
        for claim in sorted(built.keys() - page.in_text):
            where = "not in the text: write its checks on a page in .md"
            message = f"claim {claim!r} is built, but {where}"
            yield Fault(Kind.COUNT, message, (name, built[claim]))
        for claim in sorted(page.in_text - built.keys()):
            message = f"claim {claim!r} is in the text, but was not built"
            yield Fault(Kind.COUNT, message, (name, 1))


def of_uses(domain: EvidenceDomain) -> Iterator[Fault]:
    """Evidence that nobody cites is a mistake as well: a claim went, its measurement stayed."""
    library = domain.site.library
    uses = {address for page in domain.pages.values() for address in page.uses}
    used = {(address.stem, address.top) for address in uses}
    for stem, record in library.records.items():
        for name in record.measured:
            if (stem, name) not in used:
                message = f"{stem}.{name} was measured, but nothing uses it"
                place = f"{library.shown(library.examples[stem].path)}:1"
                yield Fault(Kind.UNUSED, message, place)


def of_redirects(domain: EvidenceDomain) -> Iterator[Fault]:
    """Old addresses that lead nowhere, or are pages still."""
    pages, place = domain.env.found_docs, "docs/redirects.toml:1"
    for old, new in domain.site.redirects.items():
        if new not in pages:
            message = f"{old!r} leads to {new!r}, which is no page"
            yield Fault(Kind.COUNT, f"{message}{did_you_mean(new, pages)}", place)
        if old in pages:
            yield Fault(Kind.COUNT, f"{old!r} is a page, and leads to none", place)


def of_searched(domain: EvidenceDomain) -> Iterator[Fault]:
    """Words that a translation's readers search for are those of a page, and of a place on it."""
    place = f"conf/{WORDS.format(language=domain.env.config.language)}:1"
    for name, words in domain.site.searched.items():
        if name not in domain.pages:
            hint = did_you_mean(name, domain.pages)
            yield Fault(Kind.MARKUP, f"{name!r} is no page{hint}", place)
            continue
        known = {"lead", *(passage.anchor for passage in domain.pages[name].passages)}
        for key in sorted(words.keys() - known):
            message = f"{name}: {key!r} is no claim or section of this page"
            yield Fault(Kind.MARKUP, f"{message}{did_you_mean(key, known)}", place)


CHECKS = (
    *(of_examples, of_records, of_signatures, of_reading, *claim_faults.CHECKS),
    *(of_sentences, of_nothing, of_gallery, of_texts, of_uses, of_redirects),
    of_searched,
)


def on_env_updated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Judge and count; gives the pages to write again."""
    domain = evidence_of(env)
    library, claims = domain.site.library, domain.claims
    judgements = []
    live = {stem for stem, e in library.examples.items() if e.mode == "measured"}
    records = middles(library.records, live)
    for judgement in judge_all(claims, records, library.stale):
        if judgement.problem:
            place = judgement.claim.page, judgement.claim.line
            warn(Kind.CLAIM, judgement.problem, place)
        else:
            judgements.append(judgement)
    keys = {e.stem: e.script.code_key for e in library.examples.values() if e.script}
    asked = [judgement.claim for judgement in judgements]
    elsewhere = _elsewhere(domain, Path(app.srcdir, FOLDER), asked, keys)
    contradicting = claims_by(domain.site.upstream, claims, attrgetter("contradicts"))
    judged = Judged(
        judgements=[elsewhere.bounded(judgement) for judgement in judgements],
        elsewhere=elsewhere,
        contradicting={name: of for name, of in contradicting.items() if of},
        about=claims_by(domain.site.sources.statements, claims, attrgetter("seed")),
    )
    domain.close(judged)
    for check in CHECKS:
        for fault in check(domain):
            warn(*fault)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in judged.judgements)
    inform(f"{len(claims)} claims judged, {held} hold")
    return outdated.pages(app)


def _elsewhere(
    domain: EvidenceDomain, folder: Path, claims: list[Claim], keys: Mapping[str, str]
) -> Elsewhere:
    """What kept passes say; a build that goes on asks them of claims that changed alone."""
    elsewhere: Elsewhere
    before, of_keys, elsewhere = domain.data["elsewhere"]
    # Where a pass changed, a build starts clean.
    if claims != before or keys != of_keys:
        same = {*claims} & {*before} if keys == of_keys else set[Claim]()
        changed = [claim for claim in claims if claim not in same]
        newer = read_passes(folder, changed, keys, domain.site.signed)
        elsewhere = elsewhere.updated(newer, {claim.id for claim in same})
        domain.data["elsewhere"] = claims, keys, elsewhere
    return elsewhere


def claims_by(
    names: Iterable[str],
    claims: Iterable[Claim],
    naming: Callable[[Claim], Iterable[str]],
) -> dict[str, list[Claim]]:
    """The claims that name something, for each of the names, in their order."""
    by_name: dict[str, list[Claim]] = {name: [] for name in names}
    for claim in claims:
        for name in by_name.keys() & naming(claim):
            by_name[name].append(claim)
    return by_name
