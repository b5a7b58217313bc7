"""
An error surfaces at a later line
=================================

Which errors come late? A mistake that only the GPU can see, such as an out-of-range value, surfaces
late. A mistake that the host can see, such as a shape, raises at its own line. A late error ends
the process's use of the GPU; on the CPU, the same line raises at once and says more.
"""

import torch

table, index = torch.rand(4, 2, device="cuda"), torch.tensor([0, 9], device="cuda")
try:
    table.cpu()[index.cpu()]  # on the CPU, it raises here
except IndexError as error:
    print(error)

# %%
# Each case is a line with a mistake. After it come lines without one, of which the last waits.

import json
import os
import re
import subprocess
import sys

PROGRAM = """
import json, sys, traceback
import torch
from torch.nn import functional as F

name, device = sys.argv[1:]
table = torch.arange(8.0).reshape(4, 2).to(device)
inside, outside = torch.tensor([0, 3]).to(device), torch.tensor([0, 9]).to(device)
chances, bad = torch.tensor([0.5, 0.5]).to(device), torch.tensor([0.5, -1.0]).to(device)

CASES = {
    "index": lambda i, p: table[i],
    "embedding": lambda i, p: F.embedding(i, table),
    "gather": lambda i, p: table.T.gather(1, i.expand(2, 2)),
    "cross_entropy": lambda i, p: F.cross_entropy(table.T, i),
    "scatter": lambda i, p: torch.zeros(4, device=device).scatter_(0, i, 1.0),
    "bernoulli": lambda i, p: torch.bernoulli(p),
    "binary_cross_entropy": lambda i, p: F.binary_cross_entropy(p, chances),
    "assert": lambda i, p: torch._assert_async((p >= 0).all(), "negative"),
    "shape": lambda i, p: table @ (table if i is outside else table.T),
    "memory": lambda i, p: torch.empty(2**50 if i is outside else 1, device=device),
}
"""

# %%
# A correct call comes first and loads what it needs. Then a kernel that only sleeps keeps the GPU
# busy (its function is private to PyTorch and may change): the error cannot surface before it.

PROGRAM += """
def step(i, p, cycles):
    if device == "cuda":
        torch.cuda._sleep(cycles)
    result = CASES[name](i, p)
    doubled = table * 2
    return doubled.sum().item()

step(inside, chances, 1)
said, line, usable = "no error", 0, True
try:
    step(outside, bad, 400_000_000)
except Exception as error:
    said = f"{type(error).__name__}: {error}".splitlines()[0].split(". ")[0]
    frames = traceback.extract_tb(error.__traceback__)
    line = [frame.lineno for frame in frames if frame.name == "step"][-1]
try:
    (table + 1).sum().item()
except RuntimeError:
    usable = False
print(json.dumps([said, line, usable]), flush=True)
"""

# %%
# After a late error, a process cannot use the GPU: each case has one of its own. All run at once.

NAMES = re.findall(r'^    "(\w+)": lambda', PROGRAM, re.MULTILINE)


def start(name, device):
    command, pipe = [sys.executable, "-c", PROGRAM, name, device], subprocess.PIPE
    environment = {**os.environ, "CUDA_LAUNCH_BLOCKING": "0", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command, env=environment, stdout=pipe, stderr=pipe, text=True
    )


def found(process):
    output, errors = process.communicate()
    if not output:
        raise RuntimeError(errors[-2000:])
    said, line, usable = json.loads(output.splitlines()[-1])
    named = PROGRAM.splitlines()[line - 1].strip() if line else "no line"
    failed = re.search("Assertion `(.+?)` failed", errors)
    return said, named, usable, failed[1] if failed else "nothing"


on_gpu, on_cpu = ([start(name, device) for name in NAMES] for device in ("cuda", "cpu"))
rows = []
for name, gpu, cpu in zip(NAMES, map(found, on_gpu), map(found, on_cpu)):
    names = ("mistake", "said", "named", "usable", "printed", "cpu_said", "cpu_named")
    rows.append(dict(zip(names, (name, *gpu, *cpu[:2]))))
    print("\n    ".join(map(str, rows[-1].values())))

# %%
# What the exception says, which line its traceback names, whether the GPU is usable afterwards, and
# which failed assertion the GPU printed; then what the CPU says, and at which line.

late = [row for row in rows if not row["usable"]]
measured = {
    "mistakes": len(rows),
    "late": len(late),
    "late_named": len({row["named"] for row in late}),
    "late_said": len({row["said"] for row in late}),
    "by_mistake": {"table": rows},
}
