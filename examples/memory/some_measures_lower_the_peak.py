"""
Some measures lower the peak
============================

What makes a training step need less memory? Checkpoints and offloading do, because layers save
less. Gradients that stay until the next forward pass add to its peak. An activation in place saves
no tensor that backward needs, and channels-last saves as many bytes as the default layout.
"""

import torch
from torch import nn
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import checkpoint_sequential

LAYERS, WIDTH, ROWS = 16, 2048, 4096
x = torch.randn(ROWS, WIDTH, device="cuda")


def chain(inplace=False):
    torch.manual_seed(0)
    with torch.device("cuda"):
        pairs = [(nn.Linear(WIDTH, WIDTH), nn.ReLU(inplace)) for _ in range(LAYERS)]
        return nn.Sequential(*(module for pair in pairs for module in pair))


# %%
# Each way trains the same network, and differs in one thing. Two of them keep gradients for
# longer: dropped only before backward, or set to zero instead of dropped.

SEGMENTS = 4


def plain(model, optimizer):
    optimizer.zero_grad()
    model(x).square().mean().backward()


def checkpoints(model, optimizer):
    optimizer.zero_grad()
    output = checkpoint_sequential(model, SEGMENTS, x, use_reentrant=False)
    output.square().mean().backward()


def offloaded(model, optimizer):
    optimizer.zero_grad()
    with save_on_cpu(pin_memory=True):
        loss = model(x).square().mean()
    loss.backward()


def dropped_late(model, optimizer):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()


def set_to_zero(model, optimizer):
    optimizer.zero_grad(set_to_none=False)
    model(x).square().mean().backward()


FUNCTIONS = (plain, checkpoints, offloaded, dropped_late, set_to_zero)
WAYS = {function.__name__: function for function in FUNCTIONS} | {"inplace": plain}

# %%
# The peak of a second step, without weights, the optimizer's state and the batch. A fused
# optimizer takes nothing for itself, so the peak is that of forward or backward. The gradients
# of a step are those of the plain one, or the way would train something else.


def peak_of(way):
    model = chain(inplace=way == "inplace")
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, fused=True)
    begin = torch.cuda.memory_allocated()
    for _ in range(2):
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        WAYS[way](model, optimizer)
        peak = torch.cuda.max_memory_allocated()
        optimizer.step()
    states = [v for s in optimizer.state.values() for v in s.values()]
    gradients = [parameter.grad.cpu() for parameter in model.parameters()]
    return peak - begin - sum(tensor.nbytes for tensor in states), gradients


rows, gradients = [], {}
plain(chain(), torch.optim.SGD(chain().parameters()))  # workspaces of libraries
for way in WAYS:
    peak, gradients[way] = peak_of(way)
    plain_bytes = rows[0]["peak_bytes"] if rows else peak
    row = {"way": way, "peak_bytes": peak, "peak_share": peak / plain_bytes}
    row["extra_bytes"] = peak - plain_bytes
    row["same"] = all(map(torch.allclose, gradients[way], gradients["plain"]))
    rows.append(row)
    print(row)

# %%
# A small convolutional network in both layouts: what it saves for backward.


def saved_bytes(layout):
    make = [nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU()]
    model = nn.Sequential(*make, nn.Conv2d(64, 64, 3, padding=1)).cuda()
    images = torch.randn(32, 64, 64, 64, device="cuda")
    model, images = model.to(memory_format=layout), images.to(memory_format=layout)
    model(images).sum().backward()  # workspaces, and gradients
    begin = torch.cuda.memory_allocated()
    kept = model(images).square().mean()  # with its graph
    return torch.cuda.memory_allocated() - begin, kept


LAYOUTS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}
saved = {name: saved_bytes(layout)[0] for name, layout in LAYOUTS.items()}
print(saved)
measured = {
    "by_way": {"table": rows},
    "gradients_bytes": sum(g.nbytes for g in gradients["plain"]),
    "contiguous_saved_bytes": saved["contiguous"],
    "channels_last_saved_share": saved["channels_last"] / saved["contiguous"],
}
