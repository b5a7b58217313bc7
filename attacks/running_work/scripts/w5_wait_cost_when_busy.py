"""Page: execution/waiting.md. "Launching a small kernel takes the host ... `wait_stream`, which creates an event" (checks:
record <= 1.5 launches, wait_event <= 1.5, wait_stream <= 3): measured on an idle GPU, where every event is already over.
Attack: the same calls behind a held stream (events pending), 100 at a time; wait_stream on another stream that is held;
32 streams in turn. Refuted if one of the bounds is broken.
"""
import time
from statistics import median
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
streams = [torch.cuda.Stream() for _ in range(32)]
event = torch.cuda.Event()
x = torch.zeros(1024, device="cuda")
number = 0


def round_robin():
    global number
    number += 1
    streams[number % 32].wait_stream(here)


CALLS = {"launch": lambda: x.add_(1), "record": event.record, "wait_event": lambda: side.wait_event(event),
         "wait_stream": lambda: side.wait_stream(here), "wait_stream32": round_robin,
         "ring": lambda: (side.wait_stream(here), here.wait_stream(side))}
BOUNDS = {"record": 1.5, "wait_event": 1.5, "wait_stream": 3, "wait_stream32": 3, "ring": 6}


def measure(hold):
    found = {name: [] for name in CALLS}
    for r in range(9):
        for name in sorted(CALLS, reverse=r % 2):
            torch.cuda.synchronize()
            if hold:
                torch.cuda._sleep(20_000_000)
                event.record()
            begin = time.perf_counter()
            for _ in range(100):
                CALLS[name]()
            found[name].append((time.perf_counter() - begin) / 100)
    return {name: median(v) for name, v in found.items()}


measure(False); measure(True)
bad = []
for label, hold in (("idle", False), ("held", True)):
    row = measure(hold)
    print(label, {n: f"{v * 1e6:.2f} µs" for n, v in row.items()})
    bad += [f"{label}: {n} {row[n] / row['launch']:.2f} launches" for n, b in BOUNDS.items() if row[n] > b * row["launch"]]
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: idle and held, 32 streams, both ways")
