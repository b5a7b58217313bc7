"""
A Python loop slows pinning in a thread
=======================================

Does a thread pin as fast while the main thread runs Python as while it is idle? No:
whenever the pinning thread needs Python's lock, it has to wait until the main thread
hands it over. That takes milliseconds each time, far longer than pinning into a
cached block.
"""

# sphinx_gallery_quiet = "host"
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import torch

# %%
# One thread pins, as a ``DataLoader``'s does. Before each of the first rounds, the cache of
# pinned memory is emptied; after those, a block is cached. Since PyTorch 2.12, emptying it
# does nothing before the program has used memory of the GPU.

SIZE, FIRST, CACHED = 64 * 2**20, 4, 6  # bytes, rounds, rounds
tensor = torch.ones(SIZE, dtype=torch.uint8)
on_gpu = torch.ones(1, device="cuda")
thread = ThreadPoolExecutor(1)
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def made():
    return torch.cuda.host_memory_stats()["num_host_alloc"]


# %%
# The main thread rests, or runs a loop, until the other thread is done.


def rest():
    time.sleep(1e-3)


def step():
    pass


def pin():
    tensor.pin_memory()  # its block is cached again before the thread is done


def seconds(main, first):
    if first:
        empty_host_cache()
    begin = time.perf_counter()
    pinning = thread.submit(pin)
    while not pinning.done():
        main()
    return time.perf_counter() - begin


# %%
# When another thread wants Python's lock, Python hands it over after its switch
# interval, which can be made shorter. The cases take turns, every other round backwards.

DEFAULT, SHORT = sys.getswitchinterval(), 1e-4
CASES = {"rest": (rest, DEFAULT), "loop": (step, DEFAULT), "short": (step, SHORT)}


def one_round(first, turn):
    times = {}
    for name in [*CASES][:: -1 if turn % 2 else 1]:
        main, interval = CASES[name]
        sys.setswitchinterval(interval)
        times[name] = seconds(main, first)
    sys.setswitchinterval(DEFAULT)
    return times


one_round(first=True, turn=0)  # starts the thread
before = made()
rounds = {True: [one_round(True, turn) for turn in range(FIRST)]}
made_first, before = made() - before, made()
rounds[False] = [one_round(False, turn) for turn in range(CACHED)]
made_cached = made() - before
for first, times in rounds.items():
    shown = {name: f"{median(t[name] for t in times) * 1e3:.1f} ms" for name in CASES}
    print("first:" if first else "cached:", shown)
print(f"blocks made: {made_first} in the first rounds, {made_cached} in later ones")

# %%
# All ratios are computed within a round. A slowdown is relative to pinning while the main thread
# rests, a gain is what the shorter interval makes of the time beside a loop.


def ratio(name, other, first):
    return {"samples": [times[name] / times[other] for times in rounds[first]]}


def waited(first):
    return {"samples": [times["loop"] - times["rest"] for times in rounds[first]]}


measured = {
    "size_bytes": SIZE,
    "interval_s": DEFAULT,
    "short_interval_s": SHORT,
    "cases": len(CASES),
    "first_rounds": FIRST,
    "made_first": made_first,
    "made_cached": made_cached,
    "first_slowdown": ratio("loop", "rest", first=True),
    "cached_slowdown": ratio("loop", "rest", first=False),
    "cached_waited_s": waited(first=False),
    "short_first_ratio": ratio("short", "loop", first=True),
    "short_cached_ratio": ratio("short", "loop", first=False),
}
