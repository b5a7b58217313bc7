"""
Switching streams waits for nothing
===================================

Does work in a new stream wait for work that was queued earlier in another? No: a switch of
streams changes only where the next work is queued. The host does not wait, and the stream
that it switches to does not wait either.
"""

import torch

side = torch.cuda.Stream()
x = torch.zeros(2**20, device="cuda")
with torch.cuda.stream(side):  # from here on, work is queued in the side stream
    side.wait_stream(torch.cuda.default_stream())  # without this line, it does not wait
    total = x.sum()
torch.cuda.default_stream().wait_stream(side)  # and back
print(total.item())

# %%
# A kernel that only sleeps holds one stream, and a short kernel is queued in another. The short
# kernel has overtaken if it is done while the first stream is still held. ``torch.cuda._sleep`` is
# private to PyTorch and may change.

HOLD, TRIES = 20_000_000, 20  # cycles of the GPU's clock: about ten milliseconds


def attempt(first, second):
    torch.cuda.synchronize()
    with torch.cuda.stream(first):
        torch.cuda._sleep(HOLD)
        held = first.record_event()
    with torch.cuda.stream(second):
        x.add_(1)
        done = second.record_event()
    host_waited = held.query()
    done.synchronize()
    return not held.query(), host_waited


# %%
# Switch into a side stream and out of it, between two side streams, and within one. The first
# launch of a kernel loads the kernel, and may wait.

default, other = torch.cuda.default_stream(), torch.cuda.Stream()
CASES = {
    "into": (default, side),
    "out": (side, default),
    "between": (side, other),
    "within": (side, side),
}
for streams in CASES.values():
    attempt(*streams)  # not counted
table = []
for case, streams in CASES.items():
    overtook, waited = map(sum, zip(*(attempt(*streams) for _ in range(TRIES))))
    table.append({"case": case, "overtook": overtook, "host_waited": waited})
    print(table[-1])

# %%
# Each thread has its own current stream: a thread that is started inside a
# block begins in the default stream. An error inside the block does not leave its stream current.

import threading

seen, outside = [], torch.cuda.current_stream() == default
with torch.cuda.stream(side):
    inside = torch.cuda.current_stream() == side
    thread = threading.Thread(target=lambda: seen.append(torch.cuda.current_stream()))
    thread.start()
    thread.join()
try:
    with torch.cuda.stream(side):
        raise KeyError
except KeyError:
    restored = torch.cuda.current_stream() == default
print(f"inside: {inside}; the thread's: {seen[0]}; restored: {restored}")

# %%
# Record the counts of tries and four statements.

measured = {
    "tries": TRIES,
    "by_case": {"table": table},
    "outside": outside,
    "inside": inside,
    "thread_begins_in_default": seen[0] == default,
    "restored": restored,
}
