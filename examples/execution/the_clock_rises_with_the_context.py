"""
The clock rises with the context
================================

Does a pause between two measurements lower the GPU's clock? With no process on the GPU, the
clock rests at a fraction of its maximum. With a context, and after some work, it is high, and
on this GPU a pause does not lower it again, whatever a pair of events seems to say.
"""

# sphinx_gallery_evidence = {"processes": 6}
import os
import subprocess
import time
from itertools import pairwise
from statistics import median

import torch

# %%
# The driver reports the clock without a CUDA context in this process. After the GPU has been
# used, its clock takes a moment to drop: wait for it, but not forever.


GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]


def asked(which):
    options = f"--query-gpu=clocks.{which}.sm --format=csv,noheader,nounits --id={GPU}"
    return subprocess.Popen(["nvidia-smi", *options.split()], stdout=subprocess.PIPE)


def clock_hz(query):
    return int(query.communicate()[0]) * 1_000_000


highest = clock_hz(asked("max"))
give_up = time.perf_counter() + 8
while (resting := clock_hz(asked("current"))) > highest / 2:
    time.sleep(0.2)
    if time.perf_counter() > give_up:
        break
print(f"nothing on the GPU: {resting / 1e6:.0f} MHz of {highest / 1e6:.0f}")

# %%
# Now this process sets up its context and nothing else: an empty tensor launches no kernel.

torch.empty(1, device="cuda")
time.sleep(0.2)
with_context = clock_hz(asked("current"))
print(f"with a context: {with_context / 1e6:.0f} MHz")

# %%
# Next, it keeps the GPU busy until the driver has answered, and then pauses.

a, b, c = (torch.randn(2048, 2048, device="cuda") for _ in range(3))
begin, query = time.perf_counter(), None
while query is None or query.poll() is None:
    torch.mm(a, b, out=c)
    torch.cuda.synchronize()
    if query is None and time.perf_counter() > begin + 0.3:
        query = asked("current")
busy = clock_hz(query)
time.sleep(1)
paused = clock_hz(asked("current"))
print(f"busy: {busy / 1e6:.0f} MHz, after a pause of a second: {paused / 1e6:.0f} MHz")

# %%
# On an idle GPU, events count the gap until the kernel is launched. Each round pauses, and then
# times three matmuls between events: only the first pair includes such a gap. Behind a delay
# (its function is private to PyTorch and may change), it does not. The first call is timed, too.


def products_after(pause, held=False):
    torch.cuda.synchronize()
    time.sleep(pause)
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
    if held:
        torch.cuda._sleep(20_000_000)  # cycles: some milliseconds
    marks[0].record()
    calls = [time.perf_counter()]
    for mark in marks[1:]:
        torch.mm(a, b, out=c)
        calls.append(time.perf_counter())
        mark.record()
    torch.cuda.synchronize()
    times = [x.elapsed_time(y) / 1e3 for x, y in pairwise(marks)]
    return *times, calls[1] - calls[0]


# %%
# Rounds with and without the delay alternate. The first of each loads what it needs.

rounds = [(products_after(0.1), products_after(0.1, held=True)) for _ in range(6)][1:]
idle = [first / last - 1 for (first, _, last, _), _ in rounds]
second = [second / last for (_, second, last, _), _ in rounds]
gaps = [(first - last) / call for (first, _, last, call), _ in rounds]
held = [first / last for _, (first, _, last, _) in rounds]
print(
    f"after a pause: first {median(idle):.0%} longer, second {median(second):.3f} times"
)
print(
    f"the gap: {median(gaps):.2f} times the call; behind a delay {median(held):.3f} times"
)

# %%
# Clock rates are those of the GPU's multiprocessors.

measured = {
    "resting_hz": {"samples": [resting]},
    "with_context_hz": {"samples": [with_context]},
    "busy_hz": {"samples": [busy]},
    "rests_below_half": resting < highest / 2,
    "paused_share": {"samples": [paused / busy]},
    "first_excess_share": {"samples": idle},
    "gap_over_call_ratio": {"samples": gaps},
    "held_slowdown": {"samples": held},
    "second_slowdown": {"samples": second},
}
