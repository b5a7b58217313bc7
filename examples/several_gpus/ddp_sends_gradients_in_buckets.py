"""
DDP sends gradients in buckets
==============================

When does ``DistributedDataParallel`` average the gradients? During the backward pass, one bucket
after another: the last layers leave while the first ones still wait for their gradients. With
``no_sync()`` nothing leaves, provided that the forward pass runs inside it as well.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
LAYERS, WIDTH, device = 16, 1024, torch.device("cuda", 0)
layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
net = torch.nn.Sequential(*layers).to(device)
model, passes = torch.nn.parallel.DistributedDataParallel(net), ([], [])


def hook(state, bucket):  # called for each bucket, when it is full
    sent.append(bucket.buffer().nbytes // 2**20)
    return allreduce_hook(state, bucket)


model.register_comm_hook(None, hook)
for sent in passes:  # noqa: B007, the hook fills it
    model(torch.randn(64, WIDTH, device=device)).sum().backward()
print(f"buckets in MiB: at first {passes[0]}, then {passes[1]}")

# %%
# How large the buckets are is a setting. This function wraps a new model, and notes for each
# bucket which layers it holds, and how many layers have no gradient yet when it leaves.


def watched(**settings):
    layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    net = torch.nn.Sequential(*layers).to(device)
    model = torch.nn.parallel.DistributedDataParallel(net, **settings)
    number = {id(layer.weight): i for i, layer in enumerate(layers)}
    ready, notes = [], []

    def note(state, bucket):
        held = [number[id(weight)] for weight in bucket.parameters()]
        row = {"bytes": bucket.buffer().nbytes, "layers": held}
        notes.append(row | {"missing": LAYERS - len(ready)})
        return allreduce_hook(state, bucket)

    model.register_comm_hook(None, note)
    for layer in layers:
        layer.weight.register_post_accumulate_grad_hook(ready.append)
    return model, ready, notes


x = torch.randn(64, WIDTH, device=device)


def backward_pass(model, ready, notes):
    ready.clear()
    notes.clear()
    model.zero_grad()
    model(x).sum().backward()
    return notes


# %%
# The first backward pass, the second, and the same for other caps.

by_cap = []
for cap in (None, 4, 16, 1000):
    parts = watched(bucket_cap_mb=cap)
    for which in ("first", "second"):
        notes = backward_pass(*parts)
        row = {"case": f"{cap or 'default'}, {which}"}
        row |= {"buckets": len(notes), "largest_bytes": max(n["bytes"] for n in notes)}
        row |= {"first_bytes": notes[0]["bytes"], "missing": notes[0]["missing"]}
        row |= {"last_missing": notes[-1]["missing"]}
        order = [layer for n in notes for layer in n["layers"]]
        row["backwards"] = order == list(range(LAYERS))[::-1]
        by_cap.append(row)
        print(row)

# %%
# How many buckets leave, by what is inside ``no_sync()``?

from contextlib import nullcontext

model, ready, notes = watched()
backward_pass(model, ready, notes)  # a pass as usual first
by_way = []
WAYS = ["forward and backward", "backward alone", "forward alone", "neither"]
for way in (*WAYS, "forward, with another one after it"):
    notes.clear()
    with model.no_sync() if "forward" in way else nullcontext():
        loss = model(x).sum()
    if "another" in way:
        model(x)
    with model.no_sync() if "backward" in way else nullcontext():
        loss.backward()
    by_way.append({"inside": way, "buckets": len(notes)})
    print(by_way[-1])
dist.destroy_process_group()

measured = {
    "layers": LAYERS,
    "sent_first": len(passes[0]),
    "sent": len(passes[1]),
    "layer_bytes": layers[0].weight.nbytes,
    "by_cap": {"table": by_cap},
    "by_way": {"table": by_way},
}
