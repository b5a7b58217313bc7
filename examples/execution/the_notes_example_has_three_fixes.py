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
# The example from PyTorch's notes runs behind other work, and with a held stream.
# Before each try, the tensor is all zeros. ``torch.cuda._sleep`` is private to PyTorch and may
# change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
here, factor = torch.cuda.current_stream(), torch.randn(1024, 1024, device="cuda")
hold = products = 0


def fill():
    if hold:
        torch.cuda._sleep(hold)
    for _ in range(products):
        factor @ factor
    a.normal_()
    return here.record_event()


# %%
# The first form is wrong; the others wait in three ways.


def sum_at_once():
    filled = fill()
    with torch.cuda.stream(side):
        return a.sum(), filled.query()


def sum_after_wait_stream():
    filled = fill()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        return a.sum(), filled.query()


def sum_after_wait_event():
    filled = fill()
    side.wait_event(filled)
    with torch.cuda.stream(side):
        return a.sum(), filled.query()


def sum_after_synchronize():
    filled = fill()
    here.synchronize()
    with torch.cuda.stream(side):
        return a.sum(), filled.query()


# %%
# Is the sum that of the normal numbers? And did the host wait until they were there?


def attempt(way):
    torch.cuda.synchronize()
    a.zero_()
    torch.cuda.synchronize()
    total, host_waited = way()
    torch.cuda.synchronize()
    return (total != a.sum()).item(), host_waited


WAYS = sum_at_once, sum_after_wait_stream, sum_after_wait_event, sum_after_synchronize
for way in WAYS:
    attempt(way)  # not counted: the first launch of a kernel waits

# %%
# Without a held stream, the result depends on how far the host is ahead: how many matmuls are
# queued before the tensor is filled?

PRODUCTS, REPEATS = (0, 1, 4, 16), 5
natural = []
for products in PRODUCTS:
    attempt(sum_at_once)  # not counted
    tries = [[attempt(sum_at_once)[0] for _ in range(TRIES)] for _ in range(REPEATS)]
    shares = [sum(wrong) / TRIES for wrong in tries]
    natural.append({"products": products, "wrong_share": {"samples": shares}})
    print(f"behind {products} matmuls: wrong {sum(shares) / REPEATS:.0%}")

# %%
# With the stream held, the result does not depend on that.

hold, products = HOLD, 0
by_way = []
for way in WAYS:
    wrong, waited = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    by_way.append({"way": way.__name__, "wrong": wrong, "host_waited": waited})
    print(by_way[-1])

# %%
# Record the counts of tries, and the shares of tries that vary by nature.

measured = {"tries": TRIES, "by_work": {"table": natural}, "by_way": {"table": by_way}}
