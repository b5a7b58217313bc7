"""
Packing beats many small copies
===============================

What is the fastest way to send a thousand small tensors to the GPU? Pack them into one pinned
buffer that is kept, copy it with a single call, and split it into views on the GPU. The only
remaining per-tensor cost is that of Python.
"""

# sphinx_gallery_quiet = "host"
import torch

COUNT, FLOATS = 1000, 1000
tensors = [torch.randn(FLOATS) for _ in range(COUNT)]
packed = torch.empty(COUNT * FLOATS, pin_memory=True)  # reused by every call
copied = torch.cuda.Event()


def pack_and_copy(tensors):
    copied.synchronize()  # the GPU has read the previous contents
    torch.cat(tensors, out=packed)
    gpu = packed.to("cuda", non_blocking=True)
    copied.record()
    return gpu.split(FLOATS)


parts = pack_and_copy(tensors)
print(f"{len(parts)} tensors on {parts[0].device}")

# %%
# PyTorch's tutorial on pinned memory also sends a thousand tensors of a thousand floats.
# Tensors with more than one dimension are flattened first and get their shape back on the
# GPU, at the cost of two more calls each.


import time
from statistics import median

ROUNDS = 4


def pack_with_shapes(tensors):
    parts = pack_and_copy([tensor.reshape(-1) for tensor in tensors])
    return [part.view(tensor.shape) for part, tensor in zip(parts, tensors)]


# %%
# If new tensors may overwrite the previous ones, the GPU buffer can be kept as well, and the
# views are created only once.

arrived = torch.empty(COUNT * FLOATS, device="cuda")
views = arrived.split(FLOATS)


def pack_into_views(tensors):
    copied.synchronize()
    torch.cat(tensors, out=packed)
    arrived.copy_(packed, non_blocking=True)
    copied.record()
    return views


# %%
# One call that takes both lists can fill tensors that already exist on the GPU. (PyTorch has
# no public name for it yet.)

targets = [torch.empty(FLOATS, device="cuda") for _ in tensors]


def foreach(tensors):
    torch._foreach_copy_(targets, tensors, non_blocking=True)
    return targets


# %%
# Compare all variants. The last one is for tensors that you fill yourself: if they are views
# of the pinned buffer, there is nothing to pack.

WAYS = {
    "to": lambda: [t.to("cuda") for t in tensors],
    "to_free": lambda: [t.to("cuda", non_blocking=True) for t in tensors],
    "foreach": lambda: foreach(tensors),
    "pack_with_shapes": lambda: pack_with_shapes(tensors),
    "pack_and_copy": lambda: pack_and_copy(tensors),
    "pack_into_views": lambda: pack_into_views(tensors),
    "packed_before": lambda: packed.to("cuda", non_blocking=True).split(FLOATS),
}

# %%
# The variants take turns, so that drift affects them all alike. Each delivers the same data.


def times_of_a_round():
    times = {}
    for name, way in WAYS.items():
        torch.cuda.synchronize()
        begin = time.perf_counter()
        kept = way()  # frees nothing before the clock is read
        torch.cuda.synchronize()
        times[name] = time.perf_counter() - begin
        assert torch.equal(torch.stack(kept), wanted), name
    return times


wanted = torch.stack(tensors).cuda()
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    times_of_a_round()
rounds = [times_of_a_round() for _ in range(ROUNDS)]

# %%
# A speedup compares a variant with the plain loop in the same round.

table = []
for name in WAYS:
    total = [times[name] for times in rounds]
    speedup = [times["to"] / times[name] for times in rounds]
    table.append({"way": name, "total_s": {"samples": total}})
    table[-1]["speedup"] = {"samples": speedup}
    print(f"{name:>16}: {median(total) * 1e3:6.3f} ms, {median(speedup):5.2f} times")
measured = {"tensors": COUNT, "floats": FLOATS, "by_way": {"table": table}}
