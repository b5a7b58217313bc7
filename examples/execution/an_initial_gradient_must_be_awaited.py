"""
An initial gradient must be awaited
===================================

May the gradient that backward starts from come from another stream? Not unless the stream that
calls backward waits for it. The race is easy to overlook: it does not show when memory happens to
hold the right values from earlier, or when the forward pass ran in the same stream.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.ones(1000, device="cuda", requires_grad=True)
loss = (3 * x).sum()
initial = torch.ones_like(loss)
side.wait_stream(here)
with torch.cuda.stream(side):
    initial.record_stream(side)
    loss.backward(initial)
here.wait_stream(side)
print(x.grad.mean().item())

# %%
# There are four ways to make the initial gradient. Each uses the result where it calls backward.


def make_here(backward, loss, x):
    initial = torch.ones_like(loss)
    with torch.cuda.stream(side):
        return backward(loss, x, initial).clone()


def make_here_and_wait(backward, loss, x):
    initial = torch.ones_like(loss)
    side.wait_stream(here)
    with torch.cuda.stream(side):
        initial.record_stream(side)
        return backward(loss, x, initial).clone()


def make_in_the_block(backward, loss, x):
    with torch.cuda.stream(side):
        initial = torch.ones_like(loss)
        return backward(loss, x, initial).clone()


def leave_it_out(backward, loss, x):
    with torch.cuda.stream(side):
        return backward(loss, x, None).clone()


# %%
# Three functions start a backward pass.


def tensor_backward(loss, x, initial):
    loss.backward(initial)
    return x.grad


def autograd_backward(loss, x, initial):
    torch.autograd.backward(loss, initial)
    return x.grad


def autograd_grad(loss, x, initial):
    return torch.autograd.grad(loss, x, initial)[0]


# %%
# The stream that makes the initial gradient is held. That gradient's memory already held a number:
# a tensor of that size is freed right before the try, in both streams. (``_sleep`` is private to
# PyTorch and may change.)

COUNT = 2**20
HOLD = 20_000_000  # cycles of the GPU's clock, about ten milliseconds


def attempt(way, backward, forward_in, leftover):
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    x.grad = torch.zeros_like(x)
    torch.cuda.synchronize()
    with torch.cuda.stream(forward_in):
        loss = (3 * x).sum()
    for stream in (here, side):
        with torch.cuda.stream(stream):
            torch.full_like(loss, leftover)
    torch.cuda.synchronize()
    with torch.cuda.stream(here if way in (make_here, make_here_and_wait) else side):
        torch.cuda._sleep(HOLD)
        late = torch.cuda.current_stream().record_event()
    used = way(backward, loss, x)
    host_waited = late.query()
    torch.cuda.synchronize()
    return bool((used == 0).all()), bool((used == 3).all()), host_waited


# %%
# Try every way with every function, and two more cases in which the race exists but does not show.

TRIES = 20
FUNCTIONS = tensor_backward, autograd_backward, autograd_grad
CASES = [(make_here, f, side, 0) for f in FUNCTIONS]
CASES += [(make_here_and_wait, f, side, 0) for f in FUNCTIONS]
CASES += [(make_in_the_block, f, here, 0) for f in FUNCTIONS]
CASES += [(leave_it_out, f, here, 0) for f in FUNCTIONS]
CASES += [(make_here, tensor_backward, side, 1), (make_here, tensor_backward, here, 0)]
NAMES = [f"{way.__name__}, {function.__name__}" for way, function, *_ in CASES[:-2]]
NAMES += ["make_here over ones", "make_here, forward here"]
rows = []
for name, case in zip(NAMES, CASES):
    attempt(*case)  # not counted: the first launch of a kernel waits
    stale, right, waited = map(sum, zip(*[attempt(*case) for _ in range(TRIES)]))
    row = {"case": name, "stale": stale, "right": right, "host_waited": waited}
    rows.append(row)
    print(row)

measured = {"tries": TRIES, "by_case": {"table": rows}}
