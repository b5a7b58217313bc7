"""
Saved tensors can wait on the host
==================================

What does ``torch.autograd.graph.save_on_cpu`` save, and what does it cost? The tensors that
backward needs leave the GPU and come back later: peak memory falls, and the step takes
longer. With pinned memory, the slowdown is bearable. Checkpointing is the alternative.
"""

# sphinx_gallery_quiet = "host"
import torch
from torch.autograd.graph import save_on_cpu

net = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.Linear(2048, 512)).cuda()
batch = torch.rand(4096, 512, device="cuda")

with save_on_cpu(pin_memory=True):  # what the forward pass saves goes to the host
    loss = net(batch).square().mean()
print(f"after forward: {torch.cuda.memory_allocated() >> 20} MiB on the GPU")

loss.backward()  # outside: fetches each tensor when needed
print(f"gradients: {[tuple(tensor.grad.shape) for tensor in net.parameters()]}")

# %%
# Now use a larger network, with a ReLU behind each layer. From forward to backward, each
# layer has to keep a tensor of the size of the batch.

import time
from statistics import median

from torch.utils.checkpoint import checkpoint

LAYERS, WIDTH, BATCH, ROUNDS, STEPS = 8, 2048, 2048, 2, 4
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair))
batch = torch.rand(BATCH, WIDTH, device="cuda")

# %%
# There are four ways to compute the same loss. The context manager encloses only the forward
# pass, because that is when tensors are saved. Each checkpoint covers two layers and saves
# their input.


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
# A step ends when the GPU is idle. The peak counts what the step needed beyond what was
# already there: the model with its gradients, and the batch.


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
# Time the first step separately for the variants that allocate host memory for it.

WAYS = (plain, checkpointed, pinned, pageable)
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    _ = step(plain), step(checkpointed)
first = {way: step(way)[0] for way in (pinned, pageable)}

# %%
# Then time later steps. The variants take turns, but each runs several steps in a row, as a
# program does, because free memory on the host depends on what ran before. The first in a row
# does not count. The gradients of each variant are kept for a bitwise comparison.

times, peaks, gradients = {way: [] for way in WAYS}, {}, {}
for way in WAYS * ROUNDS:
    _, *later = [step(way) for _ in range(STEPS)]
    times[way] += [seconds for seconds, _ in later]
    peaks[way] = later[-1][1]
    gradients[way] = [parameter.grad.clone() for parameter in net.parameters()]

# %%
# A slowdown is relative to a plain step. The whole is the peak plus what was already there.

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
