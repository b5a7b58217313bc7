"""
A slow host meets the error at a launch
=======================================

Does a late error always surface at a line that waits? Only if the GPU is behind. If the kernel has
failed before the host's next launch, because the host was busy with something else, that launch
raises the error, although it waits for nothing.
"""

import json
import os
import subprocess
import sys

# %%
# The host looks up a row that does not exist, or passes a class that does not exist. Then either
# the GPU or the host is slow: a kernel that only sleeps holds the GPU (its function is private to
# PyTorch and may change), or the host itself sleeps.

PROGRAM = """
import json, sys, time, traceback
import torch
from torch.nn import functional as F

mistake, slow = sys.argv[1:]
table, rows = torch.rand(4, 4, device="cuda"), torch.arange(4, device="cuda")
inside, outside = rows.clone(), rows + 5
USES = {"index": lambda i: table[i], "cross_entropy": lambda i: F.cross_entropy(table, i)}

def step(index):
    if slow == "GPU":
        torch.cuda._sleep(400_000_000)
    result = USES[mistake](index)
    time.sleep(1 if slow == "host" else 0)
    doubled = table * 2
    return doubled.sum().item()
"""

# %%
# A correct step comes first, and loads what it needs. Then the program tells the line at which the
# wrong one raises.

PROGRAM += """
step(inside)
said, line = "no error", 0
try:
    step(outside)
except RuntimeError as error:
    said = f"{type(error).__name__}: {error}".splitlines()[0].split(". ")[0]
    frames = traceback.extract_tb(error.__traceback__)
    line = [frame.lineno for frame in frames if frame.name == "step"][-1]
print(json.dumps([said, line]), flush=True)
"""

# %%
# After the error, a process cannot use the GPU, so each case has one of its own. All run at once.

CASES = [(way, slow) for way in ("index", "cross_entropy") for slow in ("GPU", "host")]


def start(*case):
    env = {**os.environ, "CUDA_LAUNCH_BLOCKING": "0", "OMP_NUM_THREADS": "1"}
    command, pipe = [sys.executable, "-c", PROGRAM, *case], subprocess.PIPE
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


rows = []
for case, process in zip(CASES, [start(*case) for case in CASES]):
    output, errors = process.communicate()
    assert output, errors[-2000:]
    said, line = json.loads(output.splitlines()[-1])
    named = ["no line", *map(str.strip, PROGRAM.splitlines())][line]
    rows.append({"case": "{}, slow {}".format(*case), "named": named, "said": said})
    print("\n    ".join(rows[-1].values()))

# %%
# Which line each traceback names, and what each error says.

measured = {"by_case": {"table": rows}}
