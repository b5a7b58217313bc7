"""
A server that has torch starts sooner
=====================================

How can a process that uses the GPU be started faster than by ``spawn``? With ``forkserver``, a
server imports torch once, and each new process is forked from it.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import time
from multiprocessing import get_context

import torch

if __name__ == "__main__":  # each new process imports this file
    context = get_context("forkserver")
    context.set_forkserver_preload(["torch"])
    torch.ones(3, device="cuda")  # the first process may use CUDA
    with context.Pool(1) as pool:
        print(pool.apply(torch.cuda.mem_get_info))

# %%
# From the start to the answer of a process that was asked for the GPU's free memory, for
# which it needs a context. The server runs by now; the two ways take turns.


def seconds(context):
    begin = time.perf_counter()
    with context.Pool(1) as pool:
        pool.apply(torch.cuda.mem_get_info)
        return time.perf_counter() - begin


if __name__ == "__main__":
    ways = {"spawn": get_context("spawn"), "forkserver": context}
    taken = {way: [] for way in ways}
    for _ in range(2):
        for way, start in ways.items():
            taken[way].append(seconds(start))
    measured = {f"{way}_s": {"samples": each} for way, each in taken.items()}
    print({way: f"{min(each):.2f} s" for way, each in taken.items()})
