"""(a) pinned_use_background_threads: how do next-pinning time and new blocks vary with the number and size of blocks? (b) Opening snippets run as they stand. (c) storage.pin_memory, tensor in swap?
(d) pin_memory from a sum, slices; (e) 'Don't pin what is copied once': full set. Expects (a) as the page says."""
import json, time, traceback
from statistics import median
try:
    import torch
    torch.cuda.init(); empty = getattr(torch.accelerator, "empty_host_cache", None) or torch._C._host_emptyCache; now = time.perf_counter
    def pin(n): return torch.empty(n, dtype=torch.uint8, pin_memory=True)
    def drop(count, size):
        ts = [pin(size) for _ in range(count)]; torch.cuda._sleep(20_000_000)
        for t in ts: t.to("cuda", non_blocking=True)
        del t, ts; torch.cuda.synchronize()
    def nxt(count, size, wait):
        drop(count, size); time.sleep(wait); b = now(); pin(size); return (now() - b) * 1e6
    def made(size, wait):
        empty(); pin(size); b = torch.cuda.host_memory_stats()["num_host_alloc"]; drop(1, size); time.sleep(wait); pin(size); return torch.cuda.host_memory_stats()["num_host_alloc"] - b
    for setting in ("False", "True"):
        torch._C._accelerator_setAllocatorSettings(f"pinned_use_background_threads:{setting}"); nxt(10, 4096, 0)
        for count in (1, 10, 100, 500):
            for wait in (0, .002): print(json.dumps({"background": setting, "count": count, "wait": wait, "next_us": round(median(nxt(count, 4096, wait) for _ in range(7)), 1), "new_of_10": sum(made(4096, wait) for _ in range(10)) if count == 1 else None}), flush=True)
except BaseException: traceback.print_exc()
