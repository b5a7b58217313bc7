"""
A branch that ends early is not awaited
=======================================

May I read a retained gradient right after backward? Not if it belongs to a branch in another
stream that passes no gradient on: backward makes its caller wait for the streams in which leaves
get their gradients, and this branch reaches no leaf. Let the caller wait for the branch's stream.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
COUNT, TRIES = 2**20, 10
HOLD = 40_000_000  # cycles of the GPU's clock: about twenty milliseconds

# %%
# Of three functions, one passes a gradient on, and one passes none. The backward of the third
# begins with a kernel that only sleeps. (``_sleep`` is private to PyTorch and may change.)


class PassesOn(torch.autograd.Function):
    @staticmethod
    def forward(_ctx, x):
        return x * 1

    @staticmethod
    def backward(_ctx, gradient):
        return gradient * 1


class PassesNone(PassesOn):
    @staticmethod
    def backward(_ctx, _gradient):
        return None


class Slow(PassesOn):
    @staticmethod
    def backward(_ctx, gradient):
        torch.cuda._sleep(HOLD)
        return gradient * 3


# %%
# The gradient is read at once, or after a wait.


def read_at_once(loss, y):
    loss.backward()
    return y.grad.clone()


def read_after_waiting(loss, y):
    loss.backward()
    here.wait_stream(side)
    return y.grad.clone()


# %%
# The current stream uses ``x`` first. Then a branch in the side stream uses it, whose ``y`` keeps
# its gradient. The factors differ from try to try: old memory does not hold the right number.
# Autograd warns that the two streams add to one gradient, which is meant here.

torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)


def attempt(read, function, turn):
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    total = (x * 2).sum()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        y = function.apply(x)
        y.retain_grad()
        total_aside = Slow.apply(y).sum() * (1 + turn)
    torch.cuda.synchronize()
    used = read(total + total_aside, y)
    torch.cuda.synchronize()
    return [bool((gradient == 3 * (1 + turn)).all()) for gradient in (used, y.grad)]


CASES = {
    "passes on, at once": (read_at_once, PassesOn),
    "passes none, at once": (read_at_once, PassesNone),
    "passes none, after waiting": (read_after_waiting, PassesNone),
}
rows = []
for name, case in CASES.items():
    attempt(*case, TRIES)  # not counted: the first launch of a kernel may wait
    tries = [attempt(*case, turn) for turn in range(TRIES)]
    right, in_the_end = map(sum, zip(*tries, strict=True))
    rows.append({"case": name, "right": right, "right_in_the_end": in_the_end})
    print(rows[-1])

measured = {"tries": TRIES, "by_case": {"table": rows}}
