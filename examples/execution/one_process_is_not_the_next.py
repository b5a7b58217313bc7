"""
One process is not the next
===========================

Why do the numbers change from run to run, although each run repeats them and they agree?
Rounds that follow each other share what a process keeps, such as where its memory lies, and
what the machine does just then. Processes that run one after the other share neither.
"""
# sphinx_gallery_evidence = {"processes": 6}

import json
import subprocess
import sys
from statistics import median, quantiles

# %%
# The program times the same small thing again and again: launches of a kernel so small that
# the host decides how long they take. It waits for a line before it touches the GPU, so that
# several can be started together and then run one at a time.

PROGRAM = """
import json, time
import torch

input()
x = torch.zeros(1, device="cuda")

def seconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(200):
        x.add_(1)
    torch.cuda.synchronize()
    return time.perf_counter() - begin

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds()
print(json.dumps([seconds() for _ in range(40)]))
"""

# %%
# Twelve are started together, as loading torch takes most of the time.

PROCESSES = 12

started = [
    subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(PROCESSES)
]
runs = [json.loads(process.communicate("go\n")[0]) for process in started]

# %%
# What each says of itself: its median, and the range in which half of its rounds lie.

medians = [median(run) for run in runs]
ranges = [high - low for low, _, high in (quantiles(run, n=4) for run in runs)]
for middle, width in zip(medians, ranges):
    print(
        f"median {middle * 1e6:.0f} us, half of the rounds within {width * 1e6:.0f} us"
    )

# %%
# Every other round of a process makes a half. Of twenty rounds, the sixth to the fifteenth
# in order rarely miss the true median if the rounds are independent. Does that interval
# hold the median of another half: of the same process, and of another?


def misses(half, other):
    ordered = sorted(half)
    return not ordered[5] <= median(other) <= ordered[14]


halves = [(run[::2], run[1::2]) for run in runs]
within = [misses(half, other) for half, other in halves]
within += [misses(other, half) for half, other in halves]
between = [
    misses(one[0], other[1]) for one in halves for other in halves if one is not other
]
print(f"missed: within a process {sum(within)} of {len(within)},")
print(f"    between processes {sum(between)} of {len(between)}")

# %%
# Shares of the pairs that missed; and how far the processes lie apart.

apart = (max(medians) - min(medians)) / median(medians)
measured = {
    "processes": PROCESSES,
    "rounds": len(runs[0]),
    "median_s": {"samples": medians},
    "apart_share": {"samples": [apart]},
    "range_share": {"samples": [w / m for w, m in zip(ranges, medians)]},
    "missed_within_share": {"samples": [sum(within) / len(within)]},
    "missed_between_share": {"samples": [sum(between) / len(between)]},
}
