"""
A thousand launches fill the queue
==================================

How far can the host run ahead of the GPU? A call that launches a kernel returns at once until
about a thousand launches wait in its stream. The next call returns when one of them is done.
"""

import torch

x = torch.zeros(2**20, device="cuda")
x.add_(1)  # the first call loads the kernel, and may wait
torch.cuda.synchronize()

held = torch.cuda.Event()
torch.cuda._sleep(20_000_000)  # some milliseconds of work; private, and may change
held.record()
for _ in range(100):
    x.add_(1)  # queued, not done
print("is the GPU still busy with the first kernel?", not held.query())
print(x[0].item())  # waits for all hundred

# %%
# How many calls return while a kernel that only sleeps holds the stream? The count ends with the
# first call that returns after that kernel. Behind a sleep of three times the length it is the
# same, unless it was the sleep that ended.

CALLS, HOLD, TRIES = 3000, 60_000_000, 3  # the second in cycles: tens of milliseconds
side = torch.cuda.Stream()
small, large = torch.zeros(1, device="cuda"), torch.zeros(2**26, device="cuda")
a, b, c = torch.zeros(3, 256, 256, device="cuda")
events = [torch.cuda.Event() for _ in range(CALLS)]


def queued(call, cycles=HOLD):
    call(0)
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    held.record()
    for number in range(CALLS):
        call(number)
        if held.query():
            return number
    return CALLS


# %%
# Kernels of any size take a place each, and a recorded event takes one, too. Some calls launch
# several kernels, and fill the queue sooner; a view launches none.


ways = {
    "add": lambda _: small.add_(1),
    "large-add": lambda _: large.add_(1),
    "matmul": lambda _: torch.mm(a, b, out=c),
    "event": lambda number: events[number].record(),
    "three-adds": lambda _: (small.add_(1), small.add_(1), small.add_(1)),
    "view": lambda _: small.view(1, 1),
}
rows = []
for name, call in ways.items():
    counts = [queued(call) for _ in range(TRIES)]
    longer = queued(call, 3 * HOLD)
    row = {"call": name, "queued": min(counts), "most_queued": max(counts)}
    rows.append({**row, "queued_longer": longer})
    print("{:>12}: {} to {} calls, {} behind a longer sleep".format(*rows[-1].values()))

# %%
# Does each stream have a queue of its own? Fill that of the held stream almost, and count the
# calls that return in another, which waits for an event behind the sleep.


TAKEN = 900  # places of the first queue


def queued_beside():
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    held.record()
    side.wait_event(held)
    for _ in range(TAKEN):
        small.add_(1)
    with torch.cuda.stream(side):
        for number in range(CALLS):
            large[:1].add_(1)
            if held.query():
                return number
    return CALLS


beside = [queued_beside() for _ in range(TRIES)]
print(f"in a second stream, beside an almost full one: {beside}")

# %%
# What happens when the queue is full? The host waits, and no call is lost.

small.zero_()
torch.cuda.synchronize()
torch.cuda._sleep(HOLD)
for _ in range(CALLS):
    small.add_(1)
added = int(small.item())
print(f"{added} of {CALLS} additions were done")

# %%
# Every count is a number of calls.

measured = {
    "calls": CALLS,
    "taken": TAKEN,
    "added": added,
    "beside_queued": min(beside),
    "by_call": {"table": rows},
}
