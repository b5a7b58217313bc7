"""Judge the pages' claims by what the broken examples measured: judge_mutants.py OUTDIR.

It needs no GPU: it reads the lines that measure_mutants.py left in OUTDIR/measured-*.jsonl. Pages
and committed records are those of ``--root``, a checkout or a folder that apply.py made. Values of
other examples that a claim compares with come from the committed records. The table goes to the
output and to OUTDIR/table.txt, what it rests on to OUTDIR/judged.jsonl.

A mutant is killed when a claim that it names, and that holds by the committed records, does not
hold any more. Where that happens to another claim alone, the table says so. A failed example would
be red on the site as well, but look whether the edit is the cause (it may have had no time). One
that needs more GPUs than there were is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts
from evidence.judge.verdict import Verdict, judge_all
from evidence.records import wire
from evidence.records.compare import builder_words, spoken_cell
from evidence.records.model import Builder
from evidence.records.store import find, record_path

#: What stands for a claim whose expectation does not even fit what was measured.
UNFIT = "unfit"
RED = {Verdict.DIVERGED.value, Verdict.NOISY.value, UNFIT}


def verdict_of(claim: Any, records: Any) -> tuple[str, list[str]]:
    """The verdict of a claim, and a line for each check that failed with what was measured."""
    (judged,) = judge_all([claim], records)
    if judged.problem:
        return UNFIT, [judged.problem]
    lines = []
    for finding in judged.findings:
        if finding.verdict is Verdict.HOLDS:
            continue
        quantity, cell = finding.check.value.quantity, finding.cell
        shown = "nothing" if cell is None else spoken_cell(quantity, cell)
        told = f"{finding.check.value} is {shown:.200}, expected {finding.check.expect}"
        lines.append(f"{finding.verdict.value}: {told}")
    return judged.verdict.value, lines


def judge_mutant(mutant: dict, entry: dict, claims: list, committed: dict) -> dict:
    """What became of one mutant, as plain data."""
    stem = mutant["stem"]
    found: dict = {"red": {}, "red_before": {}, "green": [], "message": ""}
    if "measured" not in entry:
        status = "left out" if entry["cause"].startswith("needs ") else "failed"
        message = f"{entry['cause']}\n{entry.get('tail', '')}".strip()
        return {**found, "exit": status, "message": message}
    values = msgspec.convert(entry["measured"], dict[str, wire.Value])
    builder = msgspec.convert(entry["builder"], Builder)
    record = msgspec.structs.replace(
        committed[stem], measured=wire.opened(values), builder=builder
    )
    records = committed | {stem: record}
    for claim in claims:
        if stem not in claim.stems:
            continue
        if not claim.scope.holds_on(builder):
            found["green"].append(f"{claim.id} (out of scope)")
            continue
        before, _ = verdict_of(claim, committed)
        verdict, lines = verdict_of(claim, records)
        if verdict not in RED:
            found["green"].append(claim.id)
        else:
            kind = "red_before" if before in RED else "red"
            found[kind][claim.id] = {"verdict": verdict, "checks": lines}
    return {**found, "exit": "measured"}


def shown(entry: dict) -> str:
    """The entry of a mutant for a reader."""
    head = f"{entry['verdict'].upper()} {entry['stem']}: {entry['edit']}"
    lines = [f"{head} ({entry['seconds']} s, recorded {entry['recorded_seconds']} s, {entry['exit']})"]
    lines += [f"    | {line}" for line in entry["message"].splitlines()]
    for kind in ("red", "red_before"):
        for name, found in entry[kind].items():
            awaited = ", expected" if name in entry["awaited"] else ""
            lines.append(f"  {kind}: {name} ({found['verdict']}{awaited})")
            lines += [f"      {line}" for line in found["checks"]]
    if entry["unseen"] and entry["exit"] == "measured":
        lines.append(f"  expected red, but was not: {', '.join(entry['unseen'])}")
    if entry["green"]:
        lines.append(f"  green: {', '.join(entry['green'])}")
    return "\n".join(lines)


def table(entries: list[dict], mutants: list[dict]) -> str:
    """One line for each mutant, and how many were killed."""
    by_stem = {entry["stem"]: entry for entry in entries}
    rows, counts = [], {}
    for mutant in mutants:
        entry = by_stem.get(mutant["stem"])
        verdict = entry["verdict"] if entry else "not measured"
        by = ", ".join(entry["red"]) or entry["exit"] if entry else ""
        counts[verdict] = counts.get(verdict, 0) + 1
        rows.append(f"| {mutant['stem']} | {mutant['edit']} | {verdict} | {by} |")
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    head = ["| example | edit | verdict | red |", "|---|---|---|---|"]
    foot = f"{len(mutants)} mutants: {told}"
    return "\n".join([*head, *rows, "", foot])


def main(arguments: list[str] | None = None) -> int:
    """Judge; 0 when every mutant was measured and killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--root", type=Path, default=Path(), help="pages and records")
    parser.add_argument("--mutants", type=Path, default=Path(__file__).with_name("mutants.toml"))
    parser.add_argument("--into", type=Path, help="another folder for the table")
    given = parser.parse_args(arguments)
    mutants = tomllib.loads(given.mutants.read_text("utf-8"))["mutant"]
    paths = {path.stem: path for path in find_scripts(given.root / "examples")}
    claims = questions(given.root / "docs", [], set(paths))
    committed = {s: r for s, p in paths.items() if (r := find(record_path(p)))}
    lines = [
        json.loads(line)
        for path in sorted(given.outdir.rglob("measured-*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        if line.endswith("}")
    ]
    measured = {line["stem"]: line for line in lines}  # the last of one counts
    known = {claim.id for claim in claims}
    entries, told = [], []
    if lines:
        told.append(f"on {builder_words(msgspec.convert(lines[-1]['builder'], Builder))}\n")
    for mutant in mutants:
        if unknown := [name for name in mutant["red"] if name not in known]:
            told.append(f"{mutant['stem']}: no page has the claim {', '.join(unknown)}")
        if mutant["stem"] not in measured:
            continue
        line = measured[mutant["stem"]]
        entry = {"stem": mutant["stem"], "edit": mutant["edit"], "awaited": mutant["red"]}
        entry |= judge_mutant(mutant, line, claims, committed)
        entry["unseen"] = [name for name in mutant["red"] if name not in entry["red"]]
        verdict = "killed by another claim" if entry["red"] else "survived"
        verdict = "killed" if entry["red"].keys() & {*mutant["red"]} else verdict
        entry["verdict"] = verdict if entry["exit"] == "measured" else entry["exit"]
        entry["seconds"] = line["seconds"]
        entry["recorded_seconds"] = line["recorded_seconds"]
        entries.append(entry)
    told += [shown(entry) for entry in entries]
    text = "\n".join([*told, "", table(entries, mutants)])
    print(text)
    into = given.into or given.outdir
    (into / "table.txt").write_text(text + "\n", "utf-8")
    rows = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    (into / "judged.jsonl").write_text("".join(rows), "utf-8")
    done = len(entries) == len(mutants) and all(e["verdict"] == "killed" for e in entries)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
