"""
The behaviour, as a short sentence
==================================

The question that a reader brings? The answer, in one or two sentences: this script shows
it, and the page's claims are judged by what it measured.
"""

# Settings, where the defaults will not do; delete this line otherwise:
# sphinx_gallery_evidence = {"timeout": 60}
import time

import torch

# %%
# Prose first: what comes next, and why it is done that way. Sizes are named, with a reason.

SIZE = 2**24  # bytes: large enough that the copy, not the call, takes the time
ROUNDS = 10

source = torch.ones(SIZE, dtype=torch.uint8).pin_memory()
print(f"source.is_pinned(): {source.is_pinned()}")

# %%
# Synchronise visibly, warm up by time, and let the arms of a comparison take turns.


def seconds(non_blocking):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    source.to("cuda", non_blocking=non_blocking)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(non_blocking=True)
pairs = [(seconds(False), seconds(True)) for _ in range(ROUNDS)]
print(f"last round: {pairs[-1][0]:.1e} and {pairs[-1][1]:.1e} s")

# %%
# What varies is given as samples, paired round by round; everything else must be the same
# in every process. Names end in their unit.

measured = {
    "size_bytes": SIZE,
    "copy_ratio": {"samples": [blocking / free for blocking, free in pairs]},
}
