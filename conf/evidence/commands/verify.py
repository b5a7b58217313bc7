"""``verify``: measure what the claims need on this machine, and judge them by that.

Only the bands of the claims count here, never the intervals of their records: a record says how
one builder measures, a claim says what must hold on every builder in its scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import click

from evidence.commands import EXAMPLES
from evidence.commands.answers import (
    Answer,
    Pass,
    answer,
    as_data,
    failures,
    summary,
    table,
    verified,
)
from evidence.commands.questions import questions
from evidence.commands.terminal import clear, tell
from evidence.examples.script import find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.measure.campaign import Campaign
from evidence.records.compare import builder_words
from evidence.records.store import canonical, find, record_path


@click.command()
@EXAMPLES
@click.option("--docs", type=Path, default=Path("docs"), help="the folder of the pages")
@click.option(
    "-k",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="only claims with this in their id, page or example; given twice, either will do",
)
@click.option(
    "--processes", type=click.IntRange(min=1), help="in how many each example runs"
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, help="judge so many times over"
)
@click.option(
    "--json",
    "target",
    type=click.File("w", encoding="utf-8", lazy=False),
    help="write the verdicts as data too",
)
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    processes: int | None,
    repeat: int,
    target: TextIO | None,
) -> int:
    """Judge every claim on this machine.

    It ends with 0 when all in scope hold in every pass, with 2 when nothing could be judged.
    """
    paths = find_scripts(examples)
    asked = questions(docs, expressions, {path.stem for path in paths})
    needed = _stems(asked)
    scripts = [read_script(path) for path in paths if path.stem in needed]
    measuring = Campaign.here(scripts, tell, processes)
    builder = measuring.builder
    machine = f"{builder_words(builder)}: {measuring.place}"
    print(f"verifying {len(asked)} claims on {machine}", flush=True)
    needed = _stems(claim for claim in asked if claim.scope.holds_on(builder))
    passes: list[Pass] = []
    interrupted = False
    try:
        for number in range(1, repeat + 1):
            if repeat > 1:
                tell(f"pass {number} of {repeat}")
            passes.append({})
            for result in measuring.run(s for s in scripts if s.stem in needed):
                passes[-1][result.script.stem] = result
    except KeyboardInterrupt:
        interrupted = True
    found = [find(record_path(script.path)) for script in scripts]
    committed = {record.stem: record for record in found if record is not None}
    answers = [answer(claim, passes, builder, committed) for claim in asked]
    if target is not None:
        target.write(canonical(as_data(answers, builder)) + "\n")
    _print(answers, failures(passes, answers), interrupted)
    return 130 if interrupted else 0 if verified(answers) else 1


def _stems(claims: Iterable[Claim]) -> set[str]:
    """The examples that claims rest on."""
    return {stem for claim in claims for stem in claim.stems}


def _print(answers: Sequence[Answer], failed: list[str], interrupted: bool) -> None:
    judged = [answer for answer in answers if answer.judgements]
    clear()
    for line in [*table(judged), *failed]:
        print(line)
    if interrupted:
        print(f"interrupted: {len(judged)} of {len(answers)} claims were judged")
    print(summary(judged), flush=True)
