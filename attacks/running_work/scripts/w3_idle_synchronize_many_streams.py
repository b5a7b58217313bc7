"""Page: execution/waiting.md. "Where there is nothing to wait for, waiting is cheap" (check: idle device <= 5 launches,
idle stream <= 3, query <= 1).
Attack: the same calls after 128 streams (32 of each priority) have been used, in a process with events and pending
pinned memory, and right after a wait from another thread. Refuted if torch.cuda.synchronize() on the idle GPU takes
more than 5 launches, or stream.synchronize() more than 3, or query() more than 1.
"""
import time
from statistics import median
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
event = torch.cuda.Event(); event.record()
x = torch.zeros(1024, device="cuda")
CALLS = {"launch": lambda: x.add_(1), "query": event.query, "idle_stream": side.synchronize,
         "idle_device": torch.cuda.synchronize}


def measure():
    found = {name: [] for name in CALLS}
    for turn in range(11):
        for name in sorted(CALLS, reverse=turn % 2):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(100):
                CALLS[name]()
            found[name].append((time.perf_counter() - begin) / 100)
    return {name: median(values) for name, values in found.items()}


measure()
few = measure()
streams = [torch.cuda.Stream(priority=p) for p in (0, -1, -2, -3) for _ in range(32)]
for stream in streams:
    with torch.cuda.stream(stream):
        torch.empty(1024, device="cuda").fill_(1)
torch.cuda.synchronize()
many = measure()
bounds, bad = {"idle_device": 5, "idle_stream": 3, "query": 1}, []
for label, row in (("two streams", few), ("130 streams", many)):
    print(label, {name: f"{value * 1e6:.2f} µs" for name, value in row.items()})
    for name, bound in bounds.items():
        if row[name] > bound * row["launch"]:
            bad.append(f"{label}: {name} {row[name] / row['launch']:.1f} launches")
print(f"REFUTED: {bad}" if bad else f"NOT REFUTED: {len(set(streams))} more streams; device {many['idle_device'] / many['launch']:.2f} launches")
