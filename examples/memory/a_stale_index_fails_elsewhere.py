"""
A stale index fails elsewhere
=============================

A loop refills one pinned buffer with the indices of each step. What if the copy is not done by
then? The GPU reads the indices of the next step: the result is wrong, or an error of
the GPU ends the program at a later line.
"""

import json
import os
import subprocess
import sys

# %%
# The first step reads 1,024 rows of a table, the second one 16. It marks the other places, which
# its kernel does not read. The GPU has earlier work, so that the host has gone on to the second
# step when the first copy begins.

PROGRAM = """
import json, sys, traceback
import torch

lookup, care, mark = sys.argv[1], sys.argv[2], int(sys.argv[3])
PLACES, USED, TRIES = 1024, 16, 10
SOURCE = '''
extern "C" __global__ void gather(
    const float *table, const long long *rows, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[rows[i]];
}
'''
gather = torch.cuda._compile_kernel(SOURCE, "gather")
table = torch.arange(4096.0, device="cuda")
other = torch.ones(4096, device="cuda")
buffer = torch.zeros(PLACES, dtype=torch.int64, pin_memory=True)
copied = torch.cuda.Event()

def send(numbers):
    global buffer
    if care == "event":
        copied.synchronize()
    if care == "fresh":
        buffer = torch.zeros(PLACES, dtype=torch.int64, pin_memory=True)
    buffer.fill_(mark)
    buffer[: len(numbers)] = numbers
    index = buffer.to("cuda", non_blocking=care != "blocking")
    copied.record()
    return index

def read(index, n):
    if lookup == "index":
        return table[index[:n]]
    out = torch.empty(n, device="cuda")
    gather(grid=(4, 1, 1), block=(256, 1, 1), args=[table, index, out, n])
    return out

first, second = torch.arange(PLACES) + 7, torch.arange(USED) + 3

def two_steps():
    torch.cuda._sleep(40_000_000)
    early = read(send(first), PLACES)
    late = read(send(second), USED)
    total = other.sum().item()
    return [bool((x.cpu() == y).all()) for x, y in ((early, first), (late, second))]

found = {"raised": "no error", "at": "none", "wrong": 0, "second_wrong": 0}
read(send(first), PLACES).sum().item()  # loads the kernels
torch.cuda._sleep(1000)
torch.cuda.synchronize()
try:
    for _ in range(TRIES):
        right = two_steps()
        found["wrong"] += not right[0]
        found["second_wrong"] += not right[1]
except Exception as error:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.name == "two_steps"]
    found["raised"] = type(error).__name__ + ": " + str(error).splitlines()[0]
    found["at"] = frames[-1].lineno
print("FOUND" + json.dumps(found), flush=True)
"""

# %%
# Each case is a process of its own, since an error of the GPU ends all work there, and one comes
# after the other, since an error may hold up others. In the last one, the same mistake runs with
# launches that wait.

NO_ROW = 2**40  # far outside of every tensor
CASES = {
    "own kernel": ("kernel", "none", NO_ROW, "0"),
    "indexing": ("index", "none", NO_ROW, "0"),
    "a valid mark": ("index", "none", 0, "0"),
    "an event": ("kernel", "event", NO_ROW, "0"),
    "a fresh buffer": ("kernel", "fresh", NO_ROW, "0"),
    "a copy that waits": ("kernel", "blocking", NO_ROW, "0"),
    "launches that wait": ("kernel", "none", NO_ROW, "1"),
}


def start(lookup, care, mark, blocking):
    environment = os.environ | {"CUDA_LAUNCH_BLOCKING": blocking}
    command = [sys.executable, "-c", PROGRAM, lookup, care, str(mark)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)


rows = []
for case, settings in CASES.items():
    said, _ = start(*settings).communicate(timeout=60)
    found = json.loads(said.partition("FOUND")[2])
    lines = PROGRAM.splitlines()
    found["at"] = lines[found["at"] - 1].strip() if found["at"] != "none" else "none"
    rows.append({"case": case} | found)
    print(rows[-1])

# %%
# Exact: wrong results of the first step and of the second, and where an error was raised.

measured = {"by_case": {"table": rows}, "tries": 10}
