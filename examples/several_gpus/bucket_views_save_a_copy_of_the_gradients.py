"""
Bucket views save a copy of the gradients
=========================================

How much memory does ``DistributedDataParallel`` take? Its buckets hold every gradient a second
time. With ``gradient_as_bucket_view=True`` the gradients lie in the buckets.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*deprecated", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

device = torch.device("cuda", 0)
torch.cuda.set_device(device)
kind = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
dist.init_process_group("nccl", device_id=device, **kind)

net = torch.nn.Linear(4096, 4096, bias=False, device=device)
model = DistributedDataParallel(net, gradient_as_bucket_view=True)
for _ in range(3):
    model.zero_grad()
    model(torch.randn(16, 4096, device=device)).sum().backward()
print(f"{net.weight.grad.nbytes / 2**20:.0f} MiB of gradients lie in a bucket")

# %%
# Each way trains a model of its own: four layers. What is allocated is counted from before the
# model was made, and after the last of three steps, while the gradients are there. What was sent
# stays allocated until a thread has seen that it arrived, and then another collective is called.

import gc
import time

LAYERS, WIDTH = 4, 2048
del net, model
tick = torch.zeros(1, device=device)


def allocated():
    gc.collect()
    torch.cuda.synchronize()
    time.sleep(0.3)  # the thread looks ten times a second
    dist.all_reduce(tick)
    return torch.cuda.memory_allocated()


def after_steps(wrap):
    begin = allocated()
    sizes = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    model = wrap(torch.nn.Sequential(*sizes).to(device))
    made = allocated() - begin
    x = torch.randn(16, WIDTH, device=device)
    for _ in range(3):
        model.zero_grad()
        model(x).square().mean().backward()
    held = allocated() - begin
    weights = list(model.parameters())
    stores = {weight.grad.untyped_storage().data_ptr() for weight in weights}
    model.zero_grad()
    dropped = allocated() - begin
    return made, held, dropped, len(stores)


def with_views(model):
    return DistributedDataParallel(model, gradient_as_bucket_view=True)


WAYS = {"plain": lambda model: model, "DDP": DistributedDataParallel}
WAYS["DDP, views"] = with_views
after_steps(WAYS["plain"])  # the workspace of the first product
rows = []
for way, wrap in WAYS.items():
    made, held, dropped, stores = after_steps(wrap)
    row = {"way": way, "made_bytes": made, "held_bytes": held}
    rows.append(row | {"dropped_bytes": dropped, "stores": stores})
    print(rows[-1])

# %%
# What a view of a bucket forbids: changing whether it is part of a graph. ``zero_grad()`` drops
# the gradients by default, and does not need that.

model = with_views(torch.nn.Linear(32, 32).to(device))
model(torch.randn(16, 32, device=device)).sum().backward()
model.zero_grad()
model(torch.randn(16, 32, device=device)).sum().backward()
try:
    model.module.weight.grad.detach_()
    detached = "detached"
except RuntimeError as error:
    detached = error
print(detached)
dist.destroy_process_group()

measured = {
    "gradient_bytes": LAYERS * WIDTH * WIDTH * 4,
    "layers": LAYERS,
    "detached": detached,
    "by_way": {"table": rows},
}
