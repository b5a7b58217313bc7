"""
One process is not the next
===========================

Why do the numbers change from run to run, although they agree within each run? Consecutive
rounds share whatever a process keeps, such as the addresses of its memory, and whatever the
machine is doing. Only other processes and other times show how much that matters.
"""
# sphinx_gallery_evidence = {"processes": 6}

import json
import subprocess
import sys
from itertools import permutations
from statistics import median

# %%
# The program times the same small task over and over: launching a kernel so small that the host
# determines how long it takes. It measures when it is told to, and then waits.

PROGRAM = """
import json, sys, time
import torch

x = torch.zeros(1, device="cuda")

def seconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(200):
        x.add_(1)
    torch.cuda.synchronize()
    return time.perf_counter() - begin

for line in sys.stdin:
    warm_until = time.perf_counter() + 0.1
    while time.perf_counter() < warm_until:
        seconds()
    print(json.dumps([seconds() for _ in range(40)]), flush=True)
"""

# %%
# Eight processes start together, because loading torch takes most of the time, and stay alive.

PROCESSES = 8

started = [
    subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(PROCESSES)
]


def block(process):
    process.stdin.write("go\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


# %%
# They take turns measuring, one at a time, and then do it again. The two blocks of one process
# are therefore as far apart in time as blocks of two processes. The first turn is a warm-up.

_, early, late = ([block(process) for process in started] for _ in range(3))
for process in started:
    process.communicate()
for blocks in zip(early, late):
    print("medians:", *(f"{median(rounds) * 1e6:.0f} us" for rounds in blocks))

# %%
# Every other round of a block goes into one half. If its twenty rounds are independent, the
# interval from the sixth smallest to the sixth largest nearly always contains the true median.
# Does it contain the median of another half: of the same block, a later one, another process?


def misses(half, other):
    ordered = sorted(half)
    return not ordered[5] <= median(other) <= ordered[14]


def share(pairs):
    halves = [(one[k::2], two[1 - k :: 2]) for one, two in pairs for k in (0, 1)]
    missed = [misses(*two) + misses(*two[::-1]) for two in halves]
    print(f"missed {sum(missed)} of {2 * len(missed)}")
    return {"samples": [sum(missed) / (2 * len(missed))]}


same = [(block, block) for block in early + late]
later = list(zip(early, late))
another = [(early[i], late[j]) for i, j in permutations(range(PROCESSES), 2)]

# %%
# How much the medians of two blocks differ, as a share.


def difference(pairs):
    apart = [abs(median(two) / median(one) - 1) for one, two in pairs]
    return {"samples": [median(apart)]}


measured = {
    "processes": PROCESSES,
    "missed_within_share": share(same),
    "missed_later_share": share(later),
    "missed_between_share": share(another),
    "later_difference_share": difference(later),
    "between_difference_share": difference(another),
}
