"""The loop `[t.to('cuda') for t in tensors]` takes 12 ms in one example and 17 in another. Expects the difference to come from its neighbours in a round (freeing the kept tensors,
module.to('cpu') which empties and refills caches, the allocator's state), not from the loop: the two set-ups in one process give two times. Refuted if both give the same."""
import json, time, traceback
from statistics import median
try:
    import torch
    sync, now = torch.cuda.synchronize, time.perf_counter; N = 1000
    tensors = [torch.randn(1000) for _ in range(N)]; pinned = [t.pin_memory() for t in tensors]; block = list(torch.randn(N, 1000)); packed = torch.empty(N * 1000, pin_memory=True); module = torch.nn.Sequential(*[torch.nn.Linear(16, 16) for _ in range(500)])
    targets = [torch.empty(1000, device="cuda") for _ in tensors]
    L = {"to": lambda: [t.to("cuda") for t in tensors], "free": lambda: [t.to("cuda", non_blocking=True) for t in tensors], "to_block": lambda: [t.to("cuda") for t in block], "free_block": lambda: [t.to("cuda", non_blocking=True) for t in block],
         "pinned": lambda: [t.to("cuda", non_blocking=True) for t in pinned]}
    def one(f):
        sync(); b = now(); k = f(); sync(); return now() - b
    def pack(): torch.cat(tensors, out=packed); return packed.to("cuda", non_blocking=True).split(1000)
    end = now() + .4
    while now() < end: [one(f) for f in L.values()]; one(pack)
    def between_nothing(): pass
    def between_module(): module.to("cuda"); module.to("cpu")
    def between_pack(): one(pack)
    def between_foreach(): one(lambda: torch._foreach_copy_(targets, tensors, non_blocking=True))
    def between_pin(): [t.pin_memory() for t in tensors]
    def between_cold(): torch.ones(2**28, dtype=torch.uint8)
    def between_set(): torch.stack(tensors)
    for name, between in list(globals().items()):
        if not name.startswith("between_"): continue
        rows = {k: [] for k in L}
        for _ in range(5):
            for k, f in L.items(): between(); rows[k].append(one(f) * 1e3)
        print(json.dumps({name: {k: [round(min(v), 2), round(median(v), 2), round(max(v), 2)] for k, v in rows.items()}}), flush=True)
    for threads in (1, 4): 
        torch.set_num_threads(threads); print(json.dumps({"threads": threads, **{k: round(median(one(f) for _ in range(5)) * 1e3, 2) for k, f in L.items()}}))
except BaseException: traceback.print_exc()
