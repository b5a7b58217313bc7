"""
Whatever refers to a node keeps it
==================================

What keeps the node that adds up a leaf's gradients in its old stream, besides a graph? A hook on
several leaves does, and a gradient edge. A first gradient may hide the consequence: that of a
product is right without a wait, while that of a sum, or one that is added to zeros, is stale.
"""

import warnings

import torch
from torch.autograd.graph import get_gradient_edge, register_multi_grad_hook

# %%
# These functions run first, in the side stream; what they return is kept. By default, PyTorch gives
# the warning once a process.

torch.set_warn_always(True)
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
COUNT, TRIES = 2**20, 10
HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds


def graph_dropped(weight):
    (weight * 1).sum()


def graph_kept(weight):
    return weight * 1


def multi_grad_hook(weight):
    return register_multi_grad_hook([weight], lambda _: None)


def gradient_edge(weight):
    return get_gradient_edge(weight)


# %%
# Then forward runs in the current stream, and backward is called there or in the side stream, which
# is held. (``_sleep`` is private to PyTorch and may change.) The factors differ from try to try, so
# that old memory does not hold the right number by chance.


def caught_in(run, action="always"):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        run()
    return sum("AccumulateGrad node's stream" in str(w.message) for w in caught)


def product(weight, factor):
    return (factor * weight).sum()


def plain_sum(weight, factor):
    return weight.sum() * factor


def attempt(before, called_in, zeros, forward, turn):
    weight = torch.ones(COUNT, device="cuda", requires_grad=True)
    weight.grad = torch.zeros_like(weight) if zeros else None
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        kept = before(weight)
    loss = forward(weight, 3 + turn)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)

    def run():
        with torch.cuda.stream(called_in):
            loss.backward()

    warned = caught_in(run)
    used = weight.grad.clone()
    torch.cuda.synchronize()
    del kept
    return bool(warned), bool((used == 3 + turn).all())


CASES = {
    "graph dropped": (graph_dropped, here, True, product),
    "multi-grad hook": (multi_grad_hook, here, True, product),
    "gradient edge": (gradient_edge, here, True, product),
    "graph kept, first gradient": (graph_kept, side, False, product),
    "graph kept, first gradient of a sum": (graph_kept, side, False, plain_sum),
    "graph kept, added to zeros": (graph_kept, side, True, product),
}
rows = []
for name, case in CASES.items():
    attempt(*case, TRIES)  # not counted: the first launch of a kernel waits
    counts = map(sum, zip(*[attempt(*case, turn) for turn in range(TRIES)]))
    rows.append({"case": name} | dict(zip(("warned", "right"), counts)))
    print(rows[-1])

# %%
# Python itself shows a warning once for each line of code by default. How many does it let pass?

x = torch.ones(1000, device="cuda", requires_grad=True)
with torch.cuda.stream(side):
    kept = graph_kept(x)
here.wait_stream(side)


def passes():
    for _ in range(TRIES):
        (3 * x).sum().backward()


shown = {action: caught_in(passes, action) for action in ("default", "always")}
print(shown)

measured = {"tries": TRIES, "by_case": {"table": rows}}
measured |= {f"shown_by_{action}": count for action, count in shown.items()}
