"""The opening snippet of device_to_host: results one late through two pinned slots, against blocking copies and .cpu().

Expect (32 MiB results, product = copy = host work): on_host 0.67 of the time of blocking copies, like one event each; with a
side stream about 0.45. Host work 0.2 of the copy: about 0.9. Results of 64 KiB and 4-byte: see numbers.
Refutes the snippet: share > 0.8 in balance, a wrong sum, or > 1.05 anywhere with 32 MiB.
"""

import json
import time
from statistics import median

import torch


def on_host(results):
    slots, arrived = [], [torch.cuda.Event(), torch.cuda.Event()]
    for step, result in enumerate(results):
        if len(slots) < 2:
            slots.append(torch.empty_like(result, device="cpu", pin_memory=True))
        slots[step % 2].copy_(result.detach(), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[step % 2 - 1].synchronize()
            yield slots[step % 2 - 1]
    if slots:
        arrived[step % 2].synchronize()
        yield slots[step % 2]


def blocking(results):
    slot = None
    for result in results:
        if slot is None:
            slot = torch.empty_like(result, device="cpu", pin_memory=True)
        yield slot.copy_(result)


def cpu(results):
    for result in results:
        yield result.cpu()


def to_free(results):  # a new pinned result each, read one late
    late = None
    for result in results:
        now = (
            result.to("cpu", non_blocking=True),
            torch.cuda.current_stream().record_event(),
        )
        if late:
            late[1].synchronize()
            yield late[0]
        late = now
    late[1].synchronize()
    yield late[0]


STEPS = 8
try:
    factor = torch.ones(2048, 2048, device="cuda")
    product = torch.empty_like(factor)

    def results(count, products):
        for step in range(STEPS):
            for _ in range(products):
                torch.mm(factor, factor, out=product)
            yield torch.full((count,), step + 1.0, device="cuda")

    def run(way, count, products, host_s):
        right = 0
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for step, host in enumerate(way(results(count, products))):
            until = time.perf_counter() + host_s
            while time.perf_counter() < until:
                pass
            right += float(host[-1]) == step + 1 and float(host[0]) == step + 1
        torch.cuda.synchronize()
        return time.perf_counter() - begin, right

    WAYS = (blocking, cpu, to_free, on_host)
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        [run(w, 2**20, 2, 0) for w in WAYS]
    for count, products, host_s in (
        (2**23, 2, 0.6e-3),
        (2**23, 2, 0.1e-3),
        (2**23, 2, 3e-3),
        (2**23, 8, 0.6e-3),
        (2**14, 1, 0.3e-3),
        (2**14, 1, 0),
        (1, 1, 0),
        (1, 0, 0),
        (1, 0, 0.1e-3),
        (2**23, 0, 0),
    ):
        got, right = {w.__name__: [] for w in WAYS}, {}
        for turn in range(3):
            for w in WAYS if turn % 2 else WAYS[::-1]:
                taken, right[w.__name__] = run(w, count, products, host_s)
                got[w.__name__].append(taken)
        ms = {n: round(median(t) * 1e3, 3) for n, t in got.items()}
        print(
            json.dumps(
                {
                    "floats": count,
                    "products": products,
                    "host_ms": host_s * 1e3,
                    "ms": ms,
                    "right": right,
                    "share": {n: round(t / ms["blocking"], 3) for n, t in ms.items()},
                }
            ),
            flush=True,
        )
    cycles, wrong = 20_000_000, 0
    for _ in range(5):

        def held():
            for r in results(2**18, 0):
                torch.cuda._sleep(cycles)
                yield r + 0

        wrong += [float(h.sum()) for h in on_host(held())] != [
            2**18 * (s + 1.0) for s in range(STEPS)
        ]
    print(json.dumps({"held_wrong": wrong, "empty": len(list(on_host([])))}))
except Exception as error:
    print(json.dumps({"error": repr(error)}))
