"""
Waiting in a stream costs little
================================

What does a wait cost the host? ``wait_stream`` costs about as much as launching a kernel, and
the host goes on. ``synchronize`` costs the time until the GPU is done, and then the GPU idles
until the host has launched something. A thread that sleeps meanwhile wakes up later.
"""

import time
from statistics import median

import torch

# %%
# The calls, on an idle GPU. A small kernel stands for comparison.

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
event, sleeper = torch.cuda.Event(), torch.cuda.Event(blocking=True)
x = torch.zeros(1024, device="cuda")
CALLS = {
    "launch": lambda: x.add_(1),
    "record": event.record,
    "wait_event": lambda: side.wait_event(event),
    "wait_stream": lambda: side.wait_stream(here),
    "query": event.query,
    "idle_stream": side.synchronize,
    "idle_device": torch.cuda.synchronize,
}
BATCH, ROUNDS = 200, 15


def seconds_per_call(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(BATCH):
        call()
    return (time.perf_counter() - begin) / BATCH


# %%
# A loop of small steps in two streams, in which each stream needs what the other has just
# done: the streams wait for each other, or the host waits for both.


def step(stream):
    with torch.cuda.stream(stream):
        x.add_(1)


def loop_in_the_streams():
    for _ in range(BATCH):
        step(side)
        here.wait_stream(side)
        step(here)
        side.wait_stream(here)


def loop_on_the_host():
    for _ in range(BATCH):
        step(side)
        side.synchronize()
        step(here)
        here.synchronize()


# %%
# And a wait for a short kernel, by spinning and by sleeping. ``torch.cuda._sleep`` is private to
# PyTorch and may change.

SHORT = 100_000  # cycles of the GPU's clock: some tens of microseconds


def wait_with(waited):
    for _ in range(BATCH // 4):
        torch.cuda._sleep(SHORT)
        waited.record()
        waited.synchronize()


def seconds(work, *arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Warm up for half a second; then all take turns.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    [seconds_per_call(call) for call in CALLS.values()]
    loop_in_the_streams(), loop_on_the_host(), wait_with(event), wait_with(sleeper)
calls, loop_slowdown, sleep_slowdown = {name: [] for name in CALLS}, [], []
for _ in range(ROUNDS):
    for name, call in CALLS.items():
        calls[name].append(seconds_per_call(call))
    loop_slowdown.append(seconds(loop_on_the_host) / seconds(loop_in_the_streams))
    sleep_slowdown.append(seconds(wait_with, sleeper) / seconds(wait_with, event))
for name, samples in calls.items():
    print(f"{name:>12}: {median(samples) * 1e6:.1f} µs a call")
print(f"waiting on the host: {median(loop_slowdown):.1f} times as long")
print(f"sleeping through a short wait: {median(sleep_slowdown):.1f} times as long")

# %%
# Seconds of the host, and ratios.

table = [{"call": name, "host_s": {"samples": found}} for name, found in calls.items()]
measured = {"by_call": {"table": table}}
measured["loop_slowdown"] = {"samples": loop_slowdown}
measured["sleep_slowdown"] = {"samples": sleep_slowdown}
