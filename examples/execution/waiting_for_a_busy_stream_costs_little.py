"""
Waiting for a busy stream costs little
======================================

What does a wait in a stream cost the host while there is something to wait for? The calls return
while the other stream is busy, and a wait costs less than the call that launches a small kernel.
"""

import time
from statistics import median

import torch

# %%
# A kernel that only sleeps keeps a stream busy for some milliseconds, and the event after it has
# not passed. Two launches serve for comparison: a small kernel's, and one without PyTorch's work
# for an operator. The function that sleeps is private to PyTorch and may change.

HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
event, timed = (torch.cuda.Event(enable_timing=timing) for timing in (False, True))
held, other = torch.cuda.Event(), torch.cuda.Event()
x = torch.zeros(1024, device="cuda")
CALLS = {
    "launch": lambda: x.add_(1),
    "bare launch": lambda: torch.cuda._sleep(1),
    "record": other.record,
    "wait_event": lambda: side.wait_event(event),
    "wait_event, timed": lambda: side.wait_event(timed),
    "wait_stream": lambda: side.wait_stream(here),
    "query": event.query,
}
BATCH, ROUNDS = 200, 10  # far fewer calls than the queue has places


def seconds_per_call(call, is_busy):
    torch.cuda.synchronize()
    if is_busy:
        torch.cuda._sleep(HOLD)
    for one in (event, timed, held):
        one.record()
    if not is_busy:
        torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(BATCH):
        call()
    took = (time.perf_counter() - begin) / BATCH
    return took, not held.query()


# %%
# Warm up for half a second. Then all calls take turns, forwards and backwards, and so do the idle
# and the busy stream.

WAYS = [(name, is_busy) for name in CALLS for is_busy in (False, True)]
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for name, is_busy in WAYS:
        seconds_per_call(CALLS[name], is_busy)
found = {way: [] for way in WAYS}
for turn in range(ROUNDS):
    for name, is_busy in WAYS[:: -1 if turn % 2 else 1]:
        found[name, is_busy].append(seconds_per_call(CALLS[name], is_busy))

# %%
# The host's seconds per call, and the batches that were called before the busy stream was done.

table, in_time = [], 0
for name in CALLS:
    idle, busy = (
        [took for took, _ in found[name, is_busy]] for is_busy in (False, True)
    )
    in_time += sum(early for _, early in found[name, True])
    table.append(
        {"call": name, "idle_s": {"samples": idle}, "busy_s": {"samples": busy}}
    )
    print(f"{name:>18}: {median(idle) * 1e6:.1f} µs, busy {median(busy) * 1e6:.1f} µs")
print(f"{in_time} of {ROUNDS * len(CALLS)} batches were called in time")

measured = {"batches": ROUNDS * len(CALLS), "in_time": in_time}
measured["by_call"] = {"table": table}
