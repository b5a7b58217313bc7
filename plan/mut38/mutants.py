"""Mutants: each edits one line of an example; the named claim must then turn red.

From the root of an unpacked tree, with this folder carried:

    PYTHONPATH=conf:/tmp/site python3 FOLDER/mutants.py --out $OUT/mutants.jsonl --limit 500

Each mutated example runs once, in a process as the engine makes it (fork server, or a new
interpreter where the example says ``fresh``), and only the claim ``red`` is judged, by the
engine's own functions. Up to 6 run at once; those marked ``alone`` run by themselves at the end.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(Path("conf").resolve())]

import msgspec  # noqa: E402

import batch_child  # noqa: E402
from evidence.examples.script import Script, ScriptCell, Settings  # noqa: E402
from evidence.judge.claim import make_claim, read_claims  # noqa: E402
from evidence.judge.verdict import Verdict, judge_all  # noqa: E402
from evidence.measure import child, process  # noqa: E402
from evidence.measure.recording import Run, make_record  # noqa: E402
from evidence.measure.values import merge  # noqa: E402
from evidence.records import wire  # noqa: E402
from evidence.records.model import Builder  # noqa: E402
from evidence.records.store import find, record_path  # noqa: E402

TIMEOUT = 40.0
parser = argparse.ArgumentParser()
parser.add_argument("--out", required=True, help="JSON lines are appended here")
parser.add_argument("--limit", type=float, default=500, help="seconds in all")
parser.add_argument("--jobs", type=int, default=6)
parser.add_argument("--only", default="", help="regular expression on 'group stem'")
parser.add_argument("--part", choices=("all", "shared", "alone"), default="all")
parser.add_argument("--done", nargs="*", default=[], help="earlier outputs: skip theirs")
parser.add_argument("--unchanged", action="store_true", help="run without the edits: all must hold")
parser.add_argument("--dry", action="store_true", help="without a GPU: say that it is an H200")
parser.add_argument("--timeout", type=float, default=TIMEOUT)


def parse(path, source):
    """The engine's own reading; where sphinx-gallery is missing, one cell with the settings."""
    try:
        from evidence.examples.script import read_script

        return read_script(path)
    except ImportError:
        found = re.search(r"^# sphinx_gallery_evidence = (\{.*?\})\s*$", source, re.M)
        raw = eval(found[1]) if found else {}  # our own file
        cells = (ScriptCell(source, 1),)
        return Script(path, cells, msgspec.convert(raw, Settings), "0" * 64)


def builder():
    """This machine's fingerprint, by the engine."""
    task = partial(child.write_fingerprint, timeout=120)
    outcome = process.run(task, timeout=120)
    if outcome.cause:
        sys.exit(f"no fingerprint: {outcome.cause} {outcome.tail}")
    return Builder(**outcome.result)


class Pages:
    """The claims of the tree, and those that wait for scripts that are to be recorded again."""

    def __init__(self):
        self.own, self.waiting = {}, {}
        for path in sorted(Path("docs").rglob("*.md")):
            page = path.relative_to("docs").with_suffix("").as_posix()
            if not page.startswith("gallery/"):
                for claim in read_claims(path.read_text("utf-8"), page)[0]:
                    self.own[claim.id] = claim
        for item in json.loads((HERE / "again_claims.json").read_text()):
            self.waiting[item["id"]] = make_claim(
                item["id"], item["options"], "states", "again", 1
            )

    def of(self, name, stem, script):
        order = (self.waiting, self.own) if script == "again" else (self.own, self.waiting)
        for place in order:
            if name in place and stem in place[name].stems:
                return place[name]
        raise LookupError(f"no claim {name} on {stem}")


def source_of(mutant):
    """The script of the tree; the one carried where the tree's lacks the line or is the old one."""
    stem = mutant["stem"]
    texts = []
    for path in Path("examples").rglob(f"{stem}.py"):
        texts.append(("tree", path.read_text("utf-8")))
    if mutant.get("again"):
        texts.append(("again", (HERE / "again" / f"{stem}.py").read_text("utf-8")))
        if len(texts) == 2:  # the tree's, unless it is still the one that is to be replaced
            is_old = batch_child.digest(texts[0][1]) == mutant["old_digest"]
            texts = [texts[is_old]]
    for place, text in texts:
        if text.count(mutant["old"]) == 1:
            return place, text
    raise LookupError(f"the line is not in {[place for place, _ in texts]}: {mutant['old']!r}")


def trial(mutant, machine, pages, options, deadline):
    stem = mutant["stem"]
    result = {"stem": stem, "red": mutant["red"], "group": mutant["group"]}
    try:
        place, text = source_of(mutant)
        claim = pages.of(mutant["red"], stem, place)
        result["script"] = place
    except LookupError as error:
        return result | {"result": "SKIPPED", "why": str(error)}
    if not claim.scope.holds_on(machine):
        return result | {"result": "SKIPPED", "why": f"out of scope: {claim.scope}"}
    if not options.unchanged:
        text = text.replace(mutant["old"], mutant["new"])
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        path = Path(folder, f"{stem}.py")
        path.write_text(text, "utf-8")
        try:
            script = parse(path, text)
        except Exception as error:
            return result | {"result": "SKIPPED", "why": f"cannot be read: {error}"}
    gpus = tuple(map(str, range(script.settings.gpus)))
    if script.settings.gpus > machine.gpus:
        return result | {"result": "SKIPPED", "why": "needs more GPUs"}
    settings = msgspec.structs.replace(script.settings, timeout=max(options.timeout, mutant["timeout"]))
    script = Script(Path(f"{stem}.py"), script.cells, settings, script.code_key)
    cores = tuple(sorted(os.sched_getaffinity(0)))[:16]
    task = partial(batch_child.run, script=script, source=text, gpus=gpus, cores=cores)
    began = time.monotonic()
    late = min(began + settings.timeout, deadline)
    outcome = process.run(
        task, timeout=max(1.0, late - began), fresh=settings.fresh
    )
    result["seconds"] = round(time.monotonic() - began, 1)
    if outcome.cause and time.monotonic() >= deadline:
        return result | {"result": "NOT RUN", "why": "the time was over while it ran"}
    if outcome.cause:
        last = (outcome.tail.splitlines() or [""])[-1]
        return result | {"result": "ERROR", "why": outcome.cause[:300], "last": last[:300]}
    try:
        result_ = dict(outcome.result)
        result_["outputs"] = [{**o, "figures": []} for o in msgspec.to_builtins(result_["outputs"])]
        run = msgspec.convert({**result_, "figures": {}}, Run)
        measured = merge([wire.opened(run.measured)])
        records = {stem: make_record(script, machine, [run], measured)}
        for other in claim.stems - {stem}:
            (path,) = Path("examples").rglob(f"{other}.py")
            records[other] = find(record_path(path))
        (judged,) = judge_all([claim], records)
    except Exception as error:
        return result | {"result": "ERROR", "why": f"judging: {error!r}"[:300]}
    result["verdict"] = judged.verdict.value
    result["values"] = {
        f"{f.check.value.name} {f.check.expect}": [f.verdict.value, shown(f.cell)]
        for f in judged.findings
    }
    if judged.problem:  # a value that is no longer there: the claim turns red on a build as well
        return result | {"result": "ERROR", "why": judged.problem[:300]}
    if judged.verdict in (Verdict.HOLDS, Verdict.OUT_OF_SCOPE):
        return result | {"result": "SURVIVED"}
    # One process has no spread of its own; noisy: the value lies across its bound.
    return result | {"result": "red"}


def shown(cell):
    if cell is None:
        return None
    text = repr(getattr(cell, "value", cell))
    return text[:160]


def line(result):
    name = f"{result['stem']} [{result['red']}]"
    if result["result"] == "red":
        bad = [f"{k} -> {v[1]} {v[0]}" for k, v in result["values"].items() if v[0] != "holds"]
        return f"red ({result['verdict']}) {name} {'; '.join(bad[:2])[:200]} {result.get('why', '')}"
    if result["result"] == "SURVIVED":
        return f"SURVIVED {name} {json.dumps(result['values'], ensure_ascii=False)[:600]}"
    return f"{result['result']} {name} {result.get('why', '')} | {result.get('last', '')}"


def main():
    options = parser.parse_args()
    begin = time.monotonic()
    deadline = begin + options.limit
    done = set()
    for name in options.done:
        for text in Path(name).read_text().splitlines():
            item = json.loads(text)
            if item.get("result") in ("red", "SURVIVED", "ERROR"):
                done.add((item["stem"], item["red"]))
    machine = builder()
    if options.dry:
        machine = find(record_path(next(Path("examples/memory").glob("*.py")))).builder
    print(f"{machine.gpu or 'no GPU'}, torch {machine.torch}", flush=True)
    process.keeper()
    pages = Pages()
    mutants = json.loads((HERE / "mutants.json").read_text())
    mutants = [
        m
        for m in mutants
        if (m["stem"], m["red"]) not in done
        and re.search(options.only, f"{m['group']} {m['stem']}")
    ]
    mutants.sort(key=lambda m: (m["seconds"] < 12, m["seconds"]))  # long ones first, then the shortest
    shared = [m for m in mutants if not m["alone"]] * (options.part != "alone")
    alone = [m for m in mutants if m["alone"]] * (options.part != "shared")
    counts, turn = {}, threading.Lock()
    out = open(options.out, "a", encoding="utf-8")

    def one(mutant):
        if time.monotonic() > deadline - 2:
            result = {k: mutant[k] for k in ("stem", "red", "group")}
            result |= {"result": "NOT RUN", "why": "the time was over"}
        else:
            try:
                result = trial(mutant, machine, pages, options, deadline)
            except Exception as error:  # one of them must not end the batch
                result = {k: mutant[k] for k in ("stem", "red", "group")}
                result |= {"result": "ERROR", "why": f"harness: {error!r}"[:300]}
        result["alone"] = mutant["alone"]
        with turn:
            out.write(json.dumps(result, ensure_ascii=False) + "\n")
            out.flush()
            counts[result["result"]] = counts.get(result["result"], 0) + 1
            print(line(result), flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, shared))
    for mutant in alone:
        one(mutant)
    print(f"{counts} in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
