"""``keep``: what ``verify --json`` wrote becomes what the site keeps of a machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from evidence.commands import DOCS, EXAMPLES, CommandError
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts, read_script
from evidence.judge import kept, passes
from evidence.judge.claim import Claim
from evidence.judge.kept import Passes
from evidence.records.store import RecordError, read, seal, unseal


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
    folder = docs / passes.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    # All are read before anything is kept.
    for file, sent in [(file, read_sent(file)) for file in files]:
        path = folder / sent.name
        before = replace(sent, examples={})
        try:
            if path.exists():
                before = kept.load(path)
                if sent.runs[0].sent in {run.sent for run in before.runs}:
                    raise ValueError(f"is kept already, in {path}")
            made = merged(before, sent, claims, keys)
        except RecordError as error:
            raise CommandError(f"{path} {error}") from None
        except ValueError as error:
            raise CommandError(f"{file}: {error}") from None
        save(made, path)
        newest = len(made.runs) - 1
        count = sum(entry.run == newest for entry in made.examples.values())
        print(
            f"{path}: {count} of the {len(sent.examples)} examples in {file} are kept"
        )
    return 0


def read_sent(file: Path) -> Passes:
    """What was sent.

    :raises CommandError: when it cannot be used
    """
    try:
        data = read(file, kept.MAX_BYTES)
        sent = unseal(data, kept.DECODER.decode, kept.SCHEMA, depth=kept.DEPTH)
    except RecordError as error:
        raise CommandError(f"{file} {error}") from None
    if len(sent.runs) > 1:
        raise CommandError(f"{file} holds several runs: it was kept, not sent")
    return sent


def save(made: Passes, path: Path) -> None:
    """Write a file of passes: who reads it meanwhile finds the old or the new one."""
    data = msgspec.to_builtins(made)
    del data["checksum"]
    part = path.with_name(f"{path.name}.part")
    part.write_text(seal(data, kept.DEPTH), encoding="utf-8")
    part.replace(path)


def merged(
    before: Passes, sent: Passes, claims: Sequence[Claim], keys: kept.Keys
) -> Passes:
    """What is kept of a machine, with what was sent, whose run is its last.

    Counted is what all passes say of a claim, less what the values that are left say of it.

    :raises ValueError: when it is of another machine
    """
    verdicts = kept.earlier(before, claims, keys)
    for measured in before, sent:
        verdicts += passes.tally(passes.judge_passes(measured, claims, keys))
    # Of a machine that is new they are the same.
    runs = tuple(dict.fromkeys((*before.runs, *sent.runs)))
    examples = {}
    for stem, entry in before.examples.items():
        if entry.code_key == keys.get(stem):
            examples[stem] = entry
    for stem, entry in sent.examples.items():
        # What comes in late, after newer values, is counted only.
        is_late = stem in examples and runs[examples[stem].run].day > runs[-1].day
        if entry.code_key == keys.get(stem) and not is_late:
            examples[stem] = replace(entry, run=len(runs) - 1)
    made = replace(before, runs=runs, examples=examples)
    left = passes.tally(passes.judge_passes(made, claims, keys))
    replaced = passes.by_claim(verdicts - left)
    counts = {}
    for claim in claims:
        if claim.id in replaced:
            key = kept.checked(claim, keys)
            counts[claim.id] = kept.Earlier(key, replaced[claim.id])
    return replace(made, earlier=counts)
