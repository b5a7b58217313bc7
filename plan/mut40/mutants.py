"""Mutants: each edits one place of an example; the named claim must then turn red.

From the root of a tree, with this folder as .dev:

    PYTHONPATH=conf:.dev/site python3 .dev/mutants.py --out $OUT/mutants.jsonl --limit 150

Each mutated example runs once, in a process as the engine makes it, and only the claim ``red`` is
judged, by the engine's own functions. What takes several GPUs runs two at once (``--pairs``) and
sees as many as it asks for; what takes one runs four at once on each GPU (``--jobs``); what is
marked ``alone`` runs by itself, at the end. Scopes that name one GPU model are read as sm_90+.
``--unchanged`` leaves the edits out: all must SURVIVE. ``--dry`` runs nothing: the committed
record must hold, and the values that the mutant is expected to give (``would``) must be red.
"""

import argparse
import importlib.util
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
from queue import Queue

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(Path("conf").resolve())]

import msgspec  # noqa: E402

import batch_child  # noqa: E402
from evidence.examples.script import Script, ScriptCell, Settings, read_script  # noqa: E402
from evidence.judge.claim import read_claims  # noqa: E402
from evidence.judge.verdict import Verdict, judge_all  # noqa: E402
from evidence.measure import child, process  # noqa: E402
from evidence.measure.recording import Run, make_record  # noqa: E402
from evidence.measure.values import merge  # noqa: E402
from evidence.records import wire  # noqa: E402
from evidence.records.model import Builder, Plain, Table, Timing, row_key  # noqa: E402
from evidence.records.store import find, record_path  # noqa: E402

#: The GPU model of a scope, which another one of the same architecture may stand for.
MODEL = re.compile(r"^(:scope:.*?)gpu\s*==\s*[^,\n]+", re.M)
GALLERY = importlib.util.find_spec("sphinx_gallery") is not None


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, help="JSON lines are appended here")
    parser.add_argument("--list", default=str(HERE / "mutants.json"))
    parser.add_argument("--limit", type=float, default=150, help="seconds in all")
    parser.add_argument("--jobs", type=int, default=4, help="at once on each GPU")
    parser.add_argument("--pairs", type=int, default=2, help="at once of what takes several GPUs")
    parser.add_argument("--only", default="", help="regular expression on the stem")
    parser.add_argument("--done", nargs="*", default=[], help="earlier outputs: skip theirs")
    parser.add_argument("--unchanged", action="store_true", help="without the edits: all must hold")
    parser.add_argument("--dry", action="store_true", help="run nothing; judge made-up values")
    parser.add_argument("--again", default="", help="a folder of scripts that replace the tree's")
    return parser.parse_args()


def parse(path, source):
    """The engine's own reading; where sphinx-gallery is missing, one cell with the settings."""
    if GALLERY:
        return read_script(path)
    found = re.search(r"^# sphinx_gallery_evidence = (\{.*?\})\s*$", source, re.M)
    raw = eval(found[1]) if found else {}  # our own file
    return Script(path, (ScriptCell(source, 1),), msgspec.convert(raw, Settings), "0" * 64)


def this_machine():
    """This machine's fingerprint, by the engine."""
    outcome = process.run(partial(child.write_fingerprint, timeout=120), timeout=120)
    if outcome.cause:
        sys.exit(f"no fingerprint: {outcome.cause} {outcome.tail}")
    return Builder(**outcome.result)


def claims():
    found = {}
    for path in sorted(Path("docs").rglob("*.md")):
        page = path.relative_to("docs").with_suffix("").as_posix()
        if not page.startswith("gallery/"):
            text = MODEL.sub(r"\1sm_90+", path.read_text("utf-8"))
            read, wrong = read_claims(text, page)
            assert not wrong, (page, wrong)
            found |= {claim.id: claim for claim in read}
    return found


def script_path(stem):
    (path,) = Path("examples").rglob(f"{stem}.py")
    return path


def source_of(mutant, again):
    paths = [script_path(mutant["stem"])]
    if again:
        paths = [*Path(again).rglob(f"{mutant['stem']}.py"), *paths]
    text = paths[0].read_text("utf-8")
    if (number := text.count(mutant["old"])) != 1:
        raise LookupError(f"{number} times in {paths[0]}: {mutant['old']!r}")
    return text


class Harness:
    def __init__(self, options):
        self.options = options
        self.deadline = time.monotonic() + options.limit
        self.claims = claims()
        self.turn, self.counts = threading.Lock(), {}
        self.out = open(options.out, "a", encoding="utf-8")
        if options.dry:
            self.machine = find(record_path(script_path("dataparallel_runs_in_threads"))).builder
        else:
            self.machine = this_machine()
            process.keeper()

    def trial(self, mutant, gpus):
        stem, options = mutant["stem"], self.options
        try:
            text = source_of(mutant, options.again)
            claim = self.claims[mutant["red"]]
            assert stem in claim.stems, f"the claim is not about {stem}"
            if not options.unchanged:
                text = text.replace(mutant["old"], mutant["new"])
            with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
                path = Path(folder, f"{stem}.py")
                path.write_text(text, "utf-8")
                script = parse(path, text)
                compile(text, stem, "exec")
        except Exception as error:
            return {"result": "SKIPPED", "why": f"{type(error).__name__}: {error}"[:300]}
        if not claim.scope.holds_on(self.machine):
            return {"result": "SKIPPED", "why": f"out of scope: {claim.scope}"}
        if script.settings.gpus != mutant["gpus"]:
            return {"result": "SKIPPED", "why": f"takes {script.settings.gpus} GPUs"}
        if script.settings.gpus > self.machine.gpus:
            return {"result": "SKIPPED", "why": "needs more GPUs"}
        if options.dry:
            return self.dry(mutant, claim)
        return self.wet(mutant, claim, script, text, gpus)

    def wet(self, mutant, claim, script, text, gpus):
        timeout = max(1.0, min(mutant["timeout"], self.deadline - time.monotonic()))
        settings = msgspec.structs.replace(script.settings, timeout=timeout)
        script = Script(Path(f"{script.stem}.py"), script.cells, settings, script.code_key)
        places = gpus or tuple(map(str, range(settings.gpus)))
        task = partial(
            batch_child.run, script=script, source=text, gpus=places, cores=self.cores(places)
        )
        began = time.monotonic()
        outcome = process.run(task, timeout=timeout, fresh=settings.fresh)
        seconds = {"seconds": round(time.monotonic() - began, 1), "gpus": ",".join(places)}
        if outcome.cause and time.monotonic() >= self.deadline:
            return {**seconds, "result": "NOT RUN", "why": "the time was over while it ran"}
        if outcome.cause:
            tail = outcome.tail[-600:]
            return {**seconds, "result": "ERROR", "why": outcome.cause[:300], "last": tail}
        result = dict(outcome.result)
        result["outputs"] = [{**o, "figures": []} for o in msgspec.to_builtins(result["outputs"])]
        run = msgspec.convert({**result, "figures": {}}, Run)
        record = make_record(script, self.machine, [run], merge([wire.opened(run.measured)]))
        found = {**seconds, **self.judged(claim, record)}
        # Did it turn red for the reason that was foretold? Of a timing, the value is a guess.
        wanted = mutant.get("would") or {}
        found["foretold"] = {a: [v, shown(record.cells.get(a))] for a, v in wanted.items()}
        apart = [a for a, (v, got) in found["foretold"].items()
                 if not isinstance(record.cells.get(a), Timing) and repr(v) != got]
        return found | ({"otherwise": apart} if apart else {})

    def cores(self, gpus):
        """A share of the cores for each GPU, as the engine lends them; all for several GPUs."""
        every = sorted(os.sched_getaffinity(0))
        if len(gpus) > 1 or self.machine.gpus < 2:
            return tuple(every)
        share = len(every) // self.machine.gpus
        return tuple(every[int(gpus[0]) * share :][:share]) or tuple(every)

    def dry(self, mutant, claim):
        record = find(record_path(script_path(mutant["stem"])))
        before = self.judged(claim, record)
        if before["result"] != "SURVIVED":
            return {"result": "DRY FAILED", "why": f"the record does not hold: {before}"}
        if not mutant.get("would"):  # an older one: nobody wrote down what to expect
            return {**before, "result": "dry holds"}
        changed = msgspec.structs.replace(record, measured=made_up(record, mutant["would"]))
        after = self.judged(claim, changed)
        if after["result"] != "red":
            return {**after, "result": "DRY FAILED", "why": "the values of `would` are not red"}
        return {**after, "result": "dry ok"}

    def judged(self, claim, record):
        records = {record.stem: record}
        for other in claim.stems - {record.stem}:
            records[other] = find(record_path(script_path(other)))
        (judged,) = judge_all([claim], records)
        values = {
            f"{f.check.value.name} {f.check.expect}": [f.verdict.value, shown(f.cell)]
            for f in judged.findings
        }
        found = {"verdict": judged.verdict.value, "values": values}
        if judged.problem:  # a value that is no longer there: red on a build as well
            return {**found, "result": "ERROR", "why": judged.problem[:300]}
        holds = judged.verdict in (Verdict.HOLDS, Verdict.OUT_OF_SCOPE)
        # One process has no spread of its own; noisy: the value lies across its bound.
        return {**found, "result": "SURVIVED" if holds else "red"}

    def one(self, mutant, gpus=()):
        result = {key: mutant[key] for key in ("stem", "red")}
        if not self.options.dry and time.monotonic() > self.deadline - 2:
            result |= {"result": "NOT RUN", "why": "the time was over"}
        else:
            try:
                result |= self.trial(mutant, gpus)
            except Exception as error:  # one of them must not end the batch
                result |= {"result": "ERROR", "why": f"harness: {error!r}"[:300]}
        with self.turn:
            self.out.write(json.dumps(result, ensure_ascii=False) + "\n")
            self.out.flush()
            self.counts[result["result"]] = self.counts.get(result["result"], 0) + 1
            print(line(result), flush=True)

    def run(self, mutants):
        shared = [m for m in mutants if not m["alone"]]
        free = Queue()
        for place in range(max(1, self.machine.gpus) * self.options.jobs):
            free.put(str(place % max(1, self.machine.gpus)))

        def single(mutant):
            gpu = free.get()
            try:
                self.one(mutant, (gpu,))
            finally:
                free.put(gpu)

        workers = 1 if self.options.dry else free.qsize()
        pairs = 1 if self.options.dry else self.options.pairs
        with ThreadPoolExecutor(workers) as ones, ThreadPoolExecutor(pairs) as twos:
            for mutant in shared:
                several = mutant["gpus"] != 1
                (twos if several else ones).submit(self.one if several else single, mutant)
        for mutant in mutants:
            if mutant["alone"]:
                self.one(mutant, ("0",) if mutant["gpus"] == 1 else ())


def made_up(record, would):
    """The measured values of a record, some of them replaced; each must be there."""
    left, measured = dict(would), {}

    def other(address, cell):
        if address not in left:
            return cell
        value = left.pop(address)
        return Timing((value,), (0.0,), (1,)) if isinstance(cell, Timing) else Plain(value)

    for name, value in record.measured.items():
        if isinstance(value, Table):
            rows = (
                {c: other(f"{name}[{row_key(row)}].{c}", cell) for c, cell in row.items()}
                for row in value.rows
            )
            measured[name] = Table(tuple(rows))
        else:
            measured[name] = other(name, value)
    assert not left, f"no such values: {list(left)}"
    return measured


def shown(cell):
    return None if cell is None else repr(getattr(cell, "value", cell))[:160]


def line(result):
    name = f"{result['stem']} [{result['red']}] {result.get('seconds', '')}"
    if result["result"] == "dry holds":
        return f"dry holds {name}"
    if result["result"] in ("red", "dry ok"):
        bad = [f"{k} -> {v[1]} {v[0]}" for k, v in result["values"].items() if v[0] != "holds"]
        other = f" OTHERWISE THAN FORETOLD: {result['otherwise']}" if "otherwise" in result else ""
        return f"{result['result']} {name} {'; '.join(bad)[:260]}{other}"
    if result["result"] == "SURVIVED":
        return f"SURVIVED {name} {json.dumps(result['values'], ensure_ascii=False)[:600]}"
    return f"{result['result']} {name} {result.get('why', '')} | {result.get('last', '')}"


def main():
    options, begin = arguments(), time.monotonic()
    done = set()
    for name in options.done:
        for text in Path(name).read_text().splitlines():
            item = json.loads(text)
            if item.get("result") in ("red", "SURVIVED", "ERROR"):
                done.add((item["stem"], item["red"]))
    harness = Harness(options)
    print(f"{harness.machine.gpu or 'no GPU'} x {harness.machine.gpus}, torch {harness.machine.torch}, "
          f"{time.monotonic() - begin:.0f} s to begin", flush=True)
    mutants = [
        m
        for m in json.loads(Path(options.list).read_text())
        if (m["stem"], m["red"]) not in done and re.search(options.only, m["stem"])
    ]
    # Those recorded last come first, and of them the long ones.
    mutants.sort(key=lambda m: (not m["first"], -m["seconds"]))
    harness.run(mutants)
    print(f"{harness.counts} in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
