"""The table of what does not hold on 2.14.1: run in a tree of commit 52cf0016 with PYTHONPATH=conf:HERE"""
import csv, json, re, sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, "conf")
if __name__ == "__main__":
    from evidence.commands import answers
    from evidence.examples.script import find_scripts, read_script
    from evidence.judge.passes import DECODER
    from evidence.judge.scope import Scope
    from evidence.judge.verdict import judge_all, Verdict
    from evidence.records import model, store
    from evidence.records.compare import spoken_cell, spoken_value

    R = Path("results/runs")
    scripts = {s.stem: s for s in map(read_script, find_scripts(Path("examples")))}
    claims = answers.questions(Path("docs"), (), set(scripts))

    def run(name):
        made, failed = {}, {}
        for line in (R / name / "results.jsonl").read_text().splitlines():
            r = json.loads(line)
            if "failed" in r: failed[r["stem"]] = r["failed"]
            else: made[r["stem"]] = store.parse(json.dumps(r["record"]).encode())
        return made, failed

    runs = {n: run(n) for n in ("p214", "p214b", "p214c", "p211a", "p211b")}
    here211 = ({**runs["p211a"][0], **runs["p211b"][0]}, {**runs["p211a"][1], **runs["p211b"][1]})
    other = DECODER.decode(Path("shared/passes/h200-0869dd2a-2026-11-28.json").read_bytes()).runs[0]
    other = {s: r for s, r in other.items() if r.code_key == scripts[s].code_key and r.measured}
    committed = {s: r for s in scripts if (r := store.find(store.record_path(scripts[s].path)))}
    columns = {"record": (committed, {}), "2.14.1": runs["p214"], "2.14.1 again": runs["p214b"], "2.14.1 cuBLAS 13.1.1.3": runs["p214c"],
               "2.11 this host": here211, "2.11 0869dd2a": (other, {})}

    def uncapped(claim):
        parts = [p for p in claim.scope.text.split(",") if not re.match(r"\s*torch\s*<", p)]
        return replace(claim, scope=Scope(",".join(parts) or "any"))

    def judged(claim, records, failed):
        """verdict, [value per check]"""
        if claim.stems & failed.keys(): return "failed to run", ["failed"] * len(claim.checks)
        if not claim.stems <= records.keys(): return "not run", ["–"] * len(claim.checks)
        (j,) = judge_all([claim], records)
        vals = ["–" if f.cell is None else spoken_cell(f.check.value.quantity, f.cell) for f in j.findings]
        verdict = j.verdict.value + (f" ({j.problem})" if j.problem else "")
        return verdict, vals, [f.verdict.value for f in j.findings]

    rows, counts = [], {}
    for claim in claims:
        builder = next(iter(runs["p214"][0].values())).builder
        wide = uncapped(claim)
        in_scope = claim.scope.holds_on(builder)
        capped = wide.scope != claim.scope and not in_scope and wide.scope.holds_on(builder)
        if not in_scope and not capped:
            counts["out of scope otherwise"] = counts.get("out of scope otherwise", 0) + 1
            continue
        kind = "in scope" if in_scope else "capped"
        result = {n: judged(wide, *r) for n, r in columns.items()}
        counts[kind, result["2.14.1"][0].split(" (")[0]] = counts.get((kind, result["2.14.1"][0].split(" (")[0]), 0) + 1
        if in_scope and result["2.14.1"][0] == "holds": continue
        checks = []
        for i, check in enumerate(claim.checks):
            checks.append({"value": f"{check.value.stem}:{check.value.name}", "expect": check.expect,
                           **{n: (v[1][i]) for n, v in result.items()},
                           "holds": {n: (v[2][i] if len(v) > 2 else v[0]) for n, v in result.items()}})
        rows.append({"claim": claim.id, "page": claim.page, "line": claim.line, "example": claim.stem, "scope": claim.scope.text, "kind": kind,
                     "verdicts": {n: v[0] for n, v in result.items()}, "checks": checks})
    print(counts)
    Path("results/raw.json").write_text(json.dumps(rows, indent=1))
    for r in rows:
        print(f"\n## {r['claim']} [{r['kind']}; {r['scope']}] {r['page']}:{r['line']}  {r['example']}\n   {r['verdicts']}")
        for c in r["checks"]:
            if c["holds"]["2.14.1"] != "holds":
                print(f"   {c['value'].split(':')[1]} {c['expect']!r:.150}: " + "; ".join(f"{n}={c[n][:160]}" for n in columns))
