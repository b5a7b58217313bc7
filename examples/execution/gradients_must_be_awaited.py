"""
Gradients must be awaited
=========================

May the default stream use gradients right after a backward pass that another stream ran? Not
until it has waited for that stream. If the forward pass ran in the default stream, the mistake
does not show.
"""

import torch

side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda", requires_grad=True)
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    loss = (3 * x).sum()
    loss.backward()
# Before the gradient is used here:
torch.cuda.current_stream().wait_stream(side)
print(x.grad.mean().item())

# %%
# There are four ways to call backward and to use the gradient. They differ only in the streams.

here = torch.cuda.current_stream()


def use_in_the_block(loss, x):
    with torch.cuda.stream(side):
        loss.backward()
        return x.grad.clone()


def use_outside(loss, x):
    with torch.cuda.stream(side):
        loss.backward()
    return x.grad.clone()


def use_after_waiting(loss, x):
    with torch.cuda.stream(side):
        loss.backward()
    torch.cuda.current_stream().wait_stream(side)
    return x.grad.clone()


def call_outside(loss, x):
    loss.backward()
    return x.grad.clone()


# %%
# In each try, the gradient is zero at first, and backward adds threes to it in place: a stale
# gradient is therefore zero, whatever the memory held before. The side stream is held, but the
# current one is not. ``_sleep`` is private to PyTorch and may change.

COUNT = 2**20
HOLD = 20_000_000  # cycles of the GPU's clock, about ten milliseconds


def attempt(way, forward_in):
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    x.grad = torch.zeros_like(x)
    torch.cuda.synchronize()
    with torch.cuda.stream(forward_in):
        loss = (3 * x).sum()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        late = side.record_event()
    used = way(loss, x)
    host_waited = late.query()
    torch.cuda.synchronize()
    arrived = bool((x.grad == 3).all())  # once all is done, it is right in any case
    return bool((used == 0).all()), bool((used == 3).all()), host_waited, arrived


# %%
# The forward pass runs in either stream. A backward operation runs in the stream of its forward
# operation, wherever backward is called.

TRIES = 20
WAYS = use_in_the_block, use_outside, use_after_waiting, call_outside
rows = []
for way in WAYS:
    for name, forward_in in (("forward there", side), ("forward here", here)):
        attempt(way, forward_in)  # not counted: the first launch of a kernel waits
        tries = [attempt(way, forward_in) for _ in range(TRIES)]
        stale, right, waited, arrived = map(sum, zip(*tries))
        row = {"case": f"{way.__name__}, {name}", "stale": stale, "right": right}
        rows.append(row | {"host_waited": waited, "right_in_the_end": arrived})
        print(rows[-1])

# %%
# Count the tries in which the gradient was still zero, or already right, when it was used.

measured = {"tries": TRIES, "by_case": {"table": rows}}
