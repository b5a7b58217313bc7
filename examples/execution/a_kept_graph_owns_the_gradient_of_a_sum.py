"""
A kept graph owns the gradient of a sum
=======================================

Forward's stream waits before I drop a gradient: is that enough? Not if a graph that uses the
weight is kept in a third stream. There, a first gradient that cannot be taken over, such as that
of a sum, is copied, and the memory of the copy is the third stream's. Let that stream wait, too.
"""

import torch

torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)  # it is meant
here, (side, third) = torch.cuda.current_stream(), [torch.cuda.Stream() for _ in "ab"]
weight = torch.ones(2**20, device="cuda", requires_grad=True)
third.wait_stream(here)
with torch.cuda.stream(third):
    kept = weight * 1  # its graph keeps the node of the weight in the third stream
side.wait_stream(here)
with torch.cuda.stream(side):
    loss = 3 * weight.sum()
here.wait_stream(side)
loss.backward()
total = weight.grad.sum()
side.wait_stream(here)
third.wait_stream(here)  # before the gradient is dropped
weight.grad = loss = None
print(total.item())

# %%
# The use of the gradient is queued behind a kernel that only sleeps. Then forward's stream waits,
# the gradient is dropped, and the third stream makes new tensors. (``_sleep`` is private to PyTorch
# and may change.)

COUNT, TRIES = 2**20, 10
HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds


def product(weight):
    return (3 * weight).sum()


def plain_sum(weight):
    return 3 * weight.sum()


def unprotected(_):
    pass


def awaited(_):
    third.wait_stream(here)


def recorded(gradient):
    gradient.record_stream(here)


# %%
# A try tells whether the third stream took the gradient's memory, and whether its sum is wrong.


def attempt(keep, forward, protect=unprotected):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    weight = torch.ones(COUNT, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    with torch.cuda.stream(third):
        kept = weight * 1
    kept = kept if keep else None
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    with torch.cuda.stream(side):
        loss = forward(weight)
    here.wait_stream(side)
    loss.backward()
    torch.cuda._sleep(HOLD)
    total = weight.grad.sum()
    address = weight.grad.data_ptr()
    side.wait_stream(here)
    protect(weight.grad)
    weight.grad = loss = None
    with torch.cuda.stream(third):
        new = [torch.full((COUNT,), 7.0, device="cuda") for _ in range(4)]
    taken = address in [tensor.data_ptr() for tensor in new]
    torch.cuda.synchronize()
    return taken, total.item() != 3 * COUNT


# %%
# Each case is tried once before, which does not count: the first launch of a kernel may wait.

CASES = {
    "dropped, product": (False, product),
    "dropped, sum": (False, plain_sum),
    "kept, product": (True, product),
    "kept, sum": (True, plain_sum),
    "kept, sum, third waits": (True, plain_sum, awaited),
    "kept, sum, record": (True, plain_sum, recorded),
}
rows = []
for name, case in CASES.items():
    attempt(*case)
    taken, wrong = map(sum, zip(*(attempt(*case) for _ in range(TRIES))))
    rows.append({"graph": name, "taken": taken, "wrong": wrong})
    print(rows[-1])

measured = {"tries": TRIES, "by_graph": {"table": rows}}
