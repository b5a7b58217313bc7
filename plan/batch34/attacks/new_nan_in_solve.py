"""Claim a-solution-may-hide-nan: the identity of 64 with NaN at [3,5] and [5,3] and ones on the right gives 64 ones.

REFUTED: that case gives something else (by default, with another library, in a batch). Reported
beside: at how many places one NaN is hidden, by size and library, and whether those solutions are ones.
"""
import subprocess, sys
P = '''
import sys, json, random, warnings, torch
warnings.simplefilter("ignore")
library, d = sys.argv[1], "cuda" if torch.cuda.is_available() else "cpu"
if library != "default":
    try: torch.backends.cuda.preferred_linalg_library(library)
    except Exception as e: print(json.dumps({"library": library, "unavailable": str(e)[:90]})); sys.exit()
def solved(m, n):
    try: return torch.linalg.solve(m, torch.ones(n, device=d))
    except Exception as e: return type(e).__name__
bad = torch.eye(64, device=d); bad[3, 5] = bad[5, 3] = float("nan")
x = solved(bad, 64); out = {"library": library, "page": x if isinstance(x, str) else (x == 1).sum().item()}
try:
    y = torch.linalg.solve(bad.expand(3, 64, 64).clone(), torch.ones(3, 64, 1, device=d)); out["batch"] = [(r == 1).sum().item() for r in y]
except Exception as e: out["batch"] = type(e).__name__
try: out["inv_finite"] = torch.linalg.inv(bad).isfinite().all().item()
except Exception as e: out["inv_finite"] = type(e).__name__
random.seed(0)
for n in (2, 8, 33, 64, 65, 256, 512, 1024):
    places = [(i, j) for i in range(n) for j in range(n)]
    if n > 8: places = random.sample(places, 400 if n <= 65 else 24) + [(k, k) for k in (0, n // 2, n - 1)]
    found = {"hidden, all ones": 0, "hidden, other": 0, "not finite": 0, "raised": 0, "hidden on the diagonal": 0}
    for i, j in places:
        m = torch.eye(n, device=d); m[i, j] = float("nan"); x = solved(m, n)
        if isinstance(x, str): found["raised"] += 1
        elif not x.isfinite().all(): found["not finite"] += 1
        else:
            found["hidden, all ones" if (x == 1).all() else "hidden, other"] += 1; found["hidden on the diagonal"] += i == j
    out[str(n)] = [len(places), {k: v for k, v in found.items() if v}]
    print(json.dumps(out), flush=True)
'''
import json
ps = {l: subprocess.Popen([sys.executable, "-c", P, l], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for l in ("default", "cusolver", "magma")}
bad, notes = [], []
for l, p in ps.items():
    try: out, err = p.communicate(timeout=24)
    except subprocess.TimeoutExpired:
        p.kill(); out, err = p.communicate(); bad.append(f"{l} did not return: {out.splitlines()[-1:]}")
    if p.returncode not in (0, -9): notes.append(f"{l} ended with {p.returncode}: {err[-150:]}")
    last = json.loads(out.splitlines()[-1]) if out.splitlines() else {}
    notes.append(last)
    if l == "default" and "page" not in last: raise SystemExit(f"the default gave nothing: {notes}")
    if "page" in last and last["page"] != 64: bad.append(f"{l}: {last['page']} ones in the page's case")
    if "batch" in last and last["batch"] != [64] * 3: notes.append(f"{l}: a batch of three gives {last['batch']}")
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} {notes}")
