"""
Reentrant checkpoints lose a share
==================================

May two branches in two streams use one weight, each in a checkpoint? With ``use_reentrant=True``,
each branch is computed again in a backward pass of its own, and neither of the two waits for the
other: one share of the weight's gradient may be lost. With ``use_reentrant=False``, both are there.
"""

import warnings

import torch
from torch.utils.checkpoint import checkpoint

warnings.simplefilter("ignore")  # the weight's node belongs to one of the two streams
here = torch.cuda.current_stream()
one, two = torch.cuda.Stream(), torch.cuda.Stream()
COUNT, TRIES = 2**20, 10
HOLD = 40_000_000  # cycles of the GPU's clock: about twenty milliseconds

# %%
# The backward of the second branch begins with a kernel that only sleeps. (``_sleep`` is private to
# PyTorch and may change.)


class Slow(torch.autograd.Function):
    @staticmethod
    def forward(_ctx, x):
        return x * 1

    @staticmethod
    def backward(_ctx, gradient):
        torch.cuda._sleep(HOLD)
        return gradient * 2


# %%
# Each branch multiplies by the weight; the first is ``left`` and the second ``right``.


def reentrant(left, right, x, y):
    with torch.cuda.stream(one):
        a = checkpoint(left, x, use_reentrant=True)
    with torch.cuda.stream(two):
        b = checkpoint(right, y, use_reentrant=True)
    return a, b


def not_reentrant(left, right, x, y):
    with torch.cuda.stream(one):
        a = checkpoint(left, x, use_reentrant=False)
    with torch.cuda.stream(two):
        b = checkpoint(right, y, use_reentrant=False)
    return a, b


def without_checkpoints(left, right, x, y):
    with torch.cuda.stream(one):
        a = left(x)
    with torch.cuda.stream(two):
        b = right(y)
    return a, b


# %%
# The current stream calls backward and reads the gradient at once. The factors differ from try to
# try, so that old memory does not hold the right number by chance.


def attempt(way, turn):
    weight = torch.ones(COUNT, device="cuda", requires_grad=True)
    factors = 3 + turn, 100 * (1 + turn)
    x, y = (torch.full_like(weight, factor, requires_grad=True) for factor in factors)
    torch.cuda.synchronize()
    a, b = way(lambda x: x * weight, lambda y: Slow.apply(y * weight), x, y)
    torch.cuda.synchronize()
    (a.sum() + b.sum()).backward()
    used = weight.grad.clone()
    torch.cuda.synchronize()
    return [bool((gradient == x + 2 * y).all()) for gradient in (used, weight.grad)]


rows = []
for way in (reentrant, not_reentrant, without_checkpoints):
    attempt(way, TRIES)  # not counted: the first launch of a kernel may wait
    tries = [attempt(way, turn) for turn in range(TRIES)]
    right, in_the_end = map(sum, zip(*tries, strict=True))
    rows.append({"way": way.__name__, "right": right, "right_in_the_end": in_the_end})
    print(rows[-1])

measured = {"tries": TRIES, "by_way": {"table": rows}}
