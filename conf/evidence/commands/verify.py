"""``verify``: measure what the claims need on this machine, and judge them by that.

Only the bands of the claims count here, never the intervals of their records: a record says how
one builder measures, a claim says what must hold on every builder in its scope.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import click

from evidence.commands import EXAMPLES, CommandError
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
from evidence.examples.script import Script, ScriptError, find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.measure.campaign import BuilderError, Campaign, Failure
from evidence.records.compare import builder_words
from evidence.records.model import Record
from evidence.records.store import RecordError, canonical, load, record_path


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
    "--processes",
    type=click.IntRange(min=1),
    help="run each example in so many processes instead of as many as are planned",
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, help="judge so many times over"
)
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="write the verdicts as data too",
)
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    processes: int | None,
    repeat: int,
    target: Path | None,
) -> int:
    """Judge every claim on this machine.

    It ends with 0 when all in scope hold in every pass, with 2 when nothing could be judged.
    """
    asked, scripts, measuring = _prepare(examples, docs, expressions, target, processes)
    builder = measuring.builder
    machine = f"{builder_words(builder)}: {measuring.place}"
    print(f"verifying {len(asked)} claims on {machine}", flush=True)
    applying = [claim for claim in asked if claim.scope.holds_on(builder)]
    needed = {stem for claim in applying for stem in claim.stems}
    passes: list[Pass] = []
    interrupted = False
    try:
        for number in range(1, repeat + 1):
            if repeat > 1:
                tell(f"pass {number} of {repeat}")
            passes.append(Pass())
            _measure(passes[-1], (s for s in scripts if s.stem in needed), measuring)
    except KeyboardInterrupt:
        interrupted = True
    committed = _committed(scripts)
    answers = [answer(claim, passes, builder, committed) for claim in asked]
    if target is not None:
        text = canonical(as_data(answers, builder)) + "\n"
        target.write_text(text, encoding="utf-8")
    _print(answers, failures(passes), interrupted=interrupted)
    return 130 if interrupted else 0 if verified(answers) else 1


def _prepare(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    target: Path | None,
    processes: int | None,
) -> tuple[list[Claim], list[Script], Campaign]:
    """Everything that can go wrong before the first example runs."""
    try:
        paths = {path.stem: path for path in find_scripts(examples)}
        asked = questions(docs, expressions, paths)
        needed = {stem for claim in asked for stem in claim.stems}
        scripts = [read_script(path) for stem, path in paths.items() if stem in needed]
        if target is not None:
            _make_room(target)
        return asked, scripts, Campaign.here(scripts, tell, processes or 0)
    except (ScriptError, BuilderError) as error:
        raise CommandError(str(error)) from None


def _make_room(target: Path) -> None:
    """See that a file can be written before minutes are spent on what it shall hold."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}") from None


def _measure(into: Pass, scripts: Iterable[Script], measuring: Campaign) -> None:
    """Measure the examples, and note each result as soon as it is there."""
    for result in measuring.run(scripts):
        stem = result.script.stem
        if isinstance(result, Failure):
            into.failures[stem] = str(result)
        else:
            into.records[stem] = result.record


def _committed(scripts: Iterable[Script]) -> dict[str, Record]:
    """The usable records beside the scripts, by stem."""
    found: dict[str, Record] = {}
    for script in scripts:
        with contextlib.suppress(RecordError):
            found[script.stem] = load(record_path(script.path))
    return found


def _print(
    answers: Sequence[Answer], failed: Collection[str], *, interrupted: bool
) -> None:
    judged = [answer for answer in answers if answer.judgements]
    clear()
    for line in [*table(judged), *failed]:
        print(line)
    if interrupted:
        print(f"interrupted: {len(judged)} of {len(answers)} claims were judged")
    print(summary(judged), flush=True)
