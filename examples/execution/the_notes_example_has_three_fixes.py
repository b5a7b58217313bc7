"""
The notes' example has three fixes
==================================

May another stream read a tensor as soon as the line that fills it has returned? No: the two
streams run independently, and the reader may run first. The reader's stream can wait for the
other stream or for an event, or the host can wait.
"""

import torch

side = torch.cuda.Stream()
a = torch.empty(100, 100, device="cuda").normal_()
side.wait_stream(torch.cuda.current_stream())  # or the sum may come first
with torch.cuda.stream(side):
    b = a.sum()
torch.cuda.current_stream().wait_stream(side)  # or b may be read too early
print(b.item())

# %%
# The decorator ``show`` calls a form: on an idle GPU, and with many matmuls queued first.

here, factor = torch.cuda.current_stream(), torch.randn(1024, 1024, device="cuda")


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
# The first form is wrong, but on an idle GPU, the sum comes late enough. The second waits, and is
# right in both cases.


@show
def sum_at_once(products):
    earlier_work(products)
    a.fill_(1)
    with torch.cuda.stream(side):
        return a.sum()


@show
def sum_after_wait_stream(products):
    earlier_work(products)
    a.fill_(1)
    side.wait_stream(here)
    with torch.cuda.stream(side):
        return a.sum()


# %%
# Two other ways to wait.


def sum_after_wait_event(products):
    earlier_work(products)
    a.fill_(1)
    side.wait_event(here.record_event())
    with torch.cuda.stream(side):
        return a.sum()


def sum_after_synchronize(products):
    earlier_work(products)
    a.fill_(1)
    here.synchronize()
    with torch.cuda.stream(side):
        return a.sum()


# %%
# Counted in many tries: is the sum wrong? And did the host wait until the tensor was filled?

TRIES, REPEATS, MATMULS = 20, 5, 300
WAYS = sum_at_once, sum_after_wait_stream, sum_after_wait_event, sum_after_synchronize


def attempt(way, products):
    a.zero_()
    torch.cuda.synchronize()
    total = way(products)
    host_waited = here.query()
    torch.cuda.synchronize()
    return (total != a.numel()).item(), host_waited


by_way = []
for way in WAYS:
    attempt(way, MATMULS)  # not counted: the first launch of a kernel waits
    wrong, waited = map(sum, zip(*(attempt(way, MATMULS) for _ in range(TRIES))))
    by_way.append({"way": way.__name__, "wrong": wrong, "host_waited": waited})
    print(by_way[-1])

# %%
# How many matmuls does it take? That depends on how far the host is ahead.

natural = []
for products in 0, 1, 4, 16:
    attempt(sum_at_once, products)  # not counted
    tries = [attempt(sum_at_once, products)[0] for _ in range(TRIES * REPEATS)]
    shares = [sum(tries[i::REPEATS]) / TRIES for i in range(REPEATS)]
    natural.append({"products": products, "wrong_share": {"samples": shares}})
    print(f"behind {products} matmuls: wrong {sum(shares) / REPEATS:.0%}")
measured = {"tries": TRIES, "by_work": {"table": natural}, "by_way": {"table": by_way}}
