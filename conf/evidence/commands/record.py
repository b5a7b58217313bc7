"""``record``: measure examples, and write a record beside each; ``worker``: measure for others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from evidence.commands import EXAMPLES, SCHEDULER, Measuring, campaign
from evidence.examples.script import Script, ScriptError, find_scripts, read_scripts
from evidence.measure import Failure, Reason, Recording
from evidence.records.address import agrees
from evidence.records.store import find, record_path, save


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@EXAMPLES
@click.option("--stale", is_flag=True, help="only what has no record of its code")
@click.option(
    "--other-torch", is_flag=True, help="only what another PyTorch than this measured"
)
@click.option(
    "--before",
    metavar="DAY",
    type=click.DateTime(["%Y-%m-%d"]),
    help="only what was recorded before a day (2026-11-20)",
)
@click.option(
    "--minutes", type=click.FloatRange(min=0), help="begin no example after so many"
)
@SCHEDULER
def record(
    examples: Path,
    names: Sequence[str],
    stale: bool,
    other_torch: bool,
    before: datetime | None,
    **how: Any,
) -> int:
    """Measure the named examples or chapters, or all, and write their records.

    It ends with 1 when one failed or was left, with 2 when a name is unknown or a GPU is missing.
    """
    scripts, broken = read_scripts(select(examples, names))
    if not scripts:
        raise ScriptError("\n".join(broken))
    scripts = [script for script in scripts if not stale or needs_recording(script)]
    old = {script: find(record_path(script.path)) for script in scripts}
    if before:
        day = before.date().isoformat()
        scripts = [s for s, r in old.items() if r is None or r.recorded < day]
    measuring = campaign(scripts, **how)
    if other_torch:
        here = measuring.builder.torch
        others = {s for s, r in old.items() if r is None or r.builder.torch != here}
        scripts = [script for script in scripts if script in others]
        print(f"not of torch {here}: {' '.join(s.stem for s in scripts) or 'none'}")
    machine = str(measuring.builder)
    print(f"recording {len(scripts)} examples on {machine}", flush=True)
    for problem in broken:
        print(f"FAILED {problem}")
    recorded = _record(measuring, scripts)
    tried = len(scripts) + len(broken)
    print(f"{recorded} of {tried} examples recorded")
    return 0 if recorded == tried else 1


def _record(measuring: Measuring, scripts: Sequence[Script]) -> int:
    """Measure examples, and say what became of each; how many were recorded."""
    recorded = 0
    not_begun: list[str] = []
    for result in measuring.run(scripts):
        if isinstance(result, Failure) and result.cause.reason is Reason.STOPPED:
            not_begun.append(result.script.stem)
            continue
        recorded += isinstance(result, Recording)
        print(_finish(result), flush=True)
    if not_begun:
        print(f"not begun in time; to go on: record {' '.join(sorted(not_begun))}")
    return recorded


@click.command()
@click.argument("address")
def worker(address: str) -> int:
    """Work for the scheduler at ADDRESS, with all GPUs, until it ends."""
    from evidence.measure import hosts

    hosts.check(address)
    asyncio.run(hosts.serve(address))
    return 0


def needs_recording(script: Script) -> bool:
    """Whether an example has no record that can be used, or one of other code."""
    old = find(record_path(script.path))
    return old is None or old.code_key != script.code_key


def select(examples: Path, names: Sequence[str]) -> list[Path]:
    """The examples that are named or stand in a folder that is, or all.

    :raises ScriptError: when a name is unknown or there is no example at all
    """
    paths = find_scripts(examples)
    if not paths:
        raise ScriptError(f"there is no example in {examples}")
    selectable = {path.stem for path in paths} | {path.parent.name for path in paths}
    if unknown := [name for name in names if name not in selectable]:
        raise ScriptError(f"no example is called {', '.join(unknown)}")
    chosen = names or selectable
    return [path for path in paths if {path.stem, path.parent.name} & set(chosen)]


def _finish(result: Recording | Failure) -> str:
    """Write the record, or leave the old one where it says the same; say which."""
    if isinstance(result, Failure):
        return f"FAILED {result}"
    made = result.record
    path = record_path(result.script.path)
    old = find(path)
    if old is not None and agrees(old, made):
        return f"{made.stem}: agrees with the record, which is kept"
    save(made, path, dict(result.figures))
    took = sum(process.seconds for process in made.processes)
    return f"{made.stem}: recorded (processes: {len(made.processes)}, {took:.1f} s)"
