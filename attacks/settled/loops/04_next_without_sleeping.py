"""next() with a pinning worker thread, by how long the loop is away between two batches.

Expect: away for longer than the thread pins (9 ms for 32 MiB): ratio 0.2; away for 0: next() takes longer with pinning
than without (the thread is the bottleneck): ratio >= 1. Shows that "0.21" holds only for a loop that is away long enough.
Refutes my expectation: ratio < 0.8 at 0 ms. Ten batches in a row per arm; the first three do not count.
"""

import json
import time
import warnings
from statistics import median

import torch
from torch.utils.data import DataLoader, IterableDataset

warnings.simplefilter("ignore")
try:
    torch.cuda.init()
    images = torch.ones(4, 32 * 2**20, dtype=torch.uint8).share_memory_()

    class Ready(IterableDataset):
        def __iter__(self):
            turn = 0
            while True:
                turn += 1
                yield images[turn % 4]

    for workers in (1, 2):
        its = {
            pin: iter(
                DataLoader(
                    Ready(),
                    None,
                    num_workers=workers,
                    pin_memory=pin,
                    multiprocessing_context="fork",
                )
            )
            for pin in (False, True)
        }
        [next(it) for it in its.values() for _ in range(6)]
        for away in (0, 0.004, 0.008, 0.012, 0.02):
            for turn in range(1):
                row = {}
                for pin, it in its.items() if turn else list(its.items())[::-1]:
                    took, touch = [], []
                    for n in range(10):
                        if away:
                            time.sleep(away)
                        begin = time.perf_counter()
                        batch = next(it)
                        took.append(time.perf_counter() - begin)
                        begin = time.perf_counter()
                        batch.to("cuda")
                        touch.append(time.perf_counter() - begin)
                    row[pin] = median(took[3:]) * 1e3
                    row[f"to_cuda_{pin}"] = median(touch[3:]) * 1e3
                print(
                    json.dumps(
                        {
                            "workers": workers,
                            "away_ms": away * 1e3,
                            "turn": turn,
                            "next_ms": row,
                            "ratio": row[True] / row[False],
                            "whole_ratio": (row[True] + row["to_cuda_True"]) / (row[False] + row["to_cuda_False"]),
                        }
                    ),
                    flush=True,
                )
        its.clear()
except Exception as error:
    print(json.dumps({"error": repr(error)}))
