"""
Saved tensors can wait on the host
==================================

What does ``torch.autograd.graph.save_on_cpu`` save, and what does it cost? The tensors
that backward will need leave the GPU and come back: the peak falls, and the step takes
longer. With pinned memory that is bearable. Checkpointing is the other way to do it.
"""

import torch
from torch.autograd.graph import save_on_cpu

net = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.Linear(2048, 512)).cuda()
batch = torch.rand(4096, 512, device="cuda")

with save_on_cpu(pin_memory=True):  # what the forward pass saves goes to the host
    loss = net(batch).square().mean()
print(f"after forward: {torch.cuda.memory_allocated() >> 20} MiB on the GPU")

loss.backward()  # outside: it fetches each tensor when it needs it
print(f"gradients: {[tuple(tensor.grad.shape) for tensor in net.parameters()]}")

# %%
# Now larger, and with a ReLU behind each layer. From forward to backward, each of the
# layers has a tensor of the size of the batch to keep.

import time
from statistics import median

from torch.utils.checkpoint import checkpoint

LAYERS, WIDTH, BATCH, ROUNDS, STEPS = 8, 2048, 2048, 2, 4
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair))
batch = torch.rand(BATCH, WIDTH, device="cuda")

# %%
# Four ways to the same loss. Only the forward pass stands in the context manager: it
# is then that tensors are saved. A checkpoint saves what goes into two of the layers.


def plain():
    return net(batch).square().mean()


def checkpointed():
    output = batch
    for first in range(0, len(net), 4):
        output = checkpoint(net[first : first + 4], output, use_reentrant=False)
    return output.square().mean()


def pinned():
    with save_on_cpu(pin_memory=True):
        return net(batch).square().mean()


def pageable():
    with save_on_cpu():
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
# The first step by itself, of the ways that allocate memory on the host for it.

WAYS = (plain, checkpointed, pinned, pageable)
warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    _ = step(plain), step(checkpointed)
first = {way: step(way)[0] for way in (pinned, pageable)}

# %%
# Later ones. The ways take turns, but each runs some steps in a row, as a program does:
# what is free on the host then depends on what was free before. The first in a row does
# not count. The gradients of each way are kept for a comparison, bit by bit.

times, peaks, gradients = {way: [] for way in WAYS}, {}, {}
for way in WAYS * ROUNDS:
    _, *later = [step(way) for _ in range(STEPS)]
    times[way] += [seconds for seconds, _ in later]
    peaks[way] = later[-1][1]
    gradients[way] = [parameter.grad.clone() for parameter in net.parameters()]

# %%
# A slowdown is over a plain step. The whole is the peak with what was there before.

there = batch.nbytes + sum(p.nbytes + p.grad.nbytes for p in net.parameters())
base = median(times[plain])
table = []
for way, taken in times.items():
    same = all(torch.equal(*pair) for pair in zip(gradients[way], gradients[plain]))
    row = {"way": way.__name__, "same_gradients": same, "peak_bytes": peaks[way]}
    row["peak_share"] = peaks[way] / peaks[plain]
    row["whole_share"] = (there + peaks[way]) / (there + peaks[plain])
    table.append(row | {"slowdown": {"samples": [t / base for t in taken]}})
    shown = f"{way.__name__:>12}: {peaks[way] >> 20} MiB, milliseconds:"
    print(shown, *(f"{t * 1e3:.1f}" for t in taken))
measured = {"there_bytes": there, "by_way": {"table": table}}
for way, taken in first.items():
    print(f"first {way.__name__} step: {taken * 1e3:.1f} ms")
    measured[f"first_{way.__name__}_slowdown"] = {"samples": [taken / base]}
