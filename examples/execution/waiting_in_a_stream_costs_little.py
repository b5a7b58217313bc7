"""
Waiting in a stream costs little
================================

What does a wait cost the host? ``wait_stream`` costs less than launching a kernel, and the
host goes on. ``synchronize`` costs the time until the GPU is done, and then the GPU idles
until the host has launched something, which matters if the steps are short. A thread that
sleeps meanwhile wakes up later.
"""

import time
from statistics import median

import torch

# %%
# Time the calls on an idle GPU. A small kernel serves for comparison.

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
# In a loop, each of two streams needs what the other has just done: the streams wait for each
# other, or the host waits for both. Each step is a kernel that only sleeps.
# ``torch.cuda._sleep`` is private to PyTorch and may change.

SHORT, LONG, STEPS = 40_000, 1_000_000, 40  # cycles: some 20 µs, and half a millisecond


def in_the_streams(cycles):
    for one, other in [(side, here), (here, side)] * (STEPS // 2):
        with torch.cuda.stream(one):
            torch.cuda._sleep(cycles)
        other.wait_stream(one)


def on_the_host(cycles):
    for one in [side, here] * (STEPS // 2):
        with torch.cuda.stream(one):
            torch.cuda._sleep(cycles)
        one.synchronize()


# %%
# A second loop waits for one short kernel after another, by spinning or by sleeping.


def wait_with(waited):
    for _ in range(STEPS):
        torch.cuda._sleep(SHORT)
        waited.record()
        waited.synchronize()


def seconds_per_step(work, argument):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work(argument)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS


# %%
# Warm up for half a second; then all variants take turns, forwards and backwards.

PAIRS = {
    "short": ((on_the_host, SHORT), (in_the_streams, SHORT)),
    "long": ((on_the_host, LONG), (in_the_streams, LONG)),
    "sleep": ((wait_with, sleeper), (wait_with, event)),
}
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    [seconds_per_call(call) for call in CALLS.values()]
    [seconds_per_step(*one) for pair in PAIRS.values() for one in pair]
calls, pairs = {name: [] for name in CALLS}, {name: [] for name in PAIRS}
for turn in range(ROUNDS):
    for name in sorted(CALLS, reverse=turn % 2):
        calls[name].append(seconds_per_call(CALLS[name]))
    for name, pair in PAIRS.items():
        took = {one: seconds_per_step(*one) for one in (pair, pair[::-1])[turn % 2]}
        pairs[name].append((took[pair[1]], took[pair[0]] / took[pair[1]]))
for name, found in calls.items():
    print(f"{name:>12}: {median(found) * 1e6:.1f} µs a call")

# %%
# Record the host's seconds per call, and over those of a launch in the same turn; the faster way's
# seconds per step, and ratios.

table = [{"call": name, "host_s": {"samples": found}} for name, found in calls.items()]
for row in table:
    turns = zip(calls[row["call"]], calls["launch"])
    row["over_launch_ratio"] = {"samples": [call / launch for call, launch in turns]}
measured = {"by_call": {"table": table}}
for name, found in pairs.items():
    steps, slowdown = map(list, zip(*found))
    measured[f"{name}_step_s"] = {"samples": steps}
    measured[f"{name}_slowdown"] = {"samples": slowdown}
    print(
        f"{name}: {median(steps) * 1e6:.0f} µs a step, {median(slowdown):.2f} as long"
    )
