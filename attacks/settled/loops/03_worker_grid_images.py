"""What do pin_memory, non_blocking, both, and prefetching give with workers and the most ordinary loader?

Images of 3 x 224 x 224 floats in memory, batches of 32 by the default collate (18 MiB), shuffled; 1 and 4 workers; a tiny step
and steps of about 4 and 12 ms of GPU time. Set-up fixed before it was run.
Expect: pinning alone and both within 10 % of each other (a pin thread takes ~5 ms for 18 MiB); non_blocking alone ~1.
Prefetching over both: at most ~1.07. Refutes "the two together gain most" with workers.
"""

import json
import sys
import time
import warnings
from itertools import chain

import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.simplefilter("ignore")


def wait(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):
        main.wait_stream(side)
        side.wait_stream(main)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


def forever(loader):
    while True:
        yield from loader


try:
    images = torch.rand(256, 3, 224, 224)
    data = TensorDataset(images, torch.arange(256))
    weight = torch.eye(4096, device="cuda") / 64
    state = weight.clone()
    torch.mm(weight, weight, out=state)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(10):
        torch.mm(weight, weight, out=state)
    torch.cuda.synchronize()
    product = (time.perf_counter() - begin) / 10

    def step(x, milliseconds):
        x.mean()
        for _ in range(round(milliseconds * 1e-3 / product)):
            torch.mm(weight, weight, out=state)

    for workers in (1, 4):
        its = {
            pin: forever(
                DataLoader(
                    data,
                    32,
                    shuffle=True,
                    num_workers=workers,
                    pin_memory=pin,
                    multiprocessing_context="fork",
                    persistent_workers=True,
                )
            )
            for pin in (False, True)
        }

        def run(arm, ms, batches):
            it = its[arm != "plain" and arm != "free"]
            if arm == "prefetched":
                source = wait(next(it) for _ in range(batches))
            else:
                free = arm in ("free", "both")
                source = (
                    [h.to("cuda", non_blocking=free) for h in next(it)]
                    for _ in range(batches)
                )
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for x, _ in source:
                step(x, ms)
            torch.cuda.synchronize()
            return (time.perf_counter() - begin) / batches

        ARMS = ("plain", "free", "pinned", "both", "prefetched")
        for ms in (0, 4):
            got = {a: [] for a in ARMS}
            for turn in range(2):
                for a in ARMS if turn else ARMS[::-1]:
                    run(a, ms, 2 * workers)  # uses up what the workers have in store
                    got[a].append(run(a, ms, 8))
            row = {a: round(min(t) * 1e3, 2) for a, t in got.items()}
            print(
                json.dumps(
                    {
                        "workers": workers,
                        "step_ms": ms,
                        "ms": row,
                        "second": {a: round(max(t) * 1e3, 2) for a, t in got.items()},
                        "speedup": {a: round(row["plain"] / row[a], 2) for a in ARMS},
                    }
                ),
                flush=True,
            )
        its.clear()
except Exception as error:
    print(json.dumps({"error": repr(error)}))
