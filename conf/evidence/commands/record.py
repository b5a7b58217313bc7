"""``record``: measure examples, and write a record beside each."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from evidence.commands import CommandError
from evidence.commands.terminal import clear, tell
from evidence.examples.script import ScriptError, find_scripts, read_script
from evidence.measure import campaign
from evidence.measure.campaign import BuilderError, Campaign, Failure, visible_gpus
from evidence.records.compare import agrees
from evidence.records.store import RecordError, load, record_path, save

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from evidence.examples.script import Script
    from evidence.measure.campaign import Measured


def record(examples: Path, names: Sequence[str]) -> int:
    """Measure the named examples and chapters, or all; 1 when one failed, 130 when interrupted.

    :raises CommandError: when a name is unknown, an example cannot be read, or a GPU is missing
    """
    try:
        return _record(select(examples, names))
    except (ScriptError, BuilderError) as error:
        raise CommandError(str(error)) from None


def select(examples: Path, names: Sequence[str]) -> list[Script]:
    """The examples that are named or stand in a folder that is, or all.

    :raises ScriptError: when a name is unknown or there is no example at all
    """
    paths = find_scripts(examples)
    known = {path.stem for path in paths} | {path.parent.name for path in paths}
    if unknown := [name for name in names if name not in known]:
        raise ScriptError(f"no example is called {', '.join(unknown)}")
    chosen = [
        read_script(path)
        for path in paths
        if not names or not {path.stem, path.parent.name}.isdisjoint(names)
    ]
    if not chosen:
        raise ScriptError(f"there is no example in {examples}")
    return chosen


def _record(scripts: Sequence[Script]) -> int:
    builder = campaign.probe()
    gpus = visible_gpus(builder, os.environ)
    if not gpus and any(script.settings.gpus for script in scripts):
        raise BuilderError("recording needs a CUDA GPU, and torch sees none here")
    print(
        f"recording {len(scripts)} examples on {builder.gpu or 'a CPU'}, torch {builder.torch}"
    )
    began = time.monotonic()
    measuring = Campaign(builder, gpus, tell)
    failures, done = 0, 0
    by_stem = {script.stem: script for script in scripts}
    try:
        for result in measuring.run(scripts):
            failures += isinstance(result, Failure)
            done += 1
            line = _finish(result, by_stem)
            clear()
            print(line, flush=True)
    except KeyboardInterrupt:
        clear()
        print(f"interrupted: {done} of {len(scripts)} examples are done and kept")
        return 130
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    print(f"{done - failures} of {len(scripts)} examples recorded in {took}")
    return 1 if failures else 0


def _finish(result: Measured | Failure, scripts: dict[str, Script]) -> str:
    """Write the record, or leave the old one where it says the same; say which."""
    if isinstance(result, Failure):
        return f"FAILED {result}"
    made = result.record
    path = record_path(scripts[made.stem].path)
    try:
        old = load(path)
    except RecordError:
        old = None
    if old is not None and agrees(old, made):
        return f"{made.stem}: agrees with the record, which is kept"
    save(made, path, dict(result.figures))
    took = sum(process.seconds for process in made.processes)
    return f"{made.stem}: recorded ({len(made.processes)} processes, {took:.1f} s)"
