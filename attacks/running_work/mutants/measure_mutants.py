"""Measure the broken examples of this folder, one process each: measure_mutants.py OUTDIR --lane L.

It runs in a folder that apply.py made, with its conf on PYTHONPATH, on a machine with a GPU. Each
mutant gives a line of OUTDIR/measured-L.jsonl as it ends: what it measured, or why it did not. It
is measured as ``verify --processes 1`` does, by the engine's own campaign, but a lane starts that
once for all. ``judge_mutants.py OUTDIR`` makes the table of it, here or anywhere else.

Lanes: ``alone`` are those that time something or need two GPUs, and must have the machine to
themselves; ``first`` and ``second`` share the others, and may run at the same time, each on a GPU
of its own; ``rest`` are both of them, and ``all`` is everything.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import msgspec
from evidence.examples.script import Script, find_scripts, read_script
from evidence.measure.campaign import Campaign, Recording, timings
from evidence.records import wire
from evidence.records.store import find, record_path

#: Seconds that a mutant may take, and how many times as long as its example's record tells.
LEAST, FACTOR = 20.0, 3.0
#: They time something, although their records hold no timing.
TIMED = {
    "a_compiled_kernel_is_kept_on_disk",
    "a_first_call_warms_up",
    "eager_loading_spares_the_first_call",
}
LANES = "alone", "first", "second", "rest", "all"


def lanes(scripts: list[Script]) -> tuple[dict[str, list[str]], dict[str, float]]:
    """The stems of each lane, and the seconds that each of them took when it was recorded."""
    took: dict[str, float] = {}
    alone: list[str] = []
    for script in scripts:
        record = find(record_path(script.path))
        seconds = [process.seconds for process in record.processes] if record else []
        took[script.stem] = max(seconds, default=9.0)
        timed = script.stem in TIMED or (record and timings(record.measured))
        if timed or script.settings.gpus > 1:
            alone.append(script.stem)
    rest = [stem for stem in sorted(took, key=took.get, reverse=True) if stem not in alone]
    split: tuple[list[str], list[str]] = [], []
    for stem in rest:
        min(split, key=lambda lane: sum(took[s] + 0.3 for s in lane)).append(stem)
    # The one that takes most of a lane comes last there: what is cut off is then one.
    split = tuple(lane[1:] + lane[:1] if lane and took[lane[0]] > 20 else lane for lane in split)
    alone.sort(key=took.get)
    return dict(zip(LANES, (alone, *split, rest, alone + rest))), took


def main(arguments: list[str] | None = None) -> int:
    """Measure a lane; 0 when all of it was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--lane", choices=LANES, default="all")
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--ends", type=float, default=0.0, help="when, by time.time()")
    parser.add_argument("--only", nargs="*", default=[], help="these stems alone")
    parser.add_argument("--show", action="store_true", help="only tell the lane")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ends = given.ends or time.time() + 3600
    root = given.root.resolve()
    applied = (root / "applied.txt").read_text("utf-8").split()
    paths = {path.stem: path for path in find_scripts(root / "examples")}
    mutants = tomllib.loads((root / "mutants.toml").read_text("utf-8"))["mutant"]
    scripts = [read_script(paths[m["stem"]]) for m in mutants if m["stem"] in applied]
    split, took = lanes(scripts)
    wanted = [s for s in split[given.lane] if not given.only or s in given.only]
    if given.show:
        print(f"{given.lane}: {sum(took[s] for s in wanted):.0f} s, {len(wanted)}: {' '.join(wanted)}")
        return 0
    by_stem = {script.stem: script for script in scripts}
    told: list[str] = []
    measuring = Campaign.here([by_stem[s] for s in wanted], told.append, processes=1)
    given.outdir.mkdir(parents=True, exist_ok=True)
    left = []
    with (given.outdir / f"measured-{given.lane}.jsonl").open("a", encoding="utf-8") as file:
        for number, stem in enumerate(wanted):
            if time.time() + took[stem] > ends:
                left.append(stem)
                continue
            began = time.monotonic()
            script = by_stem[stem]
            # Not the example's own: a mutant that hangs must not take all the time.
            limit = min(script.settings.timeout, max(LEAST, FACTOR * took[stem]))
            limit = max(1.0, min(limit, ends - time.time()))
            settings = msgspec.structs.replace(script.settings, timeout=limit)
            entry = {"stem": stem, "code_key": script.code_key, "lane": given.lane}
            entry["builder"] = msgspec.to_builtins(measuring.builder)
            try:
                (result,) = measuring.run([replace(script, settings=settings)])
            except KeyboardInterrupt:
                left += wanted[number:]
                break
            if isinstance(result, Recording):
                entry["measured"] = wire.wrapped(result.record.measured)
            else:
                entry |= {"cause": result.cause, "tail": result.tail}
            entry["seconds"] = round(time.monotonic() - began, 1)
            entry["recorded_seconds"] = round(took[stem], 1)
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            file.flush()
            print(f"{given.lane}: {stem} {entry['seconds']} s {entry.get('cause', 'measured')}", flush=True)
    if left:
        print(f"{given.lane}: no time left for {' '.join(left)}", flush=True)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
