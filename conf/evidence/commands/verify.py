"""``verify``: measure what the claims need on this machine, and judge them by that.

Only the bands of the claims count here, never the intervals of their records: a record says how
one builder measures, a claim says what must hold on every builder in its scope.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from evidence.commands import CommandError
from evidence.commands.answers import (
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
from evidence.examples.script import ScriptError, find_scripts, read_script
from evidence.measure.campaign import BuilderError, Campaign, Failure
from evidence.records.compare import builder_words
from evidence.records.store import RecordError, canonical, load, record_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from evidence.commands.answers import Answer
    from evidence.examples.script import Script
    from evidence.judge.claim import Claim
    from evidence.records.model import Record


def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str] = (),
    *,
    processes: int = 0,
    repeat: int = 1,
    target: Path | None = None,
) -> int:
    """Judge the claims that an expression selects; 0 when all in scope hold in every pass.

    :param processes: run each example so often instead of as planned
    :param repeat: measure and judge so often
    :param target: where the verdicts are written as data
    :raises CommandError: when nothing could be judged
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
    processes: int,
) -> tuple[list[Claim], list[Script], Campaign]:
    """Everything that can go wrong before the first example runs."""
    try:
        paths = {path.stem: path for path in find_scripts(examples)}
        asked = questions(docs, expressions, paths)
        needed = {stem for claim in asked for stem in claim.stems}
        scripts = [read_script(path) for stem, path in paths.items() if stem in needed]
        if target is not None:
            _make_room(target)
        return asked, scripts, Campaign.here(scripts, tell, processes)
    except (ScriptError, BuilderError) as error:
        raise CommandError(str(error)) from None


def _make_room(target: Path) -> None:
    """See that a file can be written before minutes are spent on what it shall hold."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}") from None
    if target.is_dir():
        raise CommandError(f"{target} is a folder")


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
