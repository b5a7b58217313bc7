"""
An event marks what came before
===============================

What does a stream wait for when it waits for an event? The stream waits for the work that was
queued in the event's stream before the last record that precedes the wait. It does not wait for
work queued later, and it does not wait at all for an event that has not been recorded yet.
"""

import torch

side, x = torch.cuda.Stream(), torch.zeros(2**20, device="cuda")
x.add_(1)
ready = torch.cuda.Event()
ready.record()  # in the current stream, behind the addition
side.wait_event(ready)  # only now does this mean anything
with torch.cuda.stream(side):
    total = x.sum()
torch.cuda.current_stream().wait_stream(side)
print(total.item())

# %%
# The current stream works in two steps, each behind a kernel that only sleeps, and the side stream
# waits for a part of this work. ``torch.cuda._sleep`` is private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
here = torch.cuda.current_stream()


def step():
    torch.cuda._sleep(HOLD)
    return here.record_event()


# %%
# The event is recorded too late or in time; the wait comes before the second step.


def waited_before_recording():
    event = torch.cuda.Event()
    side.wait_event(event)
    first = step()
    event.record()
    return first, step()


def waited_after_recording():
    event = torch.cuda.Event()
    first = step()
    event.record()
    side.wait_event(event)
    return first, step()


def waited_for_the_stream():
    first = step()
    side.wait_stream(here)
    return first, step()


# %%
# The same event is recorded twice, and the wait comes between the two records or after both.


def waited_between_recordings():
    event = torch.cuda.Event()
    first = step()
    event.record()
    side.wait_event(event)
    second = step()
    event.record()
    return first, second


def waited_after_both_recordings():
    event = torch.cuda.Event()
    first = step()
    event.record()
    second = step()
    event.record()
    side.wait_event(event)
    return first, second


# %%
# Which steps are done when the side stream continues? And did the host wait?


def attempt(way):
    torch.cuda.synchronize()
    first, second = way()
    host_waited = first.query()
    side.synchronize()
    return first.query(), second.query(), host_waited


WAYS = waited_before_recording, waited_after_recording, waited_for_the_stream
WAYS += waited_between_recordings, waited_after_both_recordings
for way in WAYS:
    attempt(way)  # not counted: the first launch of a kernel waits
names, table = ("first_done", "second_done", "host_waited"), []
for way in WAYS:
    counts = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    table.append({"way": way.__name__, **dict(zip(names, counts))})
    print(table[-1])

# %%
# To the host, an event that was never recorded looks done, of whatever kind it is.

KINDS = {}, {"blocking": True}, {"enable_timing": True}, {"interprocess": True}
never = [torch.cuda.Event(**kind) for kind in KINDS]
never_done = all(event.query() for event in never)
[event.synchronize() for event in never]
measured = {"tries": TRIES, "by_way": {"table": table}, "never_done": never_done}
