"""
Saved tensors can wait on the host
==================================

What does ``torch.autograd.graph.save_on_cpu`` save, and what does it cost? The tensors
that backward will need leave the GPU and come back: the peak falls, and the step takes
longer. With pinned memory that is bearable.
"""

import time
from statistics import median

import torch
from torch.autograd.graph import save_on_cpu

# %%
# Equal layers, each followed by ReLU. From forward to backward, each of them has a
# tensor of the size of the batch to keep.

LAYERS, WIDTH, BATCH = 8, 2048, 2048
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair))
batch = torch.rand(BATCH, WIDTH, device="cuda")

# %%
# Three ways to the same loss. Only the forward pass stands in the context manager: it
# is then that tensors are saved.


def plain():
    return net(batch).square().mean()


def pageable():
    with save_on_cpu():
        return net(batch).square().mean()


def pinned():
    with save_on_cpu(pin_memory=True):
        return net(batch).square().mean()


# %%
# A step ends when the GPU is idle. The peak is what it needed beyond what was there
# before: the model with its gradients, and the batch.


def step(way):
    net.zero_grad(set_to_none=False)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    begin = time.perf_counter()
    way().backward()
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    return seconds, torch.cuda.max_memory_allocated() - before


# %%
# A first step with pinned memory has to allocate it.

warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    _ = step(plain)
first_s, _ = step(pinned)

# %%
# The ways take turns; the slow one has a single turn. The gradients of each are kept
# for a comparison, bit by bit.

WAYS = (plain, pageable, pinned)
times, peaks, gradients = {way: [] for way in WAYS}, {}, {}
for way in WAYS + 2 * (plain, pinned):
    seconds, peaks[way] = step(way)
    times[way].append(seconds)
    gradients[way] = [parameter.grad.clone() for parameter in net.parameters()]

# %%
# A slowdown is over the plain step, round by round, and a share is of its peak.

table = []
for way, taken in times.items():
    same = all(torch.equal(*pair) for pair in zip(gradients[way], gradients[plain]))
    slowdown = {"samples": [t / p for t, p in zip(taken, times[plain])]}
    row = {"way": way.__name__, "peak_bytes": peaks[way], "same_gradients": same}
    share = peaks[way] / peaks[plain]
    table.append(row | {"peak_share": share, "slowdown": slowdown})
    shown = f"{peaks[way] >> 20} MiB, {median(taken) * 1e3:.1f} ms, same {same}"
    print(f"{way.__name__:>10}: {shown}")
print(f"first pinned step: {first_s * 1e3:.1f} ms")
measured = {
    "by_way": {"table": table},
    "first_slowdown": {"samples": [first_s / median(times[pinned])]},
}
