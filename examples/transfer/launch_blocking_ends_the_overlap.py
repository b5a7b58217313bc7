"""
Launch blocking ends the overlap
================================

Does a copy still run beside the computation with ``CUDA_LAUNCH_BLOCKING=1``? A pinned
copy returns at once as before, but the next launch of a kernel waits for it, in
whichever stream it is.
"""

import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # CUDA reads it when it starts

import torch

# %%
# Something to copy, a little to compute, and a stream for each.

SIZE = 128 * 2**20  # bytes: some milliseconds of copying
CALLS = 20
pinned = torch.ones(SIZE, dtype=torch.uint8, pin_memory=True)
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
counter = torch.zeros(16, device="cuda")
side, third = torch.cuda.Stream(), torch.cuda.Stream()


def copy():
    with torch.cuda.stream(side):
        target.copy_(pinned, non_blocking=True)


# %%
# The copy is queued, then the kernel is launched. Had the copy ended when its own call
# returned, and when the launch had?


def copy_then_launch(stream):
    torch.cuda.synchronize()
    copy()
    ended_at_once = side.query()
    with torch.cuda.stream(stream):
        counter.add_(1)
    return ended_at_once, side.query()


# %%
# In the default stream, and in a third one. Each kernel is loaded before it counts.

ended = {}
for name, stream in (("default", torch.cuda.current_stream()), ("third", third)):
    copy_then_launch(stream)
    tries = [copy_then_launch(stream) for _ in range(CALLS)]
    ended[name] = [sum(column) for column in zip(*tries)]
    print(f"launch in the {name} stream: the copy had ended in {ended[name][0]} of")
    print(f"{CALLS} when its call returned, in {ended[name][1]} when the launch did")

# %%
# Counts of the copies that had ended.

measured = {
    "calls": CALLS,
    "copies_ended_at_once": sum(at_once for at_once, _ in ended.values()),
    "awaited_by_default_stream": ended["default"][1],
    "awaited_by_third_stream": ended["third"][1],
}
