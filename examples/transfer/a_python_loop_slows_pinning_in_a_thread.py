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
# One thread pins, as a ``DataLoader``'s does. Before PyTorch 2.12, the first rounds pin
# for the first time, since the cache is emptied; after that, a block is cached. The
# newer function does nothing here, before the program has used memory of the GPU.

SIZE, ROUNDS = 64 * 2**20, 3  # bytes
tensor = torch.ones(SIZE, dtype=torch.uint8)
thread = ThreadPoolExecutor(1)
torch.cuda.init()
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12

# %%
# The main thread rests, or runs a loop, until the other thread is done.


def rest():
    time.sleep(1e-3)


def step():
    pass


def seconds(main, first):
    if first:
        empty_host_cache()
    begin = time.perf_counter()
    pinning = thread.submit(tensor.pin_memory)
    while not pinning.done():
        main()
    return time.perf_counter() - begin


# %%
# When another thread wants Python's lock, Python hands it over after its switch
# interval, which can be made shorter.

DEFAULT, SHORT = sys.getswitchinterval(), 1e-4
CASES = {"rest": (rest, DEFAULT), "loop": (step, DEFAULT), "short": (step, SHORT)}


def one_round(first):
    times = {}
    for name, (main, interval) in CASES.items():
        sys.setswitchinterval(interval)
        times[name] = seconds(main, first)
    sys.setswitchinterval(DEFAULT)
    return times


one_round(first=True)  # starts the thread
rounds = {first: [one_round(first) for _ in range(ROUNDS)] for first in (True, False)}
for first, times in rounds.items():
    shown = {name: f"{median(t[name] for t in times) * 1e3:.1f} ms" for name in CASES}
    print("first:" if first else "cached:", shown)

# %%
# Slowdowns are relative to pinning while the main thread rests.


def slowdown(name, first):
    return {"samples": [times[name] / times["rest"] for times in rounds[first]]}


measured = {
    "size_bytes": SIZE,
    "interval_s": DEFAULT,
    "short_interval_s": SHORT,
    "first_slowdown": slowdown("loop", first=True),
    "cached_slowdown": slowdown("loop", first=False),
    "short_first_slowdown": slowdown("short", first=True),
    "short_cached_slowdown": slowdown("short", first=False),
}
