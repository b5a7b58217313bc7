"""
A dropped gradient returns to its forward
=========================================

May I drop a gradient as soon as I have queued its use? Its memory belongs to the stream of the
forward pass, even if backward was called in another one. The forward's stream may hand it out
again while the other stream has yet to read the gradient, unless it waits for that stream.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.ones(2**20, device="cuda", requires_grad=True)
side.wait_stream(here)
with torch.cuda.stream(side):
    loss = (3 * x).sum()
here.wait_stream(side)
loss.backward()
total = x.grad.sum()
side.wait_stream(here)  # before side makes the next tensor
x.grad = None
print(total.item())

# %%
# Three ways to use a gradient in the current stream, and to drop it.


def drop_at_once(x):
    total = x.grad.sum()
    x.grad = None
    return total


def drop_after_a_wait(x):
    total = x.grad.sum()
    side.wait_stream(here)
    x.grad = None
    return total


def drop_recorded(x):
    total = x.grad.sum()
    x.grad.record_stream(here)
    x.grad = None
    return total


# %%
# The use is queued behind a kernel that only sleeps, and then a stream, usually that of forward,
# makes new tensors. Do they get the gradient's memory, and is its sum wrong? (``_sleep`` is private
# to PyTorch and may change.)

HOLD, TRIES, COUNT = 20_000_000, 15, 2**20  # cycles: about ten milliseconds


def add_up(x, forward, by_grad=False, graph=False):
    with torch.cuda.stream(forward):
        loss = (3 * x).sum()
    here.wait_stream(forward)
    if by_grad:
        (x.grad,) = torch.autograd.grad(loss, x)
    else:
        loss.backward(create_graph=graph)


def attempt(way, forward=side, following=side, earlier=None, **how):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    if earlier is not None:
        with torch.cuda.stream(earlier):
            (3 * x).sum().backward()
        torch.cuda.synchronize()
    add_up(x, forward, **how)
    address = x.grad.data_ptr()
    torch.cuda._sleep(HOLD)
    total = way(x)
    with torch.cuda.stream(following):
        new = [torch.full((COUNT,), 7.0, device="cuda") for _ in range(3)]
    reused = address in [tensor.data_ptr() for tensor in new]
    torch.cuda.synchronize()
    return reused, total.item() != (3 if earlier is None else 6) * COUNT


# %%
# With the wait, the memory is used again, too, but only after it has been read. The memory belongs
# to the stream that uses the gradient if forward ran there, or made an earlier gradient there. With
# ``create_graph=True``, the sum is a new tensor, and PyTorch warns that it may leak.

import warnings

warnings.filterwarnings("ignore", message="Using backward")
CASES = {
    "side": (drop_at_once, {}),
    "side, autograd.grad": (drop_at_once, {"by_grad": True}),
    "side, wait": (drop_after_a_wait, {}),
    "side, record": (drop_recorded, {}),
    "side, added to an earlier one": (drop_at_once, {"earlier": here}),
    "side, added in side": (drop_at_once, {"earlier": side}),
    "side, added in side, wait": (drop_after_a_wait, {"earlier": side}),
    "side, added with create_graph": (drop_at_once, {"earlier": here, "graph": True}),
    "current": (drop_at_once, {"forward": here}),
    "one stream": (drop_at_once, {"forward": here, "following": here}),
}
rows = []
for name, (way, how) in CASES.items():
    attempt(way, **how)  # not counted: the first launch of a kernel may wait
    tries = [attempt(way, **how) for _ in range(TRIES)]
    reused, wrong = map(sum, zip(*tries, strict=True))
    rows.append({"forward": name, "reused": reused, "wrong": wrong})
    print(rows[-1])

measured = {"tries": TRIES, "by_forward": {"table": rows}}
