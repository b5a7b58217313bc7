"""
An unwarmed race comes out right
================================

Why does a race not show up in a short test? The first launch of a kernel loads it,
which waits for all work that the GPU already has, so the first try comes out in order
by accident. The second one, with the same code, is wrong.
"""

import subprocess
import sys

# %%
# The program copies ones to the GPU in a side stream, after some milliseconds of other
# work, and adds them up in the current stream, which does not wait for the copy. For
# each of two tries, it prints whether the sum was wrong. With the argument ``warm``, it
# calls the sum once before them.

PROGRAM = """
import sys, torch
ones = torch.ones(2**20, pin_memory=True)
x = torch.zeros(2**20, device="cuda")
side = torch.cuda.Stream()
if sys.argv[1] == "warm": x.sum()
for _ in range(2):
    torch.cuda.synchronize()
    x.zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(100_000_000)
        x.copy_(ones, non_blocking=True)
    print(int(x.sum().item() != ones.numel()))
"""

# %%
# A process loads each kernel once, so each case needs its own processes.

PROCESSES = 3
CASES = ("cold", "warm")


def start(case):
    command = [sys.executable, "-c", PROGRAM, case]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


running = {case: [start(case) for _ in range(PROCESSES)] for case in CASES}

# %%
# The number of processes in which the first and the second try were wrong, per case.

rows = []
for case, processes in running.items():
    tries = [process.communicate()[0].split() for process in processes]
    first, second = (sum(map(int, column)) for column in zip(*tries))
    rows.append({"case": case, "first_wrong": first, "second_wrong": second})
    print(f"{case:>5}: first try wrong {first}, second {second}, of {PROCESSES}")

# %%
# Counts of processes.

measured = {"processes": PROCESSES, "by_case": {"table": rows}}
