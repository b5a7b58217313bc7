"""
Offloading hooks need every wait
================================

Hooks that offload in a second stream wait twice, hold what they copy, and know a tensor
again only while they hold it. What if one is left out? The gradients are silently wrong.
"""

from contextlib import nullcontext

import torch
from torch.autograd.graph import saved_tensors_hooks

# %%
# Layers whose activations are alike, so that each can get the memory of one before.

LAYERS, WIDTH, BATCH, TRIES = 8, 512, 1024, 5
pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair)).cuda()
batch = torch.rand(BATCH, WIDTH, device="cuda")
stay = {tensor.untyped_storage().data_ptr() for tensor in (batch, *net.parameters())}
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
on_host, leaving, addresses, left_out = [], [], {}, ""


def copy(source, target):
    if left_out != "wait-for-computation":
        side.wait_stream(here)
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)
        return side.record_event()


# %%
# Is a tensor one that was copied already? Its address says so only while it is held.


def known(tensor):
    if left_out == "hold-to-know":
        return addresses.setdefault(tensor.data_ptr(), len(on_host))
    same = [index for index, held, _ in leaving if tensor.is_set_to(held)]
    return same[0] if same else len(on_host)


def pack(tensor):
    if tensor.untyped_storage().data_ptr() in stay:
        return tensor
    index = known(tensor)
    if index == len(on_host):
        on_host.append(torch.empty_like(tensor, device="cpu", pin_memory=True))
        leaving.append((index, tensor, copy(tensor, on_host[index])))
        if left_out == "hold-while-copied":
            leaving.clear()
        if len(leaving) > 2:
            leaving.pop(0)[2].synchronize()
    return index


# %%
# In backward, the computation waits for the copy.


def unpack(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    target = torch.empty_like(on_host[packed], device="cuda")
    arrived = copy(on_host[packed], target)
    if left_out != "wait-for-copy":
        here.wait_event(arrived)
    return target


# %%
# One step. A kernel that only sleeps can hold either stream, before each pass.


def gradients(hooks, held=here, cycles=0):
    net.zero_grad()
    _ = on_host.clear(), leaving.clear(), addresses.clear()
    torch.cuda.synchronize()
    with torch.cuda.stream(held):
        torch.cuda._sleep(cycles)
    with hooks:
        loss = net(batch).square().mean()
    with torch.cuda.stream(held):
        torch.cuda._sleep(cycles)
    loss.backward()
    torch.cuda.synchronize()
    return [parameter.grad for parameter in net.parameters()]


# %%
# Are they others than without hooks? The batch is new, lest an old step's bytes be right.


def is_wrong(held, cycles):
    batch.uniform_()
    got = gradients(saved_tensors_hooks(pack, unpack), held, cycles)
    right = gradients(nullcontext())
    return not all(map(torch.equal, got, right))


# %%
# One thing after the other is left out, behind the stream whose delay shows it.

HOLD = 20_000_000  # cycles: some milliseconds, on any GPU
CASES = {
    "nothing": (here, side),
    "wait-for-computation": (here,),
    "wait-for-copy": (side,),
    "hold-while-copied": (side,),
    "hold-to-know": (here,),
}
is_wrong(side, 1000)  # loads the kernels, and allocates
table = []
for left_out, streams in CASES.items():
    tries = [is_wrong(held, HOLD) for held in streams for _ in range(TRIES)]
    table.append({"left_out": left_out, "tries": len(tries), "wrong": sum(tries)})
    print("without {left_out}: wrong in {wrong} of {tries}".format(**table[-1]))
measured = {"by_case": {"table": table}}
