"""
Offloading can run beside the computation
=========================================

Can saved tensors wait on the host without slowing the step down? With hooks of our own:
they leave the weights on the GPU, copy each activation once and in a second stream, and
fetch the next one while the current one is in use.
"""

import time
from contextlib import nullcontext
from statistics import median

import torch
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks

# %%
# ReLU saves what it gives, and the next layer saves the same tensor as its input.

LAYERS, WIDTH, BATCH, ROUNDS = 8, 2048, 2048, 6
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair))
batch = torch.rand(BATCH, WIDTH, device="cuda")
stay = {tensor.untyped_storage().data_ptr() for tensor in (batch, *net.parameters())}

# %%
# What was saved, what is still on its way to the host, and what is back on the GPU.

LARGE = 2**20  # bytes: less is not worth the copy
on_host, leaving, back = [], [], {}
side = torch.cuda.Stream()


def copy(source, target):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)
        return side.record_event()


# %%
# Autograd calls ``pack`` with what it saves, and keeps what that returns. A tensor in
# ``leaving`` keeps its memory until its copy is done; two suffice to hide the copies.


def pack(tensor):
    if tensor.nbytes < LARGE or tensor.untyped_storage().data_ptr() in stay:
        return tensor
    for index, other, _ in leaving:
        if tensor.is_set_to(other):  # a second operation saves the same
            return index
    on_host.append(torch.empty_like(tensor, device="cpu", pin_memory=True))
    leaving.append((len(on_host) - 1, tensor, copy(tensor, on_host[-1])))
    if len(leaving) > 2:
        leaving.pop(0)[-1].synchronize()
    return len(on_host) - 1


# %%
# In backward ``unpack`` gets that. While its tensor is used, the next one is fetched.


def unpack(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    back.pop(packed + 1, None)
    for index in (packed, max(packed - 1, 0)):
        if index not in back:
            target = torch.empty_like(on_host[index], device="cuda")
            back[index] = target, copy(on_host[index], target)
    tensor, arrived = back[packed]
    torch.cuda.current_stream().wait_event(arrived)
    leaving.clear()
    return tensor


# %%
# The forward pass stands in the context of its hooks. The peak is what a step needs
# beyond the model, its gradients and the batch.

WAYS = {
    "plain": nullcontext,
    "pinned": lambda: save_on_cpu(pin_memory=True),
    "beside": lambda: saved_tensors_hooks(pack, unpack),
}


def step(way):
    net.zero_grad(set_to_none=False)
    _ = on_host.clear(), back.clear()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before, begin = torch.cuda.memory_allocated(), time.perf_counter()
    with WAYS[way]():
        loss = net(batch).square().mean()
    loss.backward()
    torch.cuda.synchronize()
    return time.perf_counter() - begin, torch.cuda.max_memory_allocated() - before


# %%
# The ways take turns. Slowdowns are over the plain step; are the gradients the same?

warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    _ = [step(way) for way in WAYS]
times, peaks, gradients = {way: [] for way in WAYS}, {}, {}
for way in [*WAYS] * ROUNDS:
    seconds, peaks[way] = step(way)
    times[way].append(seconds)
    gradients[way] = [parameter.grad.clone() for parameter in net.parameters()]
table = []
for way, taken in times.items():
    same = all(torch.equal(*pair) for pair in zip(gradients[way], gradients["plain"]))
    slowdown = {"samples": [t / p for t, p in zip(taken, times["plain"])]}
    row = {"way": way, "peak_bytes": peaks[way], "same_gradients": same}
    table.append(row | {"slowdown": slowdown})
    print(f"{way:>6}: {peaks[way] >> 20} MiB, {median(taken) * 1e3:.1f} ms, {same}")
measured = {"by_way": {"table": table}}
