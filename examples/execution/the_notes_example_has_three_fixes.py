"""
The notes' example has three fixes
==================================

May another stream read a tensor as soon as the line that fills it has returned? No: both
streams run independently, and the reader may come first. The stream can wait for the other
stream or for an event, or the host can wait.
"""

import torch

side = torch.cuda.Stream()
a = torch.empty(100, 100, device="cuda").normal_()
side.wait_stream(torch.cuda.current_stream())  # without this line, the sum may come first
with torch.cuda.stream(side):
    b = a.sum()
torch.cuda.current_stream().wait_stream(side)
print(b.item())

# %%
# The example of PyTorch's notes, with and without a held stream in front of it. Before each
# try, the tensor is all zeros. ``torch.cuda._sleep`` is private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles of the GPU's clock: some milliseconds
here, hold = torch.cuda.current_stream(), 0


def fill():
    if hold:
        torch.cuda._sleep(hold)
    a.normal_()
    return here.record_event()


# %%
# Wrong, and three ways to wait.


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
# Is the sum that of the normal numbers? And had the host waited until they were there?


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
# On an idle GPU, it depends on the size which comes first: filling a large tensor takes longer
# than launching the sum.

SIZES = (100, 1000, 10_000)
natural = []
for size in SIZES:
    a = torch.empty(size, size, device="cuda")
    attempt(sum_at_once)
    shares = [sum(attempt(sum_at_once)[0] for _ in range(TRIES)) / TRIES for _ in "12345"]
    natural.append({"size": size, "wrong_share": {"samples": shares}})
    print(f"{size} rows and columns, idle: wrong {sum(shares) / len(shares):.0%}")

# %%
# The size of the notes, with the stream held.

a, hold = torch.empty(SIZES[0], SIZES[0], device="cuda"), HOLD
by_way = []
for way in WAYS:
    wrong, waited = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    by_way.append({"way": way.__name__, "wrong": wrong, "host_waited": waited})
    print(by_way[-1])

# %%
# Counts of tries, and shares of tries that vary by nature.

measured = {"tries": TRIES, "by_size": {"table": natural}, "by_way": {"table": by_way}}
