"""Claims emptying-in-each-step-is-slow and without-emptying-a-step-asks-for-nothing, under expandable_segments: does anything grow?

REFUTED: with expandable segments and empty_cache() in each step, reserved memory or what the driver
counts grows between step 20 and step 200 (by 16 MiB or more), or the peak of tensors differs from that without emptying.
"""
import json, os, subprocess, sys
P = '''
import sys, json, time, torch
empty = sys.argv[1] == "1"; torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(8)]).cuda(); opt = torch.optim.AdamW(model.parameters())
def used():
    free, total = torch.cuda.mem_get_info(); return total - free
at = {}
for step in range(201):
    if step == 20: torch.cuda.synchronize(); torch.cuda.reset_peak_memory_stats(); begin = time.perf_counter()
    opt.zero_grad(); model(torch.randn(64 + 37 * (step % 11), 1024, device="cuda")).square().sum().backward(); opt.step()
    if empty: torch.cuda.empty_cache()
    if step in (20, 200): torch.cuda.synchronize(); at[step] = (torch.cuda.memory_reserved(), used())
s = torch.cuda.memory_stats()
print(json.dumps({"reserved": [at[20][0], at[200][0]], "driver": [at[20][1], at[200][1]], "peak": torch.cuda.max_memory_allocated(), "peak_reserved": torch.cuda.max_memory_reserved(), "calls": s.get("num_device_alloc"), "ms": (time.perf_counter() - begin) / 180 * 1e3}))
'''
out = {}
for conf in ("expandable_segments:True",):
    for empty in "01":
        p = subprocess.run([sys.executable, "-c", P, empty], env=os.environ | {"PYTORCH_ALLOC_CONF": conf}, capture_output=True, text=True, timeout=14)
        out[conf + (" emptied" if empty == "1" else "")] = json.loads(p.stdout) if p.stdout else {"failed": p.stderr[-200:]}
bad = []
for n, r in out.items():
    print(n, r)
    if "failed" in r: bad.append((n, r["failed"])); continue
    if "expandable" in n and "emptied" in n:
        for k in ("reserved", "driver"):
            if r[k][1] - r[k][0] >= 2**24: bad.append(f"{n}: {k} grew by {(r[k][1] - r[k][0]) / 2**20:.0f} MiB")
        other = out["expandable_segments:True"]
        if abs(r["peak"] - other["peak"]) > 2**16: bad.append(f"{n}: peak {r['peak']} instead of {other['peak']}")
ms = {n: round(r.get("ms", 0), 2) for n, r in out.items()}
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} ms a step: {ms}")
