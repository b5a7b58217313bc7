"""
An event ends what came before
===============================

What does a stream wait for when it waits for an event? For what was queued in the event's stream
before the last record that precedes the wait: for no later work, and for nothing without a record.
"""

import torch

side, x = torch.cuda.Stream(), torch.zeros(2**20, device="cuda")
x.add_(1)
ready = torch.cuda.Event()
ready.record()  # in the current stream, after the addition
side.wait_event(ready)  # only now does this mean anything
with torch.cuda.stream(side):
    total = x.sum()
torch.cuda.current_stream().wait_stream(side)
print(total.item())

# %%
# The decorator ``show`` calls a form: on an idle GPU, and with many matmuls in each of two steps.

here, factor = torch.cuda.current_stream(), torch.randn(1024, 1024, device="cuda")
a, ends = torch.zeros(100, 100, device="cuda"), []


def earlier_work(products):
    for _ in range(products):
        factor @ factor
    ends.append(here.record_event())


def show(way):
    for products in 0, 300:
        a.zero_()
        total = way(products)
        torch.cuda.synchronize()
        print(way.__name__, products, f"matmuls: {total.item():.0f} of {a.numel()}")
    return way


# %%
# The first step fills a tensor. Its event is recorded after the wait, or before it.


@show
def waited_before_recording(products):
    event = torch.cuda.Event()
    side.wait_event(event)
    earlier_work(products)
    a.fill_(1)  # the first step
    event.record()
    with torch.cuda.stream(side):
        total = a.sum()
    earlier_work(products)  # the second step
    return total


@show
def waited_after_recording(products):
    event = torch.cuda.Event()
    earlier_work(products)
    a.fill_(1)  # the first step
    event.record()
    side.wait_event(event)
    with torch.cuda.stream(side):
        total = a.sum()
    earlier_work(products)  # the second step
    return total


# %%
# Or the side stream waits for the stream, or for an event that is recorded after each step.


def waited_for_the_stream(products):
    earlier_work(products)
    side.wait_stream(here)
    earlier_work(products)


def recorded_twice(products, wait_after):
    event = torch.cuda.Event()
    for step in 1, 2:
        earlier_work(products)
        event.record()
        if step == wait_after:
            side.wait_event(event)


# %%
# Which steps are done when the side stream continues? And did the host wait?

TRIES, NAMES = 20, ("first_done", "second_done", "host_waited")
ONCE = waited_before_recording, waited_after_recording, waited_for_the_stream
WAYS = {way.__name__: way for way in ONCE} | {
    "waited_between_recordings": lambda products: recorded_twice(products, 1),
    "waited_after_both_recordings": lambda products: recorded_twice(products, 2),
}


def attempt(way):
    torch.cuda.synchronize()
    way(300)
    first, second = ends[-2:]
    host_waited = first.query()
    side.synchronize()
    return first.query(), second.query(), host_waited


table = []
for name, way in WAYS.items():
    tries = [attempt(way) for _ in range(1 + TRIES)][1:]  # the first launch waits
    table.append({"way": name, **dict(zip(NAMES, map(sum, zip(*tries))))})
    print(table[-1])
# To the host, an event that was never recorded looks done, of whatever kind it is.
KINDS = {}, {"blocking": True}, {"enable_timing": True}, {"interprocess": True}
never_done = all(torch.cuda.Event(**kind).query() for kind in KINDS)
measured = {"tries": TRIES, "by_way": {"table": table}, "never_done": never_done}
