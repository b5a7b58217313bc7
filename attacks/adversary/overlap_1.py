"""
Sentence (transfer/overlap.md:400): So no kernel that is launched after a copy runs beside it. [with CUDA_LAUNCH_BLOCKING=1]

Attack: The record shows when the launch RETURNS, not when the kernel STARTS. With the variable, a pinned copy of 512 MiB (about 9 ms) in a side stream, then a _sleep kernel of about as long in a third stream (and in the default one): the time from the first call until all is done, over the sum and over the longer of the two alone. Also: launched from another thread, and as a graph replay.

Expected: if the launch waits for the device only after the kernel was sent, the kernel runs beside the copy and both take the time of the longer one.

Refuted if: both together take less than 0.75 of the sum of the two alone, in the third or the default stream, from another thread, or as a replay (median of 5).
"""
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
import json
import time

import torch

SENTENCE = 'So no kernel that is launched after a copy runs beside it. [with CUDA_LAUNCH_BLOCKING=1]'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


import threading
from statistics import median


def attack():
    size = 512 * 2**20
    pinned = torch.ones(size, dtype=torch.uint8, pin_memory=True)
    target = torch.empty(size, dtype=torch.uint8, device="cuda")
    side, third, capture = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.Stream()
    default = torch.cuda.current_stream()
    cycles = 17_000_000

    def copy():
        with torch.cuda.stream(side):
            target.copy_(pinned, non_blocking=True)

    def kernel(stream):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(cycles)

    def threaded():
        thread = threading.Thread(target=kernel, args=(third,))
        thread.start()
        thread.join()

    def seconds(*works):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for work in works:
            work()
        torch.cuda.synchronize()
        return time.perf_counter() - begin

    ways = {"third": lambda: kernel(third), "default": lambda: kernel(default), "another thread": threaded}
    shares = {}

    def measure(name, way):
        seconds(copy, way)
        rows = []
        for _ in range(5):
            alone = seconds(copy), seconds(way)
            both = seconds(copy, way)
            rows.append((both / sum(alone), both / max(alone), *alone))
        shares[name] = round(median(r[0] for r in rows), 3)
        say(launch=name, over_sum=shares[name], over_longer=round(median(r[1] for r in rows), 3),
            copy_ms=round(median(r[2] for r in rows) * 1e3, 2), kernel_ms=round(median(r[3] for r in rows) * 1e3, 2))

    for name, way in ways.items():
        measure(name, way)
    try:  # last: a capture that fails must not spoil the others
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=capture):
            torch.cuda._sleep(cycles)

        def replayed():
            with torch.cuda.stream(third):
                graph.replay()

        measure("graph replay", replayed)
    except Exception as error:
        say(graph=f"{type(error).__name__}: {str(error)[:120]}")
    return any(s < 0.75 for s in shares.values()), {"both_over_sum": shares}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
