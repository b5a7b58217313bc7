"""The form that gains: read the result of a batch one step later, with two pinned slots, against waiting at once.

Expect: time of late / at once ~ max(gpu, host) / (gpu + host), so ~0.5 to 0.65 where both take about as long; about 1
where one of them is nothing (small work): then the form gains nothing. Refutes: late slower than at once anywhere by > 10 %.
"""
import json, time
from statistics import median
import torch

SIZE = 1024
weights = torch.rand(SIZE, SIZE, device="cuda")


def work(batch, products):
    for _ in range(products):
        batch = torch.tanh(batch @ weights)
    return batch


def on_host(result, passes):
    total = 0.0
    for _ in range(passes):
        total += result.sum().item()
    return total


def late(batches, products):
    slots = [torch.empty(SIZE, SIZE, pin_memory=True) for _ in range(2)]
    arrived = [torch.cuda.Event() for _ in slots]
    for step, batch in enumerate(batches):
        slots[step % 2].copy_(work(batch, products), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[1 - step % 2].synchronize()
            yield slots[1 - step % 2]
    arrived[step % 2].synchronize()
    yield slots[step % 2]


def at_once(batches, products):
    slot, arrived = torch.empty(SIZE, SIZE, pin_memory=True), torch.cuda.Event()
    for batch in batches:
        slot.copy_(work(batch, products), non_blocking=True)
        arrived.record()
        arrived.synchronize()
        yield slot


def blocking(batches, products):
    for batch in batches:
        yield work(batch, products).cpu()


batches = [torch.rand(SIZE, SIZE, device="cuda") for _ in range(20)]


def run(way, products, passes):
    torch.cuda.synchronize()
    t = time.perf_counter()
    total = sum(on_host(r, passes) for r in way(batches, products))
    torch.cuda.synchronize()
    return time.perf_counter() - t, total


for way in (late, at_once, blocking):
    run(way, 5, 5)
for threads in (None, 1):
    if threads:
        torch.set_num_threads(threads)
    for products, passes in ((1, 1), (10, 1), (10, 4), (20, 8), (40, 8), (1, 20)):
        t, totals = {w.__name__: [] for w in (late, at_once, blocking)}, set()
        for _ in range(4):
            for w in (late, at_once, blocking):
                s, total = run(w, products, passes)
                t[w.__name__].append(s); totals.add(total)
        m = {n: round(median(x) / 20 * 1e3, 4) for n, x in t.items()}
        print(json.dumps({"case": "late_results", "threads": threads or torch.get_num_threads(), "products": products, "passes": passes, "ms_per_step": m,
                          "late_over_at_once": round(m["late"] / m["at_once"], 3), "late_over_blocking": round(m["late"] / m["blocking"], 3), "totals_agree": len(totals) == 1}), flush=True)
