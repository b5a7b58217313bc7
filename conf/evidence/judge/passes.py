"""Passes: what ``verify`` measured on one machine, as a file that can be sent and kept.

It holds what was measured, in the form of a record, and of which code: today's claims are judged
by that. The verdicts in it are what its sender saw: they are shown, and nothing else reads them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from evidence.judge.claim import Check, Claim
from evidence.judge.verdict import Judgement, Verdict, judge_all
from evidence.records import store, wire
from evidence.records.model import Builder, Date, Part, Record, Sha256

SCHEMA: Final = 2
#: Three passes over all examples of this site take two thirds of it.
MAX_BYTES: Final = 20_000_000
#: Where they are kept, from the folder of the pages.
FOLDER: Final = "evidence/passes"

#: What only a record has.
_REST: Any = {"names": {}, "typical": 0, "schema": 1} | dict.fromkeys(
    ("outputs", "figures", "processes"), ()
)


class Entry(Part, frozen=True):
    """What one example measured in one pass: nothing where it failed."""

    code_key: Sha256
    measured: wire.Measured


class Passes(Part, frozen=True, kw_only=True, dict=True):
    """The passes of one machine and day, each by the stems of the examples that it ran.

    ``machine`` is a random id; ``commit`` what pages and examples were checked out from, empty
    where git does not tell; ``claims`` the verdicts of each pass.
    """

    schema: Literal[2]
    machine: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    day: Date
    commit: Annotated[str, Meta(pattern="^([0-9a-f]{40,64}(-dirty)?)?$")]
    builder: Builder
    passes: tuple[dict[str, Entry], ...]
    claims: dict[str, tuple[str, ...]]
    checksum: Sha256

    def __post_init__(self) -> None:
        if not self.runs:  # nor can a value be wrong that a record could not hold
            raise ValueError("there is no pass")

    @cached_property
    def runs(self) -> list[dict[str, Record]]:
        """The passes, each as the records of its examples."""
        return [{s: self._record(s, e) for s, e in p.items()} for p in self.passes]

    def _record(self, stem: str, entry: Entry) -> Record:
        own: Any = {"stem": stem, "measured": wire.unpacked(entry.measured)}
        same = {"builder": self.builder, "recorded": self.day, **_REST}
        return Record(code_key=entry.code_key, **own, **same)


DECODER = msgspec.json.Decoder(Passes)


def load(path: Path) -> Passes:
    """Read a file of passes and check that it is whole.

    :raises RecordError: when it is not, or is not called by its machine and day
    """
    reason = ": without code keys nothing tells which code was measured"
    found = store.unseal(store.read(path, MAX_BYTES), DECODER.decode, SCHEMA, reason)
    if path.name != (name := f"{found.machine}-{found.day}.json"):
        raise store.RecordError(f"is to be called {name}, by its machine and day")
    return found


@dataclass
class Elsewhere:
    """What the passes of other machines say.

    ``sent`` are the files that can be used;
    ``verdicts`` are those of each claim, by GPU model and machine; ``failed`` has a claim once for
    each file in which it did not hold; ``near`` are checks whose bound is not weak for what a pass
    measured; ``unusable`` are files, and why.
    """

    sent: list[Passes] = field(default_factory=list)
    verdicts: dict[str, dict[str, dict[str, list[str]]]] = field(default_factory=dict)
    failed: dict[tuple[Path, str], Judgement] = field(default_factory=dict)
    near: set[tuple[str, Check]] = field(default_factory=set)
    unusable: dict[Path, str] = field(default_factory=dict)

    def bounded(self, judgement: Judgement) -> Judgement:
        """A judgement in which a bound is weak only if it is for every machine that was asked."""
        claim, findings = judgement.claim.id, []
        for found in judgement.findings:
            backed = found.margin == "weak" and (claim, found.check) in self.near
            findings.append(replace(found, margin="") if backed else found)
        return replace(judgement, findings=tuple(findings))


def read_passes(
    folder: Path, claims: Collection[Claim], keys: Mapping[str, str]
) -> Elsewhere:
    """Judge claims by all passes in a folder.

    :param keys: the code keys of the examples as they are now, by stem
    """
    found = Elsewhere()
    for path in sorted(folder.glob("*.json")):
        try:
            passes = load(path)
        except store.RecordError as error:
            found.unusable[path] = str(error)
            continue
        gpu = passes.builder.gpu or passes.builder.cpu
        found.sent.append(passes)
        for judgement in judge_passes(passes, claims, keys):
            claim, verdict = judgement.claim.id, judgement.verdict
            machines = found.verdicts.setdefault(claim, {}).setdefault(gpu, {})
            machines.setdefault(passes.machine, []).append(verdict.value)
            held = (f for f in judgement.findings if f.verdict is Verdict.HOLDS)
            found.near.update((claim, f.check) for f in held if f.margin != "weak")
            if verdict is not Verdict.HOLDS:
                found.failed[path, claim] = judgement
    return found


def judge_passes(
    passes: Passes, claims: Iterable[Claim], keys: Mapping[str, str]
) -> Iterator[Judgement]:
    """Judge those claims in scope whose examples a pass ran as they are now.

    As for ``verify``, a claim whose example failed is missing.
    """
    asked = [claim for claim in claims if claim.scope.holds_on(passes.builder)]
    for run in passes.runs:
        now = {s: record for s, record in run.items() if record.code_key == keys.get(s)}
        yield from judge_all((c for c in asked if c.stems <= now.keys()), now)
