"""
The clock rises with the context
================================

Does a pause between two measurements slow the GPU's clock down? Without a process on it,
it rests at a fraction of its speed. With a context, and after some work, it is high, and on
this GPU a pause does not lower it again, whatever a pair of events seems to say.
"""

# sphinx_gallery_evidence = {"processes": 6}
import itertools
import subprocess
import time
from statistics import median

import torch

# %%
# The driver tells the clock without a CUDA context in this process. The clock of a GPU that
# was just used takes a moment to fall: wait for it, but not forever.


def clock_hz(which):
    query = [
        f"--query-gpu=clocks.{which}.sm",
        "--format=csv,noheader,nounits",
        "--id=0",
    ]
    return int(subprocess.check_output(["nvidia-smi", *query])) * 1_000_000


highest = clock_hz("max")
give_up = time.perf_counter() + 8
while (resting := clock_hz("current")) > highest / 2 and time.perf_counter() < give_up:
    time.sleep(0.2)
print(f"nothing on the GPU: {resting / 1e6:.0f} MHz of {highest / 1e6:.0f}")

# %%
# Now this process uses the GPU, keeps it busy for half a second, and pauses.

a, b, c = (torch.randn(2048, 2048, device="cuda") for _ in range(3))


def work(seconds):
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        torch.mm(a, b, out=c)
        torch.cuda.synchronize()


work(0.5)
busy = clock_hz("current")
time.sleep(1)
paused = clock_hz("current")
print(f"busy: {busy / 1e6:.0f} MHz, after a pause of a second: {paused / 1e6:.0f} MHz")

# %%
# Events on an idle GPU count the gap until the kernel is launched. Each round pauses, and then
# times three products between events: only the first pair has such a gap.


def event():
    return torch.cuda.Event(enable_timing=True)


def products_after(pause):
    torch.cuda.synchronize()
    time.sleep(pause)
    marks = [event() for _ in range(4)]
    marks[0].record()
    for mark in marks[1:]:
        torch.mm(a, b, out=c)
        mark.record()
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in itertools.pairwise(marks)]


ROUNDS = 5
products_after(0)
rounds = [products_after(0.1) for _ in range(ROUNDS)]
longer = [times[0] / times[2] - 1 for times in rounds]
second = [times[1] / times[2] for times in rounds]
print(
    f"after a pause: first {median(longer):.0%} longer, second {median(second):.2f} times"
)

# %%
# Clocks are those of the GPU's multiprocessors.

measured = {
    "resting_hz": {"samples": [resting]},
    "busy_hz": {"samples": [busy]},
    "rests_below_half": resting < highest / 2,
    "paused_share": {"samples": [paused / busy]},
    "first_excess_share": {"samples": longer},
    "second_slowdown": {"samples": second},
}
