"""
Each pass awaits itself alone
=============================

May two backward passes in two streams add to the same gradient? Only if the second stream waits
for the first: backward makes its caller wait for its own operations, and not for an earlier pass
whose result it adds to. Otherwise one of the two shares may be lost.
"""

import torch

here = torch.cuda.current_stream()
one, two = torch.cuda.Stream(), torch.cuda.Stream()
x = torch.ones(2**20, device="cuda", requires_grad=True)
for stream in (one, two):
    stream.wait_stream(here)
    with torch.cuda.stream(stream):
        (3 * x).sum().backward()
    here.wait_stream(stream)  # the next pass waits for this one, too
print(x.grad.mean().item())

# %%
# The first pass runs in one stream, behind a kernel that only sleeps; the second, in the other,
# adds to its gradient. (``_sleep`` is private to PyTorch and may change.)

COUNT, TRIES = 2**20, 15
HOLD = 40_000_000  # cycles of the GPU's clock: about twenty milliseconds


def without_a_wait(pass_one, pass_two, x):
    with torch.cuda.stream(one):
        pass_one().backward()
    with torch.cuda.stream(two):
        pass_two().backward()
        return x.grad.clone()


def awaited(pass_one, pass_two, x):
    with torch.cuda.stream(one):
        pass_one().backward()
    two.wait_stream(one)
    with torch.cuda.stream(two):
        pass_two().backward()
        return x.grad.clone()


def called_in_one_stream(pass_one, pass_two, x):
    with torch.cuda.stream(one):
        loss = pass_one()
    loss.backward()
    del loss  # a kept graph would keep the leaf's node in its stream, which warns
    with torch.cuda.stream(two):
        loss = pass_two()
    loss.backward()
    return x.grad.clone()


# %%
# Before the first pass, the gradient is absent or zero. The factors differ from try to try, so that
# old memory does not hold the right number by chance.


def attempt(way, zeros, turn):
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    x.grad = torch.zeros_like(x) if zeros else None
    torch.cuda.synchronize()

    def pass_one():
        torch.cuda._sleep(HOLD)
        return ((3 + turn) * x).sum()

    def pass_two():
        return (100 * x).sum()

    used = way(pass_one, pass_two, x)
    torch.cuda.synchronize()
    return [bool((grad == 103 + turn).all()) for grad in (used, x.grad)]


# %%
# Count the tries in which the gradient was right where it was used, and once all was done.

rows = []
for way in (without_a_wait, awaited, called_in_one_stream):
    for before, zeros in (("none", False), ("zeros", True)):
        attempt(way, zeros, TRIES)  # not counted: the first launch of a kernel may wait
        tries = [attempt(way, zeros, turn) for turn in range(TRIES)]
        right, in_the_end = map(sum, zip(*tries))
        row = {"case": f"{way.__name__}, {before}", "right": right}
        rows.append(row | {"right_in_the_end": in_the_end})
        print(rows[-1])

measured = {"tries": TRIES, "by_case": {"table": rows}}
