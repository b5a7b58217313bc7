"""
A kept node accumulates in its old stream
=========================================

Why does PyTorch warn that the stream of the AccumulateGrad node does not match? The node that
adds up a leaf's gradients keeps the stream in which it was made. The node lives as long as a graph
or DistributedDataParallel refers to it, and it still runs in that stream in later passes.
"""

import warnings

import torch
from torch import distributed
from torch.cuda import current_stream

side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda", requires_grad=True)
with torch.cuda.stream(side):
    kept = x * 1  # makes the node of x, and keeps it alive; its value is not read
current_stream().wait_stream(side)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):  # two passes, one warning
        (3 * x).sum().backward()
print([str(warning.message)[:60] for warning in caught])

# %%
# PyTorch gives this warning once per process, unless it is told to give it each time. The group
# for DistributedDataParallel has a single process.

group = {"store": distributed.HashStore(), "rank": 0, "world_size": 1}
distributed.init_process_group("nccl", device_id=torch.device("cuda", 0), **group)
torch.set_warn_always(True)
here = current_stream()
wrapped = torch.nn.parallel.DistributedDataParallel
one, two, three = torch.tensor([[[1.0]], [[2.0]], [[3.0]]], device="cuda")

# %%
# These functions run first; what they return is kept. One pass may use one leaf in two streams.


def graph_dropped(model):
    model(two)


def graph_kept(model):
    return model(two)


def used_twice(model):
    def forward(x):
        first = model(one)
        with torch.cuda.stream(side):
            second = model(x - 1)
        current_stream().wait_stream(side)
        return first + second

    return forward


# %%
# Then forward runs in one stream, and backward is called there or in the side stream, which is
# held. (``_sleep`` is private to PyTorch and may change.) The gradient is zero before the pass.


def attempt(before, made_in, forward_in, called_in, warn=True):
    model, seen = torch.nn.Linear(1, 1024, bias=False, device="cuda"), []
    weight = model.weight
    weight.grad = torch.zeros_like(weight)
    weight.register_post_accumulate_grad_hook(lambda _: seen.append(current_stream()))
    torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(warn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.synchronize()
        with torch.cuda.stream(made_in):
            kept = before(model)
        torch.cuda.synchronize()
        with torch.cuda.stream(forward_in):
            loss = (kept if before in (wrapped, used_twice) else model)(three).sum()
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000)
            late = side.record_event()
        with torch.cuda.stream(called_in):
            loss.backward()
        used = weight.grad.clone()
        here.synchronize()
        waited = late.query()
        torch.cuda.synchronize()
    warned = any("AccumulateGrad node's stream" in str(w.message) for w in caught)
    right, stale = (bool((used == value).all()) for value in (3, 0))
    return warned, seen == [side], right, stale, waited


# %%
# A case names what is kept, its stream, and the streams of forward and backward. Count the passes
# that warned, were added up in the side stream, gave right or stale gradients, or waited for it.

TRIES = 10
CASES = {
    "graph dropped": (graph_dropped, side, here, here),
    "graph kept": (graph_kept, side, here, here),
    "graph kept, all here": (graph_kept, here, here, here),
    "graph kept, switched off": (graph_kept, side, here, here, False),
    "wrapped there": (wrapped, side, here, here),
    "wrapped and used there": (wrapped, side, side, side),
    "used in two streams": (used_twice, here, here, here),
    "graph dropped, called there": (graph_dropped, side, here, side),
    "graph kept, called there": (graph_kept, side, here, side),
}
rows = []
for name, case in CASES.items():
    attempt(*case)  # not counted: the first launch of a kernel waits
    counts = map(sum, zip(*[attempt(*case) for _ in range(TRIES)]))
    names = "warned", "added_in_side", "right", "stale", "waited"
    rows.append({"case": name} | dict(zip(names, counts)))
    print(rows[-1])
distributed.destroy_process_group()

measured = {"tries": TRIES, "first_warnings": len(caught), "by_case": {"table": rows}}
