"""
Overwriting must wait for readers
=================================

May a stream change a tensor that another stream reads? Not before that stream has read the tensor.
A second buffer lets both work, as long as it is kept: ``x = x + 1`` gives the first one away.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
factor = torch.randn(1024, 1024, device="cuda")
a, x = torch.zeros(2, 100, 100, device="cuda")


def earlier_work(products):
    for _ in range(products):
        factor @ factor


def show(way):
    for products in 0, 300:
        a.zero_()
        total = way(products)
        torch.cuda.synchronize()
        print(way.__name__, products, f"matmuls: {total.item():.0f} of {a.numel()}")
    return way


# %%
# A side stream sums ones after earlier work, and the current stream changes them, or waits first.


def add_up(values, products):
    side.wait_stream(here)
    with torch.cuda.stream(side):
        earlier_work(products)
        return values.sum()


@show
def change_at_once(products):
    x.fill_(1)
    total = add_up(x, products)
    x.add_(1)
    return total


@show
def change_after_waiting(products):
    x.fill_(1)
    total = add_up(x, products)
    read = side.record_event()
    here.wait_event(read)
    x.add_(1)
    return total


# %%
# A new tensor in each step is no second buffer: once the name ``y`` has let go of the first
# tensor, a later step takes its memory. It does not if the side stream is recorded as a user. Two
# more forms are counted alone: the result goes to a second tensor, or the first keeps a name.


@show
def rebind(products):
    y = torch.ones_like(x)
    total = add_up(y, products)
    for _ in range(3):
        y = y + 1
    return total


@show
def rebind_recorded(products):
    y = torch.ones_like(x)
    total = add_up(y, products)
    y.record_stream(side)
    for _ in range(3):
        y = y + 1
    return total


def change_another(products):
    x.fill_(1)
    total = add_up(x, products)
    torch.add(x, 1, out=a)
    return total


def rebind_kept(products):
    y = x.fill_(1)  # of which x is a second name
    total = add_up(y, products)
    for _ in range(3):
        y = y + 1
    return total


# %%
# Was the sum that of the ones? And was the change done while the side stream was still busy?


def attempt(way):
    total = way(300)
    here.synchronize()
    beside = not side.query()
    side.synchronize()
    return (total != x.numel()).item(), beside


TRIES = 20
WAYS = change_at_once, change_after_waiting, change_another, rebind
WAYS += rebind_recorded, rebind_kept
table = []
for way in WAYS:
    tries = [attempt(way) for _ in range(1 + TRIES)][1:]  # the first launch waits
    wrong, beside = map(sum, zip(*tries))
    table.append({"way": way.__name__, "wrong": wrong, "beside": beside})
    print(table[-1])
measured = {"tries": TRIES, "by_way": {"table": table}}
