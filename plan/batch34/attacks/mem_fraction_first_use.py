"""the-allocator-stops-at-the-limit: exactly at the limit, with pools, with pinned, with graphs"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

total = torch.cuda.get_device_properties(0).total_memory
print("same total:", total == torch.cuda.mem_get_info()[1])
torch.cuda.set_per_process_memory_fraction((64 * MIB + 1) / total)
bad = []
try: a = make(64)
except torch.OutOfMemoryError: bad.append("a tensor of the whole limit")
del a
pool = torch.cuda.MemPool()
with torch.cuda.use_mem_pool(pool):
    try: b = make(128); bad.append("a pool went beyond")
    except torch.OutOfMemoryError: pass
p = torch.empty(2**28, dtype=torch.uint8, pin_memory=True)
verdict(bad, f"{bad}")
