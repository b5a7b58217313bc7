import csv, json, sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
from reasons import G
R = Path("results")
rows = json.loads((R / "raw.json").read_text())
cols = ["record", "2.14.1", "2.14.1 again", "2.14.1 cuBLAS 13.1.1.3", "2.11 this host", "2.11 0869dd2a"]
short = {"2.14.1 cuBLAS 13.1.1.3": "2.14.1, released cuBLAS", "record": "record (2.11)", "2.14.1": "2.14.1 (the pass)"}
missing = [r["claim"] for r in rows if r["claim"] not in G and r["verdicts"]["2.14.1"] != "holds"]
print("no reason:", missing)
out = []
for r in rows:
    held = r["verdicts"]["2.14.1"] == "holds"
    kind, why = G.get(r["claim"], ("", "")) if not held else ("", "holds without its bound of the version")
    differs = {"holds": "no", "not run": "not run"}.get(r["verdicts"]["2.11 this host"], "yes")
    checks = [c for c in r["checks"] if held or c["holds"]["2.14.1"] != "holds"]
    out.append({**{k: r[k] for k in ("claim", "page", "line", "example", "scope", "kind")}, "verdict_2.14.1": r["verdicts"]["2.14.1"],
                "verdicts": r["verdicts"], "differs_on_2.11_this_host": differs, "reason_kind": kind, "reason": why, "checks": checks})
(R / "differences.json").write_text(json.dumps(out, indent=1, ensure_ascii=False))
with (R / "differences.csv").open("w", newline="") as f:
    w = csv.writer(f); w.writerow(["claim", "page", "example", "scope", "kind", "verdict on 2.14.1", "value", "expected", *cols, "differs on 2.11 on this host", "reason kind", "reason"])
    for r in out:
        for c in r["checks"]:
            w.writerow([r["claim"], f"{r['page']}:{r['line']}", r["example"], r["scope"], r["kind"], r["verdict_2.14.1"], c["value"], c["expect"], *(c[n] for n in cols), r["differs_on_2.11_this_host"], r["reason_kind"], r["reason"]])

def cut(s, n=70):
    s = s.replace("|", "\\|").replace("\n", " ")
    return s if len(s) <= n else s[: n - 1] + "…"

def table(which):
    lines = ["| claim | value | expected | record (2.11) | 2.14.1 | 2.14.1 again | 2.14.1, released cuBLAS | 2.11 here | 2.11, 0869dd2a | 2.11 here differs | reason |", "|" + "---|" * 11]
    for r in which:
        checks = r["checks"][:3]
        for i, c in enumerate(checks):
            more = f" (and {len(r['checks']) - 3} more checks)" if i == 2 and len(r["checks"]) > 3 else ""
            lines.append("| " + " | ".join([f"`{r['claim']}`" if i == 0 else "", f"`{cut(c['value'].split(':')[1], 60)}`{more}", cut(c["expect"], 60), *(cut(c[n], 60) for n in cols), r["differs_on_2.11_this_host"] if i == 0 else "", f"**{r['reason_kind']}**: {r['reason']}".replace("|", "\\|") if i == 0 else ""]) + " |")
    return "\n".join(lines)

scope = [r for r in out if r["kind"] == "in scope"]
capped = [r for r in out if r["kind"] == "capped" and r["verdict_2.14.1"] != "holds"]
fine = [r for r in out if r["kind"] == "capped" and r["verdict_2.14.1"] == "holds"]
text = f"""# What does not hold on torch 2.14.1

Values of one process each; `record` is the median of the record's processes with its interval. "failed" means the example did not run. The full texts and every check: differences.json, differences.csv.

## Claims in scope ({len(scope)})

{table(scope)}

## Claims whose scope ends before 2.14, judged without that end: these do not hold ({len(capped)})

{table(capped)}

## Claims whose scope ends before 2.14, judged without that end: these still hold ({len(fine)})

{chr(10).join(f"- `{r['claim']}` ({r['scope']}), {r['page']}:{r['line']}, example `{r['example']}`" for r in fine)}
"""
(R / "differences.md").write_text(text)
from collections import Counter
print(Counter(r["reason_kind"] for r in scope), Counter(r["reason_kind"] for r in capped), len(fine))
