"""
``non_blocking`` speeds up a loop of copies
===========================================

Is a loop over many small tensors faster with ``non_blocking=True``, and do the tensors
have to be pinned for that? It is faster even without pinning, because by default the
host waits for each copy. Copying from pinned memory gains little here, and pinning
inside the loop costs more than it gains. A module with many small parameters gains as
well.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# Use a thousand tensors of a thousand floats, as in PyTorch's tutorial on pinned
# memory, and a module with as many parameters.

COUNT, FLOATS = 1000, 1000
ROUNDS = 2
tensors = [torch.randn(FLOATS) for _ in range(COUNT)]
pinned = [tensor.pin_memory() for tensor in tensors]
layers = [torch.nn.Linear(16, 16) for _ in range(COUNT // 2)]
module = torch.nn.Sequential(*layers)

# %%
# Compare ``cuda`` with ``to``, because the documentation of ``cuda`` says that
# ``non_blocking`` has no effect there if the source is pageable.


def pin_and_copy(tensor):
    return tensor.pin_memory().to("cuda", non_blocking=True)


WAYS = {
    "to": lambda: [t.to("cuda") for t in tensors],
    "to_free": lambda: [t.to("cuda", non_blocking=True) for t in tensors],
    "cuda": lambda: [t.cuda() for t in tensors],
    "cuda_free": lambda: [t.cuda(non_blocking=True) for t in tensors],
    "pinned_free": lambda: [t.to("cuda", non_blocking=True) for t in pinned],
    "pin_and_copy": lambda: [pin_and_copy(tensor) for tensor in tensors],
    "module": lambda: module.to("cuda"),
    "module_free": lambda: module.to("cuda", non_blocking=True),
}

# %%
# The variants take turns, so that drift affects them all alike. Each is timed until the
# GPU is idle.


def times_of_a_round():
    times = {}
    for name, way in WAYS.items():
        module.to("cpu")
        torch.cuda.synchronize()
        begin = time.perf_counter()
        kept = way()  # frees nothing before the clock is read
        torch.cuda.synchronize()
        times[name] = time.perf_counter() - begin
        del kept
    return times


# %%
# Warm up by time, not by count: the clocks must ramp up.

warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    times_of_a_round()
rounds = [times_of_a_round() for _ in range(ROUNDS)]
for name in WAYS:
    print(f"{name:>12}: {median(times[name] for times in rounds) * 1e3:6.3f} ms")

# %%
# A speedup compares two variants within the same round.


def speedup(name, over):
    return {"samples": [times[over] / times[name] for times in rounds]}


measured = {
    "to_s": {"samples": [times["to"] for times in rounds]},
    "to_free_s": {"samples": [times["to_free"] for times in rounds]},
    "to_speedup": speedup("to_free", over="to"),
    "cuda_speedup": speedup("cuda_free", over="cuda"),
    "pinning_speedup": speedup("pinned_free", over="to_free"),
    "pin_and_copy_slowdown": speedup("to_free", over="pin_and_copy"),
    "module_speedup": speedup("module_free", over="module"),
}
