"""
Launch blocking ends the overlap
================================

Does a copy still run alongside the computation with ``CUDA_LAUNCH_BLOCKING=1``?
Alongside the first kernel. A pinned copy still returns at once, but a launch returns
only when the whole GPU is done, so the second kernel runs after the copy, in whichever
stream it is.
"""

# sphinx_gallery_quiet = "host"
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # CUDA reads it when it starts

import time
from statistics import median

import torch

# %%
# Something to copy, a small kernel, and a stream for each.

SIZE = 128 * 2**20  # bytes: some milliseconds of copying
CALLS = 20
pinned = torch.ones(SIZE, dtype=torch.uint8, pin_memory=True)
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
counter = torch.zeros(16, device="cuda")
side, third = torch.cuda.Stream(), torch.cuda.Stream()
STREAMS = {"default": torch.cuda.current_stream(), "third": third}


def copy():
    with torch.cuda.stream(side):
        target.copy_(pinned, non_blocking=True)


# %%
# Queue the copy, then launch the kernel. Was the copy done when its own call returned,
# and when the launch returned?


def copy_then_launch(stream):
    torch.cuda.synchronize()
    copy()
    ended_at_once = side.query()
    with torch.cuda.stream(stream):
        counter.add_(1)
    return ended_at_once, side.query()


# %%
# In the default stream, and in a third one. Each kernel is loaded before the count.

ended = {}
for name, stream in STREAMS.items():
    copy_then_launch(stream)
    tries = [copy_then_launch(stream) for _ in range(CALLS)]
    ended[name] = [sum(column) for column in zip(*tries)]
    print(f"launch in the {name} stream: the copy had ended in {ended[name][0]} of")
    print(f"{CALLS} when its call returned, in {ended[name][1]} when the launch did")

# %%
# So when does the kernel run? One kernel that takes as long as the copy, or ten that
# take as long together, are timed with the copy. They only sleep, through a private
# function of PyTorch.


def launch(stream, kernels, cycles):
    with torch.cuda.stream(stream):
        for _ in range(kernels):
            torch.cuda._sleep(cycles // kernels)


def seconds(*works):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for work, *arguments in works:
        work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# How many cycles last as long as the copy? The warm-up loads the kernel.

CYCLES = 5_000_000  # some milliseconds too
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    seconds((copy,), (launch, third, 1, CYCLES))
copying = median(seconds((copy,)) for _ in range(5))
sleeping = median(seconds((launch, third, 1, CYCLES)) for _ in range(5))
cycles = int(CYCLES * copying / sleeping)

# %%
# The ratio of their time together to the sum of their times alone: one half if they run
# side by side, one if they take turns.

table = []
for name, stream in STREAMS.items():
    for kernels in (1, 10):
        computing, shares = (launch, stream, kernels, cycles), []
        for _ in range(5):
            apart = seconds((copy,)) + seconds(computing)
            shares.append(seconds((copy,), computing) / apart)
        case = f"{name}-{kernels}"
        table.append({"case": case, "together_share": {"samples": shares}})
        print(f"{kernels} kernels, {name} stream: {median(shares):.2f} of the sum")
measured = {
    "calls": CALLS,
    "copies_ended_at_once": sum(at_once for at_once, _ in ended.values()),
    "awaited_by_default_stream": ended["default"][1],
    "awaited_by_third_stream": ended["third"][1],
    "together": {"table": table},
}
