"""
Recording the history costs host time
=====================================

What does it cost to record the memory history? Each allocation and each release takes the host
longer, the more so the more frames are recorded; the GPU is not slowed. The history grows with each
event unless it is limited.
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
# Pairs of an allocation and its release are timed at two depths of the Python stack.

WAYS = {
    "off": {"enabled": None},
    "no stacks": {"context": None},
    "python": {"stacks": "python"},
    "default": {},
}
PAIRS, DEEP, ROUNDS = 300, 40, 8


def pairs():
    begin = time.perf_counter()
    for _ in range(PAIRS):
        torch.empty(1000, device="cuda")
    return (time.perf_counter() - begin) / PAIRS


def at_depth(depth):
    return pairs() if depth == 0 else at_depth(depth - 1)


def pair_s(way, depth):
    record(clear_history=True, **WAYS[way], max_entries=10_000)
    taken = at_depth(depth)
    record(enabled=None)
    return taken


# %%
# The ways take turns, after a first round of each that is not counted.

taken = {(way, depth): [] for way in WAYS for depth in (0, DEEP)}
for number in range(ROUNDS + 1):
    for (way, depth), samples in taken.items():
        seconds = pair_s(way, depth)
        if number:
            samples.append(seconds)
rows = []
for way in list(WAYS)[1:]:
    row = {"way": way}
    for name, depth in (("added_s", 0), ("deep_added_s", DEEP)):
        both = zip(taken[way, depth], taken["off", depth])
        row[name] = {"samples": [with_it - off for with_it, off in both]}
        print(f"{way}: {min(taken[way, depth]):.2e} s a pair at depth {depth}")
    rows.append(row)

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
    "by_way": {"table": rows},
    "off_pair_s": {"samples": taken["off", 0]},
    "deep": DEEP,
    "allocations": ALLOCATIONS,
    "kept_allocations": sum(event["action"] == "alloc" for event in unlimited),
    "kept_frees": sum(event["action"] == "free_completed" for event in unlimited),
    "limit": LIMIT,
    "kept_with_limit": len(limited),
    "kept_after_stopping": len(stopped),
}
