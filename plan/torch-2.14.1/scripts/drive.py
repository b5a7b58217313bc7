"""Run examples once each, in a given order, and keep each result as it is made.

drive.py run ORDER.json OUT [SECONDS]   ORDER: a list of lists of stems; each list is measured with both GPUs
drive.py diverged OUT DONE.json         print, as ORDER, the examples of OUT that failed or whose claims do not hold,
                                        without those that DONE (another OUT) has; "Moving data" last
"""
import datetime, json, os, re, secrets, signal, sys, time
from dataclasses import replace
from pathlib import Path

from evidence.commands import answers
from evidence.examples.script import find_scripts, read_script
from evidence.judge.scope import Scope
from evidence.judge.verdict import Verdict
from evidence.measure.campaign import Campaign, this_machine
from evidence.measure.process import STOPPED
from evidence.measure.recording import Failure, Recording, conditions
from evidence.records.store import dump, seal

COMMIT = "52cf00162a0d2ddee9d4c6b86acd88765efe33f1"


def origin():
    path = Path("/tmp/machine-id")
    if not path.exists():
        path.write_text(secrets.token_hex(4))
    return {"machine": path.read_text(), "day": datetime.datetime.now(datetime.UTC).date().isoformat(), "commit": COMMIT}


def report(line):
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def write_pass(out, asked, found, builder):
    """The file that ``verify --json`` writes, of what there is so far."""
    judged = answers.answers(asked, found, builder)
    partial = out / "pass.json.part"
    partial.write_text(seal({**origin(), **answers.as_data(judged, found, builder)}))
    partial.rename(out / "pass.json")
    (out / "table.txt").write_text("\n".join([*answers.table(judged, {}), *answers.failures(found, judged, builder), answers.summary(judged)]))
    (out / "conditions.txt").write_text("\n".join(conditions(found.values())))
    return answers.summary(judged)


def run(order, out, seconds):
    out.mkdir(parents=True, exist_ok=True)
    scripts = {s.stem: s for s in map(read_script, find_scripts(Path("examples")))}
    asked = answers.questions(Path("docs"), (), set(scripts))
    began = time.time()
    machine = this_machine()
    if os.environ.get("REHEARSE"):
        machine.gpus = ["0", "1"]
    import msgspec
    (out / "builder.json").write_text(json.dumps({**msgspec.to_builtins(machine.builder), **origin()}, indent=1))
    report(f"{sum(map(len, order))} examples on {machine.builder}")
    report(f"lanes {machine.lanes}")
    found = {}
    try:
        with (out / "results.jsonl").open("a") as log:
            for group in order:
                left = (began + seconds - time.time()) / 60
                if left <= 0:
                    break
                chosen = [scripts[stem] for stem in group if stem in scripts]
                for result in Campaign(machine, report, 1, left).run(chosen):
                    if isinstance(result, Failure) and result.cause == STOPPED:
                        continue
                    stem = result.script.stem
                    found[stem] = result
                    made = {"stem": stem, "chapter": result.script.path.parent.name, "at": round(time.time() - began, 1)}
                    if isinstance(result, Recording):
                        made["record"] = json.loads(dump(result.record))
                    else:
                        made |= {"failed": result.cause, "tail": result.tail}
                        report(f"FAILED {stem} {result.cause[:300]}")
                    log.write(json.dumps(made) + "\n"); log.flush()
                    if len(found) % 60 == 0:
                        report(write_pass(out, asked, found, machine.builder))
    except KeyboardInterrupt:
        report("interrupted")
    report(write_pass(out, asked, found, machine.builder))
    (out / "done").write_text(f"{time.time() - began:.1f} s, {len(found)} examples")
    report(f"done: {time.time() - began:.1f} s, {len(found)} examples")


def diverged(out, done):
    """The examples whose claims do not hold here, in scope or scoped by a version of torch alone."""
    from evidence.judge.passes import DECODER
    passed = DECODER.decode((out / "pass.json").read_bytes())
    (records,) = passed.runs
    scripts = {s.stem: s for s in map(read_script, find_scripts(Path("examples")))}
    failed = {json.loads(line)["stem"] for line in (out / "results.jsonl").read_text().splitlines() if '"failed"' in line}
    stems = set(failed)
    for claim in answers.questions(Path("docs"), (), set(scripts)):
        parts = [p for p in claim.scope.text.split(",") if not re.match(r"\s*torch\s*<", p)]
        wide = replace(claim, scope=Scope(",".join(parts) or "any"))
        for judged in answers.judge_all([wide], records):
            if judged.verdict not in (Verdict.HOLDS, Verdict.OUT_OF_SCOPE):
                stems |= claim.stems
    before = {json.loads(line)["stem"] for line in (done / "results.jsonl").read_text().splitlines()} if (done / "results.jsonl").exists() else set()
    ran = set(records) | failed
    chapter = {s: scripts[s].path.parent.name for s in stems & ran}
    left = sorted((s for s in chapter if s not in before), key=lambda s: (chapter[s] == "transfer", s))
    print(json.dumps([[s for s in left if chapter[s] != "transfer"], [s for s in left if chapter[s] == "transfer"]]))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.argv[1] == "run":
        run(json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) > 4 else 1e6)
    else:
        diverged(Path(sys.argv[2]), Path(sys.argv[3]))
