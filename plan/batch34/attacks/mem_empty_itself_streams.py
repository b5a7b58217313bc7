"""the-allocator-empties-its-cache-itself: cached in another stream, in the small pool, under a capture"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

total = torch.cuda.mem_get_info()[1]
torch.cuda.set_per_process_memory_fraction((256 * MIB + 1024) / total)
s = torch.cuda.Stream(); bad = []
with torch.cuda.stream(s):
    x = make(200)
del x
try: y = make(200)
except torch.OutOfMemoryError: bad.append("other stream")
try: del y
except NameError: pass
torch.cuda.empty_cache(); k = [torch.empty(2**20, dtype=torch.uint8, device="cuda") for _ in range(200)]; del k
try: y = make(200)
except torch.OutOfMemoryError: bad.append("small pool")
verdict(bad, f"failed: {bad}")
