"""What ``verify`` is asked, and found: claims judged in every pass, in lines and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import to_builtins

from evidence.commands import CommandError, columns
from evidence.judge.claim import Claim, read_claims
from evidence.judge.passes import SCHEMA
from evidence.judge.verdict import WORST, Judgement, Verdict, judge_all, unjudged
from evidence.measure.campaign import Failure, Recording
from evidence.records import wire
from evidence.records.address import Address, Records
from evidence.records.compare import spoken_cell, spoken_value
from evidence.records.model import Builder

#: The folder of generated pages, which state nothing of their own.
GENERATED = "gallery"


def questions(
    docs: Path, expressions: Sequence[str], stems: Collection[str]
) -> list[Claim]:
    """The claims of the pages that an expression selects, by page and line.

    :param expressions: parts of an id, a page or a stem, of which any will do; none selects all
    :param stems: the examples that exist
    :raises CommandError: when a claim is written wrongly, or none is selected
    """
    chosen: list[Claim] = []
    problems: list[str] = []
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if page.startswith(f"{GENERATED}/"):
            continue
        claims, wrong = read_claims(path.read_text("utf-8"), page)
        place = f"{docs.name}/{page}.md"
        problems += [f"{place}:{line}: {text}" for line, text in wrong]
        for claim in (claim for claim in claims if _is_selected(claim, expressions)):
            chosen.append(claim)
            problems += [
                f"{place}:{claim.line}: claim {claim.id!r}: no example is called {stem}"
                for stem in sorted(claim.stems - set(stems))
            ]
    if problems:
        raise CommandError("\n".join(["some claims cannot be judged", *problems]))
    if not chosen:
        wanted = " or ".join(map(repr, expressions))
        selected = f" with {wanted} in its id, page or example" if wanted else ""
        raise CommandError(f"there is no claim in {docs}{selected}")
    return chosen


def _is_selected(claim: Claim, expressions: Sequence[str]) -> bool:
    within = (claim.id, claim.page, claim.stem)
    return not expressions or any(e in text for e in expressions for text in within)


HEADER = ("claim", "expected", "recorded", "yours", "verdict")

#: What one pass over the examples gave so far, by stem.
Pass: TypeAlias = "MutableMapping[str, Recording | Failure]"


@dataclass(frozen=True)
class Answer:
    """A claim, what the records say, and a judgement for each pass that came to it.

    ``problems`` say why it fits nothing that was measured.
    """

    claim: Claim
    records: Records
    judgements: tuple[Judgement, ...]
    problems: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of all passes: the worst."""
        found = (judgement.verdict for judgement in self.judgements)
        return min(found, key=WORST.index, default=Verdict.OUT_OF_SCOPE)


def answer(
    claim: Claim, passes: Iterable[Pass], builder: Builder, committed: Records
) -> Answer:
    """Judge a claim in every pass that has finished the examples it rests on."""
    judgements: list[Judgement] = []
    problems: list[str] = []
    for found in passes:
        if not claim.scope.holds_on(builder):
            judgements.append(unjudged(claim, Verdict.OUT_OF_SCOPE))
        elif claim.stems <= found.keys():
            made = (r.record for r in found.values() if isinstance(r, Recording))
            judged, wrong = judge_all([claim], {record.stem: record for record in made})
            judgements += judged or [unjudged(claim, Verdict.MISSING)]
            problems += [problem for _, problem in wrong]
    return Answer(claim, committed, tuple(judgements), tuple(problems))


def verified(answers: Iterable[Answer]) -> bool:
    """Whether every claim in scope held in every pass, and there was one."""
    verdicts = {answer.verdict for answer in answers} - {Verdict.OUT_OF_SCOPE}
    return verdicts == {Verdict.HOLDS}


def table(answers: Sequence[Answer]) -> list[str]:
    """One line for each check of a claim, under a header."""
    rows = [line for answer in answers for line in _lines(answer)]
    return columns([HEADER, *rows]) if rows else []


def _lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """One line for each check; of several each names its value."""
    claim = answer.claim
    for number, check in enumerate(claim.checks):
        what = f"{check.value.name} " if len(claim.checks) > 1 else ""
        found = [judgement.findings[number] for judgement in answer.judgements]
        cells = [finding.cell for finding in found if finding.cell is not None]
        yours = dict.fromkeys(spoken_cell(check.value.quantity, c) for c in cells)
        yield (
            "" if number else claim.id,
            f"{what}{check.expect}",
            _recorded(check.value, answer.records),
            ", ".join(yours) or "–",
            _counted([finding.verdict for finding in found]),
        )


def _recorded(address: Address, records: Records) -> str:
    record = records.get(address.stem)
    if record is None or address.name not in record.cells:
        return "no record"
    spoken = spoken_value(address.quantity, record.cells[address.name])
    return f"{spoken} ({record.builder.gpu or 'a CPU'})"


def _counted(verdicts: Collection[Verdict]) -> str:
    """Several verdicts, the most frequent first; of one the verdict alone."""
    found = Counter(verdict.value for verdict in verdicts).most_common()
    if len(verdicts) == 1:
        return found[0][0]
    return ", ".join(f"{count} {verdict}" for verdict, count in found)


def failures(passes: Sequence[Pass], answers: Iterable[Answer]) -> list[str]:
    """Examples that failed, with their cause, and claims that fit nothing measured."""
    results = [result for found in passes for result in found.values()]
    counted = Counter(str(result) for result in results if isinstance(result, Failure))
    counted.update(problem for answer in answers for problem in answer.problems)
    return [f"FAILED in {n} of {len(passes)} passes: {t}" for t, n in counted.items()]


def summary(answers: Sequence[Answer]) -> str:
    """How many claims there are of each verdict."""
    verdicts = [answer.verdict for answer in answers]
    return f"{len(answers)} claims: {_counted(verdicts)}"


def as_data(
    answers: Iterable[Answer], passes: Iterable[Pass], builder: Builder
) -> dict[str, Any]:
    """What a file of passes says of them; the verdicts are for people."""
    return {
        "schema": SCHEMA,
        "builder": to_builtins(builder),
        "passes": [
            {stem: _entry(result) for stem, result in found.items()} for found in passes
        ],
        "claims": {
            a.claim.id: [j.verdict.value for j in a.judgements] for a in answers
        },
    }


def _entry(result: Recording | Failure) -> dict[str, Any]:
    made = result.record.measured if isinstance(result, Recording) else {}
    return {"code_key": result.script.code_key, "measured": wire.wrapped(made)}
