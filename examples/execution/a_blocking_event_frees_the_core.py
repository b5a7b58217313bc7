"""
A blocking event frees the core
===============================

What does the host do while it waits for the GPU? It polls the GPU and keeps a core busy.
An event created with ``blocking=True`` lets the thread sleep instead; in a short wait, falling
asleep and waking up weigh more.
"""

import time
from statistics import median

import torch

# %%
# A delay keeps the GPU busy. ``torch.cuda._sleep`` is private to PyTorch and may change.

CYCLES, ROUNDS = 60_000_000, 5  # cycles: some tens of milliseconds
SHORT = 500_000  # some hundreds of microseconds
number = torch.zeros(1, device="cuda")


def event(**options):
    marked = torch.cuda.Event(**options)
    marked.record()
    return marked


# %%
# Different ways to wait for queued work. Each event is recorded before the wait begins.

WAYS = {
    "device": (lambda: None, lambda _: torch.cuda.synchronize()),
    "stream": (torch.cuda.current_stream, lambda stream: stream.synchronize()),
    "item": (lambda: None, lambda _: number.item()),
    "event": (event, lambda marked: marked.synchronize()),
    "blocking": (lambda: event(blocking=True), lambda marked: marked.synchronize()),
}

# %%
# Measure the CPU time of the process during the wait, as a share of how long the wait takes.


def waiting(name, cycles=CYCLES):
    prepare, wait = WAYS[name]
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    prepared = prepare()
    begin, used = time.perf_counter(), time.process_time()
    wait(prepared)
    taken = time.perf_counter() - begin
    return taken, (time.process_time() - used) / taken


for name in WAYS:
    waiting(name)  # warm-up: loads what it needs
waits = {name: [] for name in WAYS}
for _ in range(ROUNDS):
    for name in WAYS:
        waits[name].append(waiting(name))
shares = {name: [share for _, share in found] for name, found in waits.items()}
for name, samples in shares.items():
    print(f"{name:>8}: {median(samples):.0%} of a core")

# %%
# Now the blocking event in a short wait.

lengths = {
    "short": [waiting("blocking", SHORT) for _ in range(5 * ROUNDS)],
    "long": waits["blocking"],
}
by_length = []
for length, found in lengths.items():
    taken, share = zip(*found)
    row = {"wait_s": {"samples": taken}, "core_share": {"samples": share}}
    by_length.append({"length": length, **row})
    print(f"{length}: {median(taken) * 1e3:.2f} ms, {median(share):.1%} of a core")

# %%
# ``wait()`` is different: it makes a stream wait and returns immediately, even for an event
# created with ``blocking=True``.

early = 0
for _ in range(ROUNDS):
    torch.cuda.synchronize()
    torch.cuda._sleep(CYCLES)
    marked = event(blocking=True)
    marked.wait()
    early += not marked.query()
print(f"wait() returned before the event: {early} of {ROUNDS}")

# %%
# A share of one means that the wait occupies a whole core.

blocking = shares.pop("blocking")
rows = [{"way": way, "core_share": {"samples": shares[way]}} for way in shares]
measured = {
    "by_way": {"table": rows},
    "blocking_below_a_twentieth": median(blocking) < 0.05,
    "by_length": {"table": by_length},
    "rounds": ROUNDS,
    "wait_early": early,
}
