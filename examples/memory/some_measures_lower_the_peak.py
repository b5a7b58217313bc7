"""
Some measures lower the peak
============================

What makes a training step need less memory? Checkpoints and offloading do, because layers save
less. Gradients that stay until the next forward pass add to its peak. An activation in place saves
no tensor that backward needs, and channels-last saves as many bytes as the default layout.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import checkpoint_sequential

LAYERS, WIDTH, ROWS = 16, 2048, 4096
x = torch.randn(ROWS, WIDTH, device="cuda")


def chain(inplace=False):
    torch.manual_seed(0)
    pairs = [(nn.Linear(WIDTH, WIDTH), nn.ReLU(inplace)) for _ in range(LAYERS)]
    return nn.Sequential(*(module for pair in pairs for module in pair)).to("cuda")


# %%
# Each way trains the same network, and differs in one thing: gradients are also dropped only before
# backward, or right after the step.


def plain(model, optimizer):
    optimizer.zero_grad()
    model(x).square().mean().backward()


def checkpoints(model, optimizer):
    optimizer.zero_grad()
    output = checkpoint_sequential(model, 4, x, use_reentrant=False)
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


def dropped_after(model, _optimizer):
    model(x).square().mean().backward()


WAYS = (plain, checkpoints, offloaded, dropped_late, dropped_after)
WAYS = {function.__name__: function for function in WAYS} | {"inplace": plain}

# %%
# The peak of a second step, without weights, state and batch. A fused optimizer takes nothing for
# itself, so the peak is that of forward or backward. Gradients must be those of the plain step.


def peak_of(way):
    model = chain(inplace=way == "inplace")
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, fused=True)
    begin = torch.cuda.memory_allocated()
    for is_last in (False, True):
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        WAYS[way](model, optimizer)
        peak = torch.cuda.max_memory_allocated()
        optimizer.step()
        if way == "dropped_after" and not is_last:
            optimizer.zero_grad()
    states = [v for s in optimizer.state.values() for v in s.values()]
    gradients = [parameter.grad.cpu() for parameter in model.parameters()]
    return peak - begin - sum(tensor.nbytes for tensor in states), gradients


rows, gradients = [], {}
plain(chain(), torch.optim.SGD(chain().parameters()))  # workspaces of libraries
for way in WAYS:
    peak, gradients[way] = peak_of(way)
    plain_bytes = rows[0]["peak_bytes"] if rows else peak
    same = all(map(torch.allclose, gradients[way], gradients["plain"]))
    row = {"way": way, "peak_bytes": peak, "extra_bytes": peak - plain_bytes}
    rows.append(row | {"peak_share": peak / plain_bytes, "same": same})
    print(rows[-1])

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
measured = {
    "by_way": {"table": rows},
    "gradients_bytes": sum(g.nbytes for g in gradients["plain"]),
    "contiguous_saved_bytes": saved["contiguous"],
    "channels_last_saved_share": saved["channels_last"] / saved["contiguous"],
}
