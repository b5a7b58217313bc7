"""Claim a-split-limit-saves-large-blocks: with max_split_size_mb:100 a block of 200 MiB is not split for 150 MiB (350 reserved), but one of 190 MiB takes all of it (200 reserved).

REFUTED: those two numbers come out otherwise in a side stream, in a graph's pool, after other tensors, or
in the older variable. Reported: from which size on a block is taken whole, for blocks of 120, 200 and 1,000 MiB.
"""
import json, os, subprocess, sys
P = '''
import json, torch
MIB = 2**20
def make(mib): return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")
def reserved(*sizes):
    torch.cuda.empty_cache(); before = torch.cuda.memory_reserved()
    for mib in sizes:
        t = None; t = make(mib)
    return (torch.cuda.memory_reserved() - before) // MIB
out = {"plain": [reserved(200, 150), reserved(200, 190)]}
with torch.cuda.stream(torch.cuda.Stream()): out["side stream"] = [reserved(200, 150), reserved(200, 190)]
keep = [make(n) for n in (3, 30, 110)]; out["after others"] = [reserved(200, 150), reserved(200, 190)]
pool = torch.cuda.MemPool()
def in_pool(*s):
    p = torch.cuda.MemPool(); b = torch.cuda.memory_reserved()
    with torch.cuda.use_mem_pool(p):
        for mib in s:
            t = None; t = make(mib)
        r = torch.cuda.memory_reserved() - b
    del t; return r // MIB
out["pool"] = [in_pool(200, 150), in_pool(200, 190)]
out["float64 shapes"] = []
for first, second in ((200, 150), (200, 190)):
    torch.cuda.empty_cache(); b = torch.cuda.memory_reserved(); t = torch.empty(first, 131072, dtype=torch.float64, device="cuda"); del t; t = torch.empty(second, 131072, dtype=torch.float64, device="cuda"); out["float64 shapes"].append((torch.cuda.memory_reserved() - b) // MIB); del t
out["whole from"] = {block: next(s for s in range(block - 60, block + 1) if reserved(block, s) == -(-block // 2) * 2) for block in (120, 200, 1000)}
print(json.dumps(out))
'''
bad, notes = [], {}
for name in ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"):
    e = {k: v for k, v in os.environ.items() if "ALLOC_CONF" not in k} | {name: "max_split_size_mb:100"}
    p = subprocess.run([sys.executable, "-c", P], env=e, capture_output=True, text=True)
    if not p.stdout: bad.append(f"{name}: {p.stderr[-200:]}"); continue
    r = notes[name] = json.loads(p.stdout)
    bad += [f"{name}, {k}: {v}" for k, v in r.items() if k not in ("whole from", "float64 shapes") and v != [350, 200]]
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} {notes}")
