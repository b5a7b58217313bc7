"""Claim attacked: only a kept autograd graph ties a capture to a warm-up in the default stream. Each case in its own process."""
import subprocess, sys
P = """
import sys, warnings, torch
warnings.simplefilter("ignore")
case = sys.argv[1]
m = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).cuda()
emb = torch.nn.Embedding(8, 8).cuda()
x = torch.rand(4, 8, device="cuda")
i = torch.arange(4, device="cuda")
kept = []
def step():
    m.zero_grad(); emb.zero_grad()
    h = emb(i) if "embedding" in case else x
    out = m(h)
    loss = out.sum()
    loss.backward(retain_graph="retain" in case)
    if "output" in case: kept[:] = [out]
    if "hidden" in case: kept[:] = [h]
    if "grad of loss" in case: kept[:] = [loss.detach()]
    if "item" in case: kept[:] = [loss.item()] if not torch.cuda.is_current_stream_capturing() else []
    if "shared" in case: kept[:] = [m[0].weight.sum()]
for _ in range(3): step()
g = torch.cuda.CUDAGraph()
try:
    with torch.cuda.graph(g): step()
    g.replay(); torch.cuda.synchronize(); print("captured")
except RuntimeError as e: print("failed", str(e).splitlines()[0])
"""
want = {"nothing": "captured", "output": "failed", "hidden embedding": "captured?", "grad of loss": "captured", "item": "captured", "shared": "failed", "retain": "captured", "embedding": "captured"}
bad = []
started = {c: subprocess.Popen([sys.executable, "-c", P, c], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for c in want}
for case, w in want.items():
    out = started[case].communicate()[0].strip()
    print(case, "->", out, "expected", w)
    if not w.endswith("?") and not out.startswith(w): bad.append(case)
print("REFUTED: " + ", ".join(bad) if bad else "HOLDS")
