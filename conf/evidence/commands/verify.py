"""``verify``: measure what the claims need on this machine, and judge them by that.

Only the bands of the claims count here, never the intervals of their records: a record says how
one builder measures, a claim says what must hold on every builder in its scope.
"""

from __future__ import annotations

import datetime
import os
import secrets
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from evidence import commands
from evidence.commands import CommandError, answers
from evidence.commands.keep import save
from evidence.commands.record import needs_recording
from evidence.examples.script import Script, find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.judge.clear import unclear
from evidence.judge.verdict import Judgement
from evidence.measure.campaign import Result
from evidence.measure.rounds import measure_until_clear
from evidence.records.model import Builder
from evidence.records.store import find, record_path


@click.command()
@commands.EXAMPLES
@commands.DOCS
@click.option(
    "-k",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="only claims with this in their id, page or example; given twice, either will do",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="in at most so many each example runs, whatever they tell",
)
@click.option(
    "--stale",
    is_flag=True,
    help="only claims on examples without a record of their code",
)
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="write what was measured, after each example, as a file that can be sent",
)
@commands.SCHEDULER
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    processes: int | None,
    stale: bool,
    target: Path | None,
    **how: Any,
) -> int:
    """Judge every claim on this machine.

    Each example runs once, and again while a claim on it does not clearly hold.
    Interrupted, it goes on the next time. It ends with 0 when all in scope hold, with 2 when
    nothing could be judged.
    """
    asked, scripts = _selected(examples, docs, expressions, stale=stale)
    source = origin(target) if target else {}
    measuring = commands.campaign(scripts, **how)
    builder = measuring.builder
    print(f"verifying {len(asked)} claims on {builder}", flush=True)
    needed = _stems(claim for claim in asked if claim.scope.holds_on(builder))
    done: dict[str, Result] = {}
    interrupted = False
    try:
        begun = examples.parent / "build" / "begun"
        chosen = [script for script in scripts if script.stem in needed]
        for result in _results(measuring, chosen, asked, processes, begun):
            done[result.script.stem] = result
            judged = judge(asked, done, builder, target, source)
    except KeyboardInterrupt:
        interrupted = True
    judged = judge(asked, done, builder, target, source)
    committed = {s.stem: r for s in scripts if (r := find(record_path(s.path)))}
    lines = answers.report(judged, done, builder, committed)
    if interrupted:
        lines.append(f"interrupted: {len(judged)} of {len(asked)} claims were judged")
    print("\n".join([*lines, *answers.end(judged, target)]), flush=True)
    return 130 if interrupted else 0 if answers.verified(judged) else 1


def _selected(
    examples: Path, docs: Path, expressions: Sequence[str], *, stale: bool
) -> tuple[list[Claim], list[Script]]:
    """The claims that are asked for, and the examples that they rest on."""
    paths = find_scripts(examples)
    asked = answers.questions(docs, expressions, {path.stem for path in paths})
    scripts = [read_script(path) for path in paths if path.stem in _stems(asked)]
    if stale:
        changed = {script.stem for script in scripts if needs_recording(script)}
        asked = [claim for claim in asked if not changed.isdisjoint(claim.stems)]
    needed = _stems(asked)
    return asked, [script for script in scripts if script.stem in needed]


def _results(
    measuring: commands.Measuring,
    scripts: Sequence[Script],
    asked: Sequence[Claim],
    processes: int | None,
    begun: Path,
) -> Iterator[Result]:
    """What measuring gives, in so many processes at most, or in what the claims need."""
    if processes:
        return measuring.run(scripts, processes)
    undecided = lambda done: unclear(asked, answers.measured(done))  # noqa: E731
    return measure_until_clear(measuring, scripts, undecided, begun, commands.tell)


def judge(
    asked: Sequence[Claim],
    done: answers.Pass,
    builder: Builder,
    target: Path | None,
    source: Mapping[str, str],
) -> list[Judgement]:
    """Judge claims by what was measured so far, and write that where it is wanted."""
    judged = answers.answers(asked, done, builder)
    if target:
        save(answers.as_passes(judged, done, builder, source), target)
    return judged


def origin(target: Path) -> dict[str, str]:
    """Where passes come from: this machine by its random id, the day, the commit.

    :raises CommandError: when it cannot keep that id, or write them
    """
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(state, "measured-cuda", "machine")
    try:
        target.open("a").close()
        machine = path.read_text() if path.exists() else ""
        # It is empty where the disk was full, or another pass is just writing it.
        if not machine:
            machine = secrets.token_hex(4)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(machine)
    except OSError as error:
        why = f"{error.filename} cannot be written: {error.strerror}"
        raise CommandError(why) from None
    ask = "git describe --always --dirty --abbrev=40 --exclude='*'"
    failed, commit = subprocess.getstatusoutput(ask)
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"machine": machine, "day": day, "commit": "" if failed else commit}


def _stems(claims: Iterable[Claim]) -> set[str]:
    """The examples that claims rest on."""
    return {stem for claim in claims for stem in claim.stems}
