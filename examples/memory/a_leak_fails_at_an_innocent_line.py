"""
A leak fails at an innocent line
================================

Does the traceback of an out-of-memory error name the mistake? It names the line that asked for more
than there was left. If another line keeps a tensor of every step, that line is innocent, and so is
every line that you could shorten there: what grows tells the mistake.
"""

import json
import os
import subprocess
import sys

import torch

print(f"{torch.cuda.memory_allocated()} bytes allocated")  # print this in each step

# %%
# Each step makes a tensor, and then a large one that it needs for a moment only. One of the lines
# with ``append`` is the mistake: it keeps a result, or a loss with all that its gradient needs. The
# process has a limit: enough memory for any number of steps that keep nothing.

PROGRAM = """
import json, sys, traceback
import torch

way, device, kept, allocated = sys.argv[1], "cuda", [], []
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(2**31 / total)
weight = torch.ones(2**23, device=device, requires_grad=True)

def step():
    output = weight * 2  # 32 MiB
    loss = output.square().sum()
    if way == "result":
        kept.append(output.detach())
    if way == "loss":
        kept.append(loss)
    large = torch.zeros(2**29, dtype=torch.uint8, device=device)
    return large

said, line = "no error", 0
try:
    for _ in range(1000):
        step()
        allocated.append(torch.cuda.memory_allocated())
except torch.OutOfMemoryError as error:
    said = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    line = [frame.lineno for frame in frames if frame.name == "step"][-1]
print(json.dumps([said, line, len(allocated), allocated[9] - allocated[8]]), flush=True)
"""

# %%
# What the error says, which line the traceback names, and how much more is allocated after a step
# than after the one before.


def start(way):
    env, pipe = {**os.environ, "OMP_NUM_THREADS": "1"}, subprocess.PIPE
    command = [sys.executable, "-c", PROGRAM, way]
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


rows = []
for way, process in {way: start(way) for way in ("result", "loss", "nothing")}.items():
    output, errors = process.communicate()
    assert output, errors[-2000:]
    said, line, steps, growth = json.loads(output.splitlines()[-1])
    named = ["no line", *map(str.strip, PROGRAM.splitlines())][line]
    row = {"keeps": way, "said": said, "named": named, "steps": steps}
    rows.append({**row, "growth_bytes": growth})
    print(
        "keeps {}: {} at {!r}, after {} steps; {} bytes more in each".format(
            *rows[-1].values()
        )
    )

measured = {"by_way": {"table": rows}}
