"""What the passes of other machines say of the claims of today.

Values are judged by today's claims. What replaced values said is counted, and counts for as long
as the checks of a claim and the code of its examples are what they were then.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from evidence.judge.claim import Check, Claim
from evidence.judge.clear import middles
from evidence.judge.kept import Keys, Passes, Run, Tally, earlier, load
from evidence.judge.verdict import Judgement, Verdict, judge_all
from evidence.records.model import Record
from evidence.records.signed import NOTHING, Signed
from evidence.records.store import RecordError
from evidence.records.versions import series

#: Where passes are kept, from the folder of the pages.
FOLDER: Final = "evidence/passes"

#: A GPU model, and whether its passes were sent in: no keeper of ours signed them.
Kind: TypeAlias = "tuple[str, bool]"

_T = TypeVar("_T")


@dataclass(frozen=True)
class Outcome:
    """How a claim did in the passes of one machine with one PyTorch.

    ``gpu`` is its model, or that of the CPU where there is none; ``series`` the PyTorch (2.11);
    ``verdicts`` counts the passes in which the claim had each verdict; ``keeper`` signed them, or
    nobody of ours.
    """

    claim: str
    machine: str
    gpu: str
    series: str
    verdicts: Counter[Verdict]
    keeper: str = ""

    @property
    def kind(self) -> Kind:
        """What is counted together: what is sent in never counts as ours."""
        return self.gpu, not self.keeper

    @property
    def held(self) -> int:
        """In how many passes it held."""
        return self.verdicts[Verdict.HOLDS]

    @property
    def passes(self) -> int:
        """How many passes there were."""
        return self.verdicts.total()


@dataclass(frozen=True)
class Elsewhere:
    """What the passes of other machines say.

    ``runs`` are those of the files that can be used, each with its machine and keeper; ``outcomes``
    those of each claim, by its id; ``failed`` are claims that did not hold by the values of a file,
    ``doubted`` those that did not in a pass whose values were replaced; ``near`` are checks whose
    bound is not weak for what a pass measured; ``unusable`` are files, and why. ``others`` are the
    judgements by versions of PyTorch that a claim's scope leaves out, by claim and version (2.11),
    from the newest pass with it.
    """

    runs: Sequence[tuple[str, str, Run]] = ()
    outcomes: Mapping[str, Sequence[Outcome]] = field(default_factory=dict)
    failed: Sequence[tuple[Path, Judgement]] = ()
    doubted: Sequence[tuple[Path, Outcome]] = ()
    near: Collection[tuple[str, Check]] = ()
    unusable: Mapping[Path, str] = field(default_factory=dict)
    others: Mapping[str, Mapping[str, Judgement]] = field(default_factory=dict)

    @cached_property
    def kinds(self) -> list[Kind]:
        """The GPU models of the machines that were asked, ours before others."""
        every = (outcome for outcomes in self.outcomes.values() for outcome in outcomes)
        return sorted({outcome.kind for outcome in every})

    @cached_property
    def ours(self) -> set[str]:
        """The versions of PyTorch (2.11) with which a machine of ours ran."""
        return {series(run.builder.torch) for _, keeper, run in self.runs if keeper}

    def by_kind(self, claim: str) -> dict[Kind, list[Outcome]]:
        """How a claim did, by GPU model and whether that was sent in."""
        outcomes: dict[Kind, list[Outcome]] = {}
        for outcome in sorted(self.outcomes.get(claim, ()), key=lambda o: o.kind):
            outcomes.setdefault(outcome.kind, []).append(outcome)
        return outcomes

    def updated(self, newer: Elsewhere, unchanged: Collection[str]) -> Elsewhere:
        """What was read anew of some claims, and what is said here of those that did not change."""

        def same(of: Mapping[str, _T]) -> dict[str, _T]:
            return {claim: said for claim, said in of.items() if claim in unchanged}

        failed = (pair for pair in self.failed if pair[1].claim.id in unchanged)
        doubted = (pair for pair in self.doubted if pair[1].claim in unchanged)
        return replace(
            newer,
            outcomes={**same(self.outcomes), **newer.outcomes},
            failed=[*failed, *newer.failed],
            doubted=[*doubted, *newer.doubted],
            near={pair for pair in self.near if pair[0] in unchanged} | {*newer.near},
            others={**same(self.others), **newer.others},
        )

    def bounded(self, judgement: Judgement) -> Judgement:
        """A judgement in which a bound is weak only if it is for every machine that was asked."""
        findings = []
        for finding in judgement.findings:
            if finding.margin == "weak":
                backed = (judgement.claim.id, finding.check) in self.near
                finding = replace(finding, margin="" if backed else "weak")
            findings.append(finding)
        return replace(judgement, findings=tuple(findings))


def held_of(outcomes: Iterable[Outcome]) -> tuple[int, int]:
    """In how many passes of some machines a claim held, and of how many."""
    every = [*outcomes]
    held = sum(outcome.held for outcome in every)
    return held, sum(outcome.passes for outcome in every)


def read_passes(
    folder: Path, claims: Collection[Claim], keys: Keys, signed: Signed = NOTHING
) -> Elsewhere:
    """Judge claims by all passes in a folder."""
    sent: list[tuple[str, Passes]] = []
    outcomes: dict[str, list[Outcome]] = {}
    failed: list[tuple[Path, Judgement]] = []
    doubted: list[tuple[Path, Outcome]] = []
    near: set[tuple[str, Check]] = set()
    unusable: dict[Path, str] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            passes = load(path)
        except RecordError as error:
            unusable[path] = str(error)
            continue
        keeper = signed.keeper(path)
        sent.append((keeper, passes))
        judgements = [*judge_passes(passes, claims, keys)]
        failed += [(path, j) for j in judgements if j.verdict is not Verdict.HOLDS]
        for judgement in judgements:
            for finding in judgement.findings:
                if finding.verdict is Verdict.HOLDS and finding.margin != "weak":
                    near.add((judgement.claim.id, finding.check))
        before = earlier(passes, claims, keys)
        doubted += [(path, o) for o in _outcomes(passes, before) if o.held < o.passes]
        for outcome in _outcomes(passes, before + tally(judgements), keeper):
            outcomes.setdefault(outcome.claim, []).append(outcome)
    runs = [(passes.machine, by, run) for by, passes in sent for run in passes.runs]
    others = with_other_torch(sent, claims, keys)
    return Elsewhere(runs, outcomes, failed, doubted, near, unusable, others)


def _outcomes(passes: Passes, verdicts: Tally, keeper: str = "") -> Iterator[Outcome]:
    builder = passes.builder
    about = passes.machine, builder.gpu or builder.cpu, series(builder.torch)
    for claim, counts in by_claim(verdicts).items():
        yield Outcome(claim, *about, counts, keeper)


def judge_passes(
    passes: Passes, claims: Collection[Claim], keys: Keys
) -> Iterator[Judgement]:
    """Judge those claims in scope whose examples a run measured as they are now.

    As for ``verify``, a claim whose example failed is missing.
    """
    for run, now in _of_today(passes, keys):
        asked = (claim for claim in claims if claim.stems <= now.keys())
        yield from judge_all((c for c in asked if c.scope.holds_on(run.builder)), now)


def with_other_torch(
    sent: Iterable[tuple[str, Passes]], claims: Iterable[Claim], keys: Keys
) -> dict[str, dict[str, Judgement]]:
    """What passes say of claims whose scope leaves out nothing of them but their PyTorch.

    What is sent in says nothing where one of ours did.
    """
    bound = [claim for claim in claims if "torch" in claim.scope.text]
    by_day = [
        ((bool(keeper), run.day), run.builder, now)
        for keeper, passes in sent
        for run, now in _of_today(passes, keys)
    ]
    others: dict[str, dict[str, Judgement]] = defaultdict(dict)
    for _, builder, now in sorted(by_day, key=lambda run: run[0]):
        for claim in bound:
            wide = claim.scope.of_any_torch
            if claim.scope.holds_on(builder) or not wide.holds_on(builder):
                continue
            if claim.stems <= now.keys():
                (judgement,) = judge_all([replace(claim, scope=wide)], now)
                told = replace(judgement, record=None)
                others[claim.id][series(builder.torch)] = told
    return others


def _of_today(passes: Passes, keys: Keys) -> Iterator[tuple[Run, dict[str, Record]]]:
    """Each run, and what it measured of examples as they are now."""
    for run, records in zip(passes.runs, passes.records, strict=True):
        now = {s: r for s, r in records.items() if r.code_key == keys.get(s)}
        yield run, middles(now, now)


def tally(judgements: Iterable[Judgement]) -> Tally:
    """How often each claim had which verdict."""
    return Counter((each.claim.id, each.verdict) for each in judgements)


def by_claim(verdicts: Tally) -> dict[str, Counter[Verdict]]:
    """How often each verdict was given, by claim."""
    counts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for (claim, verdict), count in verdicts.items():
        counts[claim][verdict] = count
    return counts
