"""Claim a-failed-capture-breaks-random-numbers, with ONE failed capture in each process (the page's five were in one).

REFUTED: after an error of CUDA in a first capture torch.rand works, says something else, or a later
capture does not repair it. Reported: other ways to draw, a generator of its own, manual_seed, a
capture without torch.cuda.graph.
"""
import json, subprocess, sys
P = '''
import sys, json, torch
case = sys.argv[1]; x = torch.ones(1000, device="cuda"); (x * 2).sum().item(); x.nonzero(); e = torch.cuda.Event(); e.record()
if case != "item, no random numbers before": torch.rand(3, device="cuda")
own = torch.Generator("cuda"); own.manual_seed(0); g = torch.cuda.CUDAGraph(); said = ""
BAD = {"synchronize": torch.cuda.synchronize, "nonzero": x.nonzero, "stream wait": lambda: torch.cuda.current_stream().synchronize(), "bool": lambda: bool(x[0]), "tolist": x.tolist}
f = BAD.get(case, lambda: x.sum().item())
try:
    if case == "item, by hand":
        s = torch.cuda.Stream()
        with torch.cuda.stream(s):
            g.capture_begin()
            try: f()
            finally: g.capture_end()
    else:
        with torch.cuda.graph(g):
            if case == "item, random numbers inside": torch.rand(3, device="cuda")
            f()
except Exception as error: said = type(error).__name__ + ": " + str(error).splitlines()[0][:70]
def t(f):
    try: f(); return "works"
    except Exception as error: return str(error).splitlines()[0][:80]
out = {"capture": said, "rand": t(lambda: torch.rand(3, device="cuda")), "dropout": t(lambda: torch.dropout(x, 0.5, True)), "randperm": t(lambda: torch.randperm(9, device="cuda")), "normal_": t(lambda: x.clone().normal_()), "own": t(lambda: torch.rand(3, device="cuda", generator=own)), "get_rng_state": t(torch.cuda.get_rng_state)}
out["after manual_seed"] = t(lambda: (torch.cuda.manual_seed(1), torch.rand(3, device="cuda")))
torch.cuda.set_stream(torch.cuda.default_stream())
def later():
    h = torch.cuda.CUDAGraph()
    with torch.cuda.graph(h): x.add_(1)
out["later capture"] = t(later); out["rand then"] = t(lambda: torch.rand(3, device="cuda"))
print(json.dumps(out))
'''
CASES = ("item", "item, no random numbers before", "item, random numbers inside", "item, by hand", "synchronize", "nonzero", "stream wait", "bool", "tolist")
ps = {c: subprocess.Popen([sys.executable, "-c", P, c], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for c in CASES}
MESSAGE = "Offset increment outside graph capture encountered unexpectedly."; bad = []
for c, p in ps.items():
    try: out, err = p.communicate(timeout=25)
    except subprocess.TimeoutExpired: p.kill(); out, err = "", "did not return"
    if not out: bad.append(f"{c}: ended with {p.returncode}: {err.strip()[-120:]}"); continue
    r = json.loads(out.splitlines()[-1]); print(c, r)
    if "Accelerator" not in r["capture"] and "CUDA error" not in r["capture"]: continue  # no error of CUDA
    if r["rand"] != MESSAGE: bad.append(f"{c}: rand {r['rand']}")
    if r["later capture"] != "works" or r["rand then"] != "works": bad.append(f"{c}: a later capture {r['later capture']}, rand then {r['rand then']}")
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} of {len(CASES)} ways, one failed capture each")
