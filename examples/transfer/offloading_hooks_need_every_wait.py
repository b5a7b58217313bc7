"""
Offloading hooks need every wait
================================

Hooks that offload in a second stream wait twice, hold what they copy, and recognise a tensor only
while they hold it. Leaving one of these out makes the gradients silently wrong.
"""

from contextlib import nullcontext

import torch
from torch.autograd.graph import saved_tensors_hooks

# %%
# The layers have activations of equal size, so that each can reuse the memory of an earlier one.

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
# Has this tensor been copied already? Its address identifies it only while it is held.


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
# In the backward pass, the computation waits for the copy.


def unpack(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    target = torch.empty_like(on_host[packed], device="cuda")
    arrived = copy(on_host[packed], target)
    if left_out != "wait-for-copy":
        here.wait_event(arrived)
    return target


# %%
# Run one step. A kernel that only sleeps can hold either stream before each pass.


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
# Do the gradients differ from those without hooks? A new batch makes old bytes wrong.


def is_wrong(held, cycles):
    batch.uniform_()
    got = gradients(saved_tensors_hooks(pack, unpack), held, cycles)
    right = gradients(nullcontext())
    return not all(map(torch.equal, got, right))


# %%
# Leave out one thing at a time, with the stream held whose delay reveals it.

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
