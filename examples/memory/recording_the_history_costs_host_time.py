"""
Recording the history costs host time
=====================================

What does it cost to record the memory history? Each allocation and each release takes the host
longer, the more so the more frames are recorded. The history grows with each event unless it is
limited.
"""

import time

import torch

record = torch.cuda.memory._record_memory_history
record(stacks="python", max_entries=100)
for _ in range(1000):
    torch.empty(1000, device="cuda")
events = torch.cuda.memory._snapshot()["device_traces"][torch.cuda.current_device()]
record(enabled=None)
print(f"{len(events)} events are kept")

# %%
# Ways to record: nothing, no stacks, Python's frames, and the default, which adds those of C++.
# Pairs of an allocation and its release are timed.

WAYS = {
    "off": {"enabled": None},
    "no stacks": {"context": None},
    "python": {"stacks": "python"},
    "default": {},
}
PAIRS, TIMES, ROUNDS = 100, 6, 10


def pairs():
    begin = time.perf_counter()
    for _ in range(PAIRS):
        torch.empty(1000, device="cuda")
    return (time.perf_counter() - begin) / PAIRS


def pair_s(way):
    record(clear_history=True, **WAYS[way], max_entries=10_000)
    taken = min(pairs() for _ in range(TIMES))
    record(enabled=None)
    return taken


# %%
# The ways take turns, forwards and backwards, and the fastest of some times counts: what the host
# does besides, such as throwing away the history before, makes a time longer.

taken = {way: [] for way in WAYS}
for number in range(ROUNDS):
    for way in list(WAYS)[:: -1 if number % 2 else 1]:
        taken[way].append(pair_s(way))
added = {}
for way in list(WAYS)[1:]:
    both = zip(taken[way], taken["off"], strict=True)
    added[way] = [with_it - off for with_it, off in both]
    print(f"{way}: {min(taken[way]):.2e} s a pair")


def over_python(way):
    both = zip(added[way], added["python"], strict=True)
    return {"samples": [mine / python for mine, python in both]}


# %%
# How many events does a history keep? All, or as many as it may. When recording stops, it keeps
# none: the snapshot must come first.


def history():
    return torch.cuda.memory._snapshot()["device_traces"][torch.cuda.current_device()]


def kept(count, **limits):
    record(clear_history=True, stacks="python", **limits)
    for _ in range(count):
        torch.empty(1000, device="cuda")
    before = history()
    record(enabled=None)
    return before, history()


ALLOCATIONS, LIMIT = 1000, 100
unlimited, stopped = kept(ALLOCATIONS)
limited, _ = kept(ALLOCATIONS, max_entries=LIMIT)

measured = {
    "by_way": {
        "table": [{"way": way, "added_s": {"samples": s}} for way, s in added.items()]
    },
    "no_stacks_ratio": over_python("no stacks"),
    "native_ratio": over_python("default"),
    "off_pair_s": {"samples": taken["off"]},
    "allocations": ALLOCATIONS,
    "kept_allocations": sum(event["action"] == "alloc" for event in unlimited),
    "kept_frees": sum(event["action"] == "free_completed" for event in unlimited),
    "limit": LIMIT,
    "kept_with_limit": len(limited),
    "kept_after_stopping": len(stopped),
}
