"""
Overwriting must wait for readers
=================================

May a stream change a tensor that another stream reads? Not before that stream has read the tensor:
streams must wait in both directions, before they read new values and before they overwrite old
ones. A second buffer lets both streams work, as long as it is kept: ``x = x + 1`` in a loop gives
the first one away.
"""

import torch

# %%
# A side stream sums a tensor of ones, late, and the current stream changes the tensor.
# ``torch.cuda._sleep`` is private to PyTorch and may change.

COUNT, TRIES = 2**20, 20
HOLD = 20_000_000  # cycles of the GPU's clock: some milliseconds
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x, other = torch.ones(2, COUNT, device="cuda")


def add_up(values):
    side.wait_stream(here)
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        return values.sum(), side.record_event()


# %%
# The change is made in place at once, in place after waiting, or in another tensor at once.


def change_at_once():
    total, read = add_up(x)
    x.add_(1)
    return total, here.record_event(), read


def change_after_waiting():
    total, read = add_up(x)
    here.wait_event(read)
    x.add_(1)
    return total, here.record_event(), read


def change_another():
    total, read = add_up(x)
    torch.add(x, 1, out=other)
    return total, here.record_event(), read


# %%
# A new tensor in each step is no second buffer: once the name ``y`` has let go of the first
# tensor, a later step takes its memory. It does not if that tensor keeps a name, or if the side
# stream is recorded as a user.


def rebind():
    y = torch.ones(COUNT, device="cuda")
    total, read = add_up(y)
    for _ in range(3):
        y = y + 1
    return total, here.record_event(), read


def rebind_recorded():
    y = torch.ones(COUNT, device="cuda")
    total, read = add_up(y)
    y.record_stream(side)
    for _ in range(3):
        y = y + 1
    return total, here.record_event(), read


def rebind_kept():
    y = kept = torch.ones(COUNT, device="cuda")
    total, read = add_up(y)
    for _ in range(3):
        y = y + 1
    return total, here.record_event(), read, kept


# %%
# Was the sum that of the ones? And was the change done while the side stream was still busy?


def attempt(way):
    x.fill_(1)
    torch.cuda.synchronize()
    total, changed, read, *_kept = way()
    changed.synchronize()
    beside = not read.query()
    torch.cuda.synchronize()
    return (total != COUNT).item(), beside


WAYS = change_at_once, change_after_waiting, change_another, rebind
WAYS += rebind_recorded, rebind_kept
for way in WAYS:
    attempt(way)  # not counted: the first launch of a kernel waits
table = []
for way in WAYS:
    wrong, beside = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    table.append({"way": way.__name__, "wrong": wrong, "beside": beside})
    print(table[-1])

# %%
# Record the counts of tries.

measured = {"tries": TRIES, "by_way": {"table": table}}
