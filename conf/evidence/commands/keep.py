"""``keep``: what ``verify --json`` wrote becomes what the site keeps of a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import click
import msgspec
from msgspec.structs import replace

from evidence.commands import DOCS, EXAMPLES, CommandError
from evidence.commands.answers import SCHEMA, SENT_DEPTH, questions
from evidence.examples.script import find_scripts, read_script
from evidence.judge import kept
from evidence.judge.claim import Claim
from evidence.judge.kept import Earlier, Entry, Passes, Run
from evidence.judge.passes import (
    FOLDER,
    Keys,
    by_claim,
    checked,
    earlier,
    judge_passes,
    tally,
)
from evidence.judge.verdict import Verdict
from evidence.records import wire
from evidence.records.model import Builder, Date, Part, Sha256
from evidence.records.store import RecordError, read, seal, unseal


class SentEntry(Part, frozen=True):
    """What one example measured in one pass, as a record has it: nothing where it failed."""

    code_key: Sha256
    measured: wire.Measured

    def kept(self, run: int) -> Entry:
        """It in the form in which it is kept.

        :raises ValueError: when a value is none that a record could hold
        """
        values = wire.unpacked(self.measured).items()
        measured = {name: kept.kept(value) for name, value in values}
        return Entry(run, self.code_key, measured)


class Sent(Part, frozen=True, kw_only=True):
    """What was sent: passes, each by the stems of its examples; ``claims`` has their verdicts."""

    schema: Literal[2]
    machine: kept.MachineId
    day: Date
    commit: kept.Commit
    builder: Builder
    passes: tuple[dict[str, SentEntry], ...]
    claims: dict[str, tuple[str, ...]]
    checksum: Sha256

    def run(self) -> Run:
        """The file in one line; a claim held for its sender when it did in each pass."""
        seen = [{*verdicts} for verdicts in self.claims.values()]
        asked = [found for found in seen if Verdict.OUT_OF_SCOPE.value not in found]
        return Run(
            day=self.day,
            commit=self.commit,
            builder=self.builder,
            held=asked.count({Verdict.HOLDS.value}),
            of=len(asked),
            sent=self.checksum,
        )


DECODER = msgspec.json.Decoder(Sent)


@click.command()
@EXAMPLES
@DOCS
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def keep(examples: Path, docs: Path, files: Sequence[Path]) -> int:
    """Keep what was sent of today's code, one line an example.

    The newest values of a machine and a PyTorch version replace older ones, which are counted.
    """
    paths = find_scripts(examples)
    claims = questions(docs, (), {path.stem for path in paths})
    keys = {path.stem: read_script(path).code_key for path in paths}
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for file, sent in read_sent(files).items():
        try:
            path, made = add(folder, sent, claims, keys)
        except (ValueError, RecordError) as error:
            raise CommandError(f"{file}: {error}") from None
        given = {stem for measured in sent.passes for stem in measured}
        newest = sum(
            entry.run == len(made.runs) - 1 for entry in made.examples.values()
        )
        print(f"{path}: {newest} of the {len(given)} examples in {file} are kept")
    return 0


def read_sent(files: Sequence[Path]) -> Mapping[Path, Sent]:
    """What was sent, by its file.

    :raises CommandError: when it cannot be used
    """
    found = {}
    for file in files:
        try:
            data = read(file, kept.MAX_BYTES)
            found[file] = unseal(data, DECODER.decode, SCHEMA, depth=SENT_DEPTH)
        except RecordError as error:
            raise CommandError(f"{file} {error}") from None
    return found


def add(
    folder: Path, sent: Sent, claims: Sequence[Claim], keys: Keys
) -> tuple[Path, Passes]:
    """Add what was sent to what is kept of its machine and PyTorch; give the file, and all of it.

    :raises ValueError: when it is kept already, or is of another machine
    :raises RecordError: when what is kept cannot be read
    """
    base = Passes(
        schema=kept.SCHEMA,
        machine=sent.machine,
        runs=(sent.run(),),
        examples={},
        earlier={},
        checksum="",
    )
    path = folder / base.name
    if path.exists():
        old = kept.load(path)
        if any(run.sent == sent.checksum for run in old.runs):
            raise ValueError(f"is kept already, in {path}")
        base = replace(old, runs=(*old.runs, *base.runs))
    made = merged(base, sent, claims, keys)
    data = msgspec.to_builtins(made)
    del data["checksum"]
    path.write_text(seal(data, kept.DEPTH), encoding="utf-8")
    return path, made


def merged(base: Passes, sent: Sent, claims: Sequence[Claim], keys: Keys) -> Passes:
    """What is kept of a machine, with what was sent, whose run is its last.

    Counted is what all passes say of a claim, less what the values that are left say of it.
    """
    said = earlier(base, claims, keys) + tally(judge_passes(base, claims, keys))
    examples = {s: e for s, e in base.examples.items() if e.code_key == keys.get(s)}
    for measured in sent.passes:
        entries = {
            stem: entry.kept(len(base.runs) - 1)
            for stem, entry in measured.items()
            if entry.code_key == keys.get(stem)
        }
        alone = replace(base, examples=entries)
        said += tally(judge_passes(alone, claims, keys))
        for stem, entry in entries.items():
            # What comes in late, after newer values, is counted only.
            if stem not in examples or base.runs[examples[stem].run].day <= sent.day:
                examples[stem] = entry
    made = replace(base, examples=examples)
    replaced = by_claim(said - tally(judge_passes(made, claims, keys)))
    counts = {
        claim.id: Earlier(checked(claim, keys), replaced[claim.id])
        for claim in claims
        if claim.id in replaced
    }
    return replace(made, earlier=counts)
