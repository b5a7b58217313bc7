"""Does a two-wait prefetcher gain over the plain non_blocking loop, and where?

Expect: from batches that are pinned already, speedup over the plain loop up to ~1.9 in balance, ~1.2 out of balance;
with a loader that pins in the loop: limited by pinning (host ~1.1 ms per 32 MiB against 0.6 ms of copy).
Refutes: "wait" arm slower than "record" by more than 5 %, or no gain over "plain" from ready batches in balance.
"""

import json
import time
from itertools import chain
from statistics import median

import torch
from torch.utils.data import DataLoader


def wait(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):
        main.wait_stream(side)
        side.wait_stream(main)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


def record(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):
        main.wait_stream(side)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        for x in ready:
            x.record_stream(main)
        if ready:
            yield ready


def plain(loader):
    for batch in loader:
        yield [x.to("cuda", non_blocking=True) for x in batch]


def blocking(loader):
    for batch in loader:
        yield [x.to("cuda") for x in batch]


N, SHAPE = 24, (8192, 1024)  # 32 MiB
try:
    pageable = [torch.ones(SHAPE) for _ in range(4)]
    pinned = [x.pin_memory() for x in pageable]
    weight = torch.eye(1024, device="cuda")
    product = torch.empty(SHAPE, device="cuda")

    class Many(torch.utils.data.Dataset):
        def __len__(self):
            return N

        def __getitem__(self, i):
            return [pageable[i % 4]]

    def ready_batches():
        return ([pinned[i % 4]] for i in range(N))

    def loop_pins():
        return DataLoader(Many(), None, pin_memory=True)

    def loop_pageable():
        return DataLoader(Many(), None)

    def run(way, loader, products, item):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for (x,) in way(loader()):
            for _ in range(products):
                torch.mm(x, weight, out=product)
            if item:
                product[0, 0].item()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) / N

    until = time.perf_counter() + 0.5
    while time.perf_counter() < until:
        (
            run(wait, ready_batches, 4, False),
            run(record, loop_pins, 4, False),
            run(plain, ready_batches, 4, False),
        )
    copy_s = median(run(plain, ready_batches, 0, False) for _ in range(3))
    x = [pinned[0].cuda()]
    one = median(run(lambda _: [x] * N, ready_batches, 8, False) for _ in range(3)) / 8
    print(json.dumps({"copy_ms": copy_s * 1e3, "product_ms": one * 1e3}), flush=True)
    for source in (ready_batches, loop_pins, loop_pageable):
        for part in (0.25, 1, 3):
            for item in (False, True):
                if item and part != 1:
                    continue
                k = max(1, round(part * copy_s / one))
                ways = [blocking, plain, wait, record]
                got = {w.__name__: [] for w in ways}
                peak = {}
                for turn in range(3 if source is not loop_pageable else 2):
                    for w in ways if turn % 2 else ways[::-1]:
                        torch.cuda.reset_peak_memory_stats()
                        base = torch.cuda.memory_allocated()
                        got[w.__name__].append(run(w, source, k, item))
                        peak[w.__name__] = (
                            torch.cuda.max_memory_allocated() - base
                        ) / 2**25
                row = {n: round(median(t) * 1e3, 3) for n, t in got.items()}
                print(
                    json.dumps(
                        {
                            "source": source.__name__,
                            "step_over_copy": part,
                            "item": item,
                            "ms": row,
                            "plain_over_wait": round(row["plain"] / row["wait"], 3),
                            "blocking_over_wait": round(
                                row["blocking"] / row["wait"], 3
                            ),
                            "peak_batches": peak,
                        }
                    ),
                    flush=True,
                )
except Exception as error:
    print(json.dumps({"error": repr(error)}))
