"""The command line: ``python -m evidence record``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.measure.campaign import (
    BuilderError,
    Campaign,
    Failure,
    Measured,
    probe,
    visible_gpus,
)
from evidence.records.agreement import agrees
from evidence.records.store import RecordError, load, record_path, save
from evidence.script import Script, ScriptError, find_scripts, read_script

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; 0 when all went well, 1 when an example failed, 2 when none could run."""
    options = _parser().parse_args(arguments)
    # SIGTERM (a CI job that is cancelled) cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _record(options.examples, options.stems)
    except (ScriptError, BuilderError) as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser(
        "record", help="measure examples and write their records"
    )
    record.add_argument(
        "stems", nargs="*", help="examples to measure; all when none is named"
    )
    record.add_argument(
        "--examples", type=Path, default=Path("examples"), help="their folder"
    )
    return parser


def select(examples: Path, stems: Sequence[str]) -> list[Script]:
    """The examples that are named, or all.

    :raises ScriptError: when a name is unknown or there is no example at all
    """
    paths = {path.stem: path for path in find_scripts(examples)}
    if unknown := [stem for stem in stems if stem not in paths]:
        raise ScriptError(f"no example is called {', '.join(unknown)}")
    chosen = [
        read_script(path) for stem, path in paths.items() if not stems or stem in stems
    ]
    if not chosen:
        raise ScriptError(f"there is no example in {examples}")
    return chosen


def _record(examples: Path, stems: Sequence[str]) -> int:
    scripts = select(examples, stems)
    builder = probe()
    gpus = visible_gpus(builder, os.environ)
    if not gpus and any(script.settings.gpus for script in scripts):
        raise BuilderError("recording needs a CUDA GPU, and torch sees none here")
    print(
        f"recording {len(scripts)} examples on {builder.gpu or 'a CPU'}, torch {builder.torch}"
    )
    campaign = Campaign(builder, gpus, lambda line: print(f"  {line}", flush=True))
    failures, done = 0, 0
    by_stem = {script.stem: script for script in scripts}
    try:
        for result in campaign.run(scripts):
            failures += isinstance(result, Failure)
            done += 1
            print(_finish(result, by_stem), flush=True)
    except KeyboardInterrupt:
        print(f"interrupted: {done} of {len(scripts)} examples are done and kept")
        return 130
    print(f"{done - failures} of {len(scripts)} examples recorded")
    return 1 if failures else 0


def _finish(result: Measured | Failure, scripts: dict[str, Script]) -> str:
    """Write the record, or leave the old one where it says the same; say which."""
    if isinstance(result, Failure):
        return f"FAILED {result}"
    record = result.record
    path = record_path(scripts[record.stem].path)
    try:
        old = load(path)
    except RecordError:
        old = None
    if old is not None and agrees(old, record):
        return f"{record.stem}: agrees with the record, which is kept"
    save(record, path, dict(result.figures))
    return f"{record.stem}: recorded ({len(record.processes)} processes)"


if __name__ == "__main__":
    sys.exit(main())
