"""Measure each broken example once, and judge the pages' claims by it: judge_mutants.py RESULTS.

It runs in a folder that apply.py made, with its conf on PYTHONPATH, on a machine with a GPU. An
example is measured as the site measures it, by the engine's own campaign, but in one process. The
claims that rest on it are judged by that record; values of other examples that they compare with
come from the committed records. What is found is appended to RESULTS.txt and RESULTS.jsonl as each
mutant ends.

A mutant is killed when its example fails, or when a claim that holds by the committed records does
not hold any more.
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
from typing import Any

import msgspec
from evidence.commands.answers import questions
from evidence.examples.script import ScriptError, find_scripts, read_script
from evidence.judge.verdict import Verdict, judge_all
from evidence.measure.campaign import Campaign, Recording
from evidence.records.compare import builder_words, spoken_cell
from evidence.records.store import find, record_path

#: Seconds that one process may take.
TIMEOUT = 20.0
#: What stands for a claim whose expectation does not even fit what was measured.
UNFIT = "unfit"
RED = {Verdict.DIVERGED.value, Verdict.NOISY.value, Verdict.MISSING.value, UNFIT}


def verdict_of(claim: Any, records: Any) -> tuple[str, list[str]]:
    """The verdict of a claim, and a line for each check with what was measured."""
    judged, wrong = judge_all([claim], records)
    if wrong:
        return UNFIT, [text for _, text in wrong]
    lines = []
    for finding in judged[0].findings:
        quantity, cell = finding.check.value.quantity, finding.cell
        shown = "nothing" if cell is None else spoken_cell(quantity, cell)
        told = f"{finding.check.value} is {shown:.200}, expected {finding.check.expect}"
        lines.append(f"{finding.verdict.value}: {told}")
    return judged[0].verdict.value, lines


def judge_mutant(mutant: dict, result: Any, claims: list, committed: dict) -> dict:
    """What became of one mutant, as plain data."""
    stem, found = mutant["stem"], {"red": {}, "red_before": {}, "green": []}
    if not isinstance(result, Recording):
        text = f"{result.cause}\n{result.tail}" if hasattr(result, "tail") else result
        return {**found, "exit": "failed", "message": text.strip()}
    records = committed | {stem: result.record}
    for claim in claims:
        if stem not in claim.stems or not claim.scope.holds_on(result.record.builder):
            continue
        before, _ = verdict_of(claim, committed)
        verdict, lines = verdict_of(claim, records)
        if verdict == Verdict.MISSING.value:
            continue  # it rests on another example too, which has no record
        if verdict not in RED:
            found["green"].append(claim.id)
        else:
            kind = "red_before" if before in RED - {Verdict.MISSING.value} else "red"
            found[kind][claim.id] = {"verdict": verdict, "checks": lines}
    return {**found, "exit": "recorded"}


def shown(entry: dict) -> str:
    """The entry of a mutant for a reader."""
    head = f"{'KILLED' if entry['killed'] else 'SURVIVED'} {entry['stem']}: {entry['edit']}"
    lines = [f"{head} ({entry['seconds']} s, {entry['exit']})"]
    lines += [f"    | {line}" for line in entry.get("message", "").splitlines()]
    for kind in ("red", "red_before"):
        for name, found in entry[kind].items():
            awaited = ", expected" if name in entry["awaited"] else ""
            lines.append(f"  {kind}: {name} ({found['verdict']}{awaited})")
            lines += [f"      {line}" for line in found["checks"]]
    if entry["unseen"] and entry["exit"] == "recorded":
        lines.append(f"  expected red, but was not: {', '.join(entry['unseen'])}")
    if entry["green"]:
        lines.append(f"  green: {', '.join(entry['green'])}")
    return "\n".join(lines)


def summary(entries: list[dict], number: int) -> str:
    """How many were killed, and which were not."""
    killed = [entry for entry in entries if entry["killed"]]
    failed = [entry["stem"] for entry in killed if entry["exit"] == "failed"]
    expected = sum(
        bool(entry["red"].keys() & set(entry["awaited"])) for entry in killed
    )
    other = len(killed) - len(failed) - expected
    survived = [entry["stem"] for entry in entries if not entry["killed"]]
    return "\n".join(
        [
            f"not killed: {', '.join(survived) or 'none'}",
            f"failed: {', '.join(failed) or 'none'}",
            f"measured {len(entries)} of {number} mutants",
            f"killed {len(killed)} of {len(entries)} ({expected} by a claim that was named,"
            f" {other} by another claim, {len(failed)} because the example failed)",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure and judge; 0 when all that was measured was killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="both files, without their suffix")
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--seconds", type=float, default=110.0, help="for all of them")
    parser.add_argument("--only", nargs="*", default=[], help="these stems alone")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ends = time.monotonic() + given.seconds
    root = given.root
    mutants = tomllib.loads((root / "mutants.toml").read_text("utf-8"))["mutant"]
    wanted = given.only or (root / "applied.txt").read_text("utf-8").split()
    mutants = [mutant for mutant in mutants if mutant["stem"] in wanted]
    paths = {path.stem: path for path in find_scripts(root / "examples")}
    claims = questions(root / "docs", [], set(paths))
    committed = {s: r for s, p in paths.items() if (r := find(record_path(p)))}
    took: list[str] = []
    measuring = Campaign.here(
        [read_script(paths[m["stem"]]) for m in mutants], took.append, processes=1
    )
    text, data = (given.results.with_suffix(s) for s in (".txt", ".jsonl"))
    text.parent.mkdir(parents=True, exist_ok=True)
    entries: list[dict] = []

    def tell(line: str, entry: dict | None = None) -> None:
        print(line, flush=True)
        with text.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        if entry is not None:
            with data.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")

    tell(f"{len(mutants)} mutants on {builder_words(measuring.builder)}")
    try:
        for mutant in mutants:
            if time.monotonic() > ends:
                break
            began = time.monotonic()
            entry: dict = {k: mutant[k] for k in ("stem", "edit")}
            entry["awaited"] = mutant["red"]
            try:
                script = read_script(paths[mutant["stem"]])
                # Not the example's own: a mutant that hangs must not take all the time.
                limit = min(TIMEOUT, script.settings.timeout)
                settings = msgspec.structs.replace(script.settings, timeout=limit)
                (result,) = measuring.run([replace(script, settings=settings)])
            except ScriptError as error:
                result = str(error)
            entry |= judge_mutant(mutant, result, claims, committed)
            entry["unseen"] = [
                name for name in entry["awaited"] if name not in entry["red"]
            ]
            entry["killed"] = entry["exit"] == "failed" or bool(entry["red"])
            entry["seconds"] = round(time.monotonic() - began, 1)
            entries.append(entry)
            tell(shown(entry), entry)
    except KeyboardInterrupt:
        tell("interrupted")
    tell(summary(entries, len(mutants)))
    return 0 if entries and all(entry["killed"] for entry in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
