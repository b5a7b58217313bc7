"""
A kept node accumulates in its old stream
=========================================

Why does PyTorch warn that the stream of the AccumulateGrad node does not match? The node that
adds up a leaf's gradients keeps the stream in which it was made. It lives as long as a graph,
or DistributedDataParallel, refers to it, and runs in that stream in later passes too.
"""

import warnings

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda", requires_grad=True)
with torch.cuda.stream(side):
    kept = x * 1  # makes the node of x, and keeps it alive
torch.cuda.current_stream().wait_stream(side)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    (3 * x).sum().backward()
print([str(warning.message)[:60] for warning in caught])

# %%
# PyTorch gives this warning only once per process, unless it is told to give it each time. The
# group for DistributedDataParallel has a single process.

group = {"store": distributed.HashStore(), "rank": 0, "world_size": 1}
distributed.init_process_group("nccl", device_id=torch.device("cuda", 0), **group)
torch.set_warn_always(True)
here, COUNT = torch.cuda.current_stream(), 1024
HOLD = 20_000_000  # cycles of the GPU's clock, about ten milliseconds


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(COUNT, device="cuda"))

    def forward(self, factor):
        return (factor * self.weight).sum()


# %%
# What happens before, and in which stream; what is returned is kept until the pass is over. One
# leaf may also be used in two streams within a single pass.


def nothing_kept(model):
    model(2)
    return model


def graph_kept(model):
    return model, model(2)


def wrapped(model):
    return DistributedDataParallel(model)


def used_twice(model):
    def forward(factor):
        first = model(1)
        with torch.cuda.stream(side):
            second = model(factor - 1)
        torch.cuda.current_stream().wait_stream(side)
        return first + second

    return forward


# %%
# Then forward runs in one stream, and backward is called there or in the side stream, which is
# held. (``_sleep`` is private to PyTorch and may change.) The gradient is zero before.


def attempt(before, made_in, forward_in, called_in, warn=True):
    model, seen = Scale(), []
    weight = model.weight
    weight.grad = torch.zeros_like(weight)
    weight.register_post_accumulate_grad_hook(
        lambda _: seen.append(torch.cuda.current_stream() == side)
    )
    torch.cuda.synchronize()
    torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(warn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.cuda.stream(made_in):
            kept = before(model)
        torch.cuda.synchronize()
        with torch.cuda.stream(forward_in):
            loss = (kept if callable(kept) else model)(3)
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(HOLD)
        with torch.cuda.stream(called_in):
            loss.backward()
        used = weight.grad.clone()
        torch.cuda.synchronize()
    texts = [str(warning.message) for warning in caught]
    warned = any("AccumulateGrad node's stream" in text for text in texts)
    return warned, seen == [True], bool((used == 3).all()), bool((used == 0).all())


# %%
# The cases: what is kept, its stream, that of forward, that of backward.

TRIES = 10
CASES = {
    "graph dropped": (nothing_kept, side, here, here),
    "graph kept": (graph_kept, side, here, here),
    "graph kept, all here": (graph_kept, here, here, here),
    "graph kept, switched off": (graph_kept, side, here, here, False),
    "wrapped there": (wrapped, side, here, here),
    "wrapped and used there": (wrapped, side, side, side),
    "used in two streams": (used_twice, here, here, here),
    "graph dropped, called there": (nothing_kept, side, here, side),
    "graph kept, called there": (graph_kept, side, here, side),
}
rows = []
for name, case in CASES.items():
    attempt(*case)  # not counted: the first launch of a kernel waits
    counts = map(sum, zip(*[attempt(*case) for _ in range(TRIES)]))
    row = dict(zip(("warned", "added_in_side", "right", "stale"), counts))
    rows.append({"case": name} | row)
    print(rows[-1])
distributed.destroy_process_group()

# %%
# The number of tries with the warning, in which the side stream added up the gradient, and in
# which the current one then used a right or a stale gradient.

measured = {"tries": TRIES, "by_case": {"table": rows}}
