"""
Offloading can run beside the computation
=========================================

Can saved tensors wait on the host without slowing down the step? Nearly, with custom hooks
that leave the weights on the GPU, copy the activations in a second stream, and fetch the next
one while the current one is in use. Faster layers hide less of the copying.
"""

# sphinx_gallery_quiet = "host"
import time
from contextlib import nullcontext

import torch
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks

# %%
# ReLU saves its output, and the next layer saves the same tensor as its input.

LAYERS, WIDTH, BATCH, ROUNDS = 8, 2048, 2048, 6
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair))
batch = torch.rand(BATCH, WIDTH, device="cuda")
stay = {tensor.untyped_storage().data_ptr() for tensor in (batch, *net.parameters())}

LARGE = 2**20  # bytes: anything smaller is not worth copying
on_host, leaving, back = [], [], {}  # saved, on their way out, and fetched back
side = torch.cuda.Stream()


def copy(source, target):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)
        return side.record_event()


# %%
# Autograd calls ``pack`` with what it saves, and stores what that returns. A tensor in
# ``leaving`` keeps its memory until its copy is done; two are enough to hide the copies.


def pack(tensor):
    if tensor.nbytes < LARGE or tensor.untyped_storage().data_ptr() in stay:
        return tensor
    for index, other, _ in leaving:
        if tensor.is_set_to(other):  # saved by a second operation
            return index
    on_host.append(torch.empty_like(tensor, device="cpu", pin_memory=True))
    leaving.append((len(on_host) - 1, tensor, copy(tensor, on_host[-1])))
    if len(leaving) > 2:
        leaving.pop(0)[-1].synchronize()
    return len(on_host) - 1


# %%
# In backward, ``unpack`` gets that value. While one tensor is in use, the next is fetched.


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
# The hooks cover the forward pass only. The peak excludes model, gradients and batch.

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
    seconds, peak = time.perf_counter() - begin, torch.cuda.max_memory_allocated()
    return seconds, peak - before, [tensor.grad.clone() for tensor in net.parameters()]


# %%
# The variants take turns. Slowdowns are relative to the plain step. Are the gradients the
# same? In full FP32, a layer computes for longer than its copies take; in TF32, it does not.


def compare():
    warm_until = time.perf_counter() + 0.1  # by time: the clocks must ramp up
    while time.perf_counter() < warm_until:
        _ = [step(way) for way in WAYS]
    rounds = [{way: step(way) for way in WAYS} for _ in range(ROUNDS)]
    for way in WAYS:
        ratios = [taken[way][0] / taken["plain"][0] for taken in rounds]
        _, peak, gradients = rounds[-1][way]
        same = all(map(torch.equal, gradients, rounds[-1]["plain"][2]))
        row = {"way": way, "peak_bytes": peak, "same_gradients": same}
        yield row | {"slowdown": {"samples": ratios}}


by_way = list(compare())
torch.backends.cuda.matmul.allow_tf32 = True
tf32 = {f"tf32_{row['way']}_slowdown": row["slowdown"] for row in list(compare())[1:]}
print(*by_way, tf32, sep="\n")
measured = {"by_way": {"table": by_way}} | tf32
