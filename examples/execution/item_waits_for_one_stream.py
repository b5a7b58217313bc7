"""
item() waits for one stream
===========================

Does ``item()`` always read the newest value? It does if the current stream computes the value.
It does not wait for other streams, and may read an old value. ``torch.cuda.synchronize()``
waits for every stream, even one that only another thread uses.
"""

import threading

import torch

# %%
# A second stream writes a number after a delay. The delay stands in for long work; its function
# is private to PyTorch and may change.

DELAY, TRIES = 40_000_000, 10  # the first in cycles: some tens of milliseconds

side = torch.cuda.Stream()
number = torch.zeros(1, device="cuda")


def write(value, stream):
    with torch.cuda.stream(stream):
        torch.cuda._sleep(DELAY)
        number.fill_(value)


# %%
# Wrong: the default stream is idle, and ``item()`` does not wait for any other.


def read_at_once():
    return number.item()


# %%
# Right: the default stream first waits for the other one.


def read_behind():
    torch.cuda.current_stream().wait_stream(side)
    return number.item()


# %%
# Also right: ``item()`` is called in the stream that writes the number.


def read_inside():
    with torch.cuda.stream(side):
        return number.item()


# %%
# Each try writes a new number, and reads either that number or the previous one. Without
# waiting, ``query()`` tells whether the second stream is done.

value = 0


def attempt(read):
    global value
    value += 1
    write(value, side)
    got = read()
    is_busy = not side.query()
    torch.cuda.synchronize()
    return got == value - 1, got == value, is_busy


# %%
# The functions take turns, after a warm-up try for each that loads what it needs.

WAYS = [read_at_once, read_behind, read_inside]
for way in WAYS:
    attempt(way)
tries = [[attempt(way) for way in WAYS] for _ in range(TRIES)]
counts = {w.__name__: [sum(x) for x in zip(*t)] for w, t in zip(WAYS, zip(*tries))}
for name, (old, new, busy) in counts.items():
    print(f"{name:>12}: old {old}, new {new}, stream still busy {busy} of {TRIES}")

# %%
# Another thread creates its own stream and writes there. The main thread has never used that
# stream: does its ``torch.cuda.synchronize()`` wait for it?


def written_by_a_thread():
    marks = []

    def work():
        own = torch.cuda.Stream()
        write(-1, own)
        marks.append(own.record_event())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    was_early = marks[0].query()
    torch.cuda.synchronize()
    return not was_early and marks[0].query()


by_thread = sum(written_by_a_thread() for _ in range(TRIES))
print(f"of another thread's stream, synchronize() waited {by_thread} of {TRIES} times")

# %%
# Each count is a number of tries.

measured = {
    "tries": TRIES,
    "old_at_once": counts["read_at_once"][0],
    "busy_at_once": counts["read_at_once"][2],
    "new_behind": counts["read_behind"][1],
    "new_inside": counts["read_inside"][1],
    "synchronised": by_thread,
}
