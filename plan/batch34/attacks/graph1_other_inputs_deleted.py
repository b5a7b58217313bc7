"""Claim attacked: a deleted input's memory goes to the next tensor of its size, and the graph reads that. Other sizes, dtypes, and expandable segments."""
import os, subprocess, sys
P = """
import torch
bad = []
for size in (1, 1000, 2**18, 2**24, 2**27):
    for dtype in (torch.float32, torch.uint8):
        torch.ones(size, device="cuda", dtype=dtype) + 1
        def capture():
            x = torch.ones(size, device="cuda", dtype=dtype); g = torch.cuda.CUDAGraph()
            with torch.cuda.graph(g): y = x + 1
            return g, y
        g, y = capture()
        other = torch.full((size,), 7, device="cuda", dtype=dtype)
        g.replay()
        if not bool((y == 8).all()): bad.append((size, str(dtype), y[0].item()))
print(bad)
"""
found = {}
for conf in ("", "expandable_segments:True"):
    out = subprocess.run([sys.executable, "-c", P], env={**os.environ, "PYTORCH_ALLOC_CONF": conf} if conf else None, capture_output=True, text=True)
    found[conf] = out.stdout.strip() or out.stderr[-300:]
    print(conf or "default", found[conf])
print("HOLDS" if all(v == "[]" for v in found.values()) else "REFUTED in part: see above")
