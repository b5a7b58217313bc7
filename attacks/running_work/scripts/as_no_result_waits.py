"""docs/execution/asynchronous.md: "What can the host do meanwhile? Anything that needs no result from the GPU: ... queue work on another GPU"
(and the list "When does the host wait?").
Attack: calls that need no result, behind a held stream: empty_cache, a new large allocation, pinning and freeing, a new stream, mem_get_info,
the first use of the second GPU, freeing a graph, dropping an out-of-cache block.
Refuted if one of them returns only after the held kernel."""
import gc
import time

import torch

event, x = torch.cuda.Event(), torch.ones(1000, device="cuda")
keep = {}


def behind(run, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    begin = time.perf_counter()
    run()
    seconds = time.perf_counter() - begin
    over = event.query()
    torch.cuda.synchronize()
    return over, seconds


def cache_a_block():
    keep["block"] = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    del keep["block"]


def make_a_graph():
    keep["graph"] = torch.cuda.CUDAGraph()
    with torch.cuda.graph(keep["graph"]):
        keep["out"] = x + 1
    keep["graph"].replay()


CASES = {  # what comes before, and the call
    "empty_cache": (cache_a_block, torch.cuda.empty_cache),
    "accelerator.empty_cache": (cache_a_block, torch.accelerator.empty_cache),
    "new 2 GiB": (torch.cuda.empty_cache, lambda: keep.update(big=torch.empty(2 << 30, dtype=torch.uint8, device="cuda"))),
    "pin 64 MiB": (int, lambda: keep.update(pinned=torch.empty(64 << 20, dtype=torch.uint8, pin_memory=True))),
    "drop a pinned tensor": (int, lambda: keep.pop("pinned")),
    "a new stream": (int, torch.cuda.Stream),
    "mem_get_info": (int, torch.cuda.mem_get_info),
    "drop a graph": (make_a_graph, lambda: (keep.pop("graph"), keep.pop("out"), gc.collect())),
    "reset_peak": (int, torch.cuda.reset_peak_memory_stats),
    "capture a graph": (int, make_a_graph),
}
if torch.cuda.device_count() > 1:
    CASES["first use of cuda:1"] = (int, lambda: torch.ones(1, device="cuda:1"))
waiting = {}
for name, (before, run) in CASES.items():
    before()
    cycles = 2_400_000_000 if "first" in name else 400_000_000  # about 1.2 s and 0.2 s
    over, seconds = behind(run, cycles)
    print(f"{name:25} {'waited' if over else 'returned'} after {1e3 * seconds:.1f} ms")
    if over:
        waiting[name] = f"{1e3 * seconds:.0f} ms"
print(f"REFUTED: calls that need no result and waited: {waiting}" if waiting else f"NOT REFUTED: {len(CASES)} calls without a result returned behind a held stream")
