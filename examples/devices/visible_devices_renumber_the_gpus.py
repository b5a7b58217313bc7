"""
CUDA_VISIBLE_DEVICES renumbers the GPUs
=======================================

Which GPU is ``cuda:0``? It is the GPU that ``CUDA_VISIBLE_DEVICES`` names first. A process started
with the variable sees the GPUs that it lists, in that order, up to the first wrong entry.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import os
import subprocess
import sys

PROGRAM = "import torch; print(torch.cuda.device_count(), torch.ones(2, device='cuda'))"
every = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")
second_only = os.environ | {"CUDA_VISIBLE_DEVICES": every[1]}  # such as "1"
command = [sys.executable, "-c", PROGRAM]
print(subprocess.check_output(command, env=second_only, text=True))

# %%
# UUIDs tell the two GPUs apart: the driver assigns them, and no order changes them.

import json

import torch

SHOW = """
import json, torch
count = torch.cuda.device_count()
try:
    torch.cuda.init()
    seen = range(torch.cuda.device_count())
    found = [str(torch.cuda.get_device_properties(i).uuid) for i in seen]
except RuntimeError:
    found = []
print(json.dumps([count, found]))
"""
uuids = [str(torch.cuda.get_device_properties(i).uuid) for i in range(2)]


def run(program, value):
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": value}
    command = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, text=True)


def places(found):
    return " ".join(str(uuids.index(uuid)) for uuid in found) or "none"


# %%
# Processes that are started with a value see these GPUs: 0 is the first of this process.

first, second = every[:2]
VALUES = {
    "first": first,
    "second": second,
    "swapped": f"{second},{first}",
    "uuid": f"GPU-{uuids[1]}",
    "uuid_start": f"GPU-{uuids[1][:8]}",
    "empty": "",
    "minus_one": "-1",
    "too_large": "99",
    "wrong_between": f"{first},99,{second}",
    "twice": f"{first},{first}",
    "spaces": f" {second}, {first}",
    "mixed": f"GPU-{uuids[1]},{first}",
    "hidden_between": f"{first},-1,{second}",
}
running = {name: run(SHOW, value) for name, value in VALUES.items()}
values = []
for name, process in running.items():
    count, found = json.loads(process.communicate()[0])
    values.append({"value": name, "count": count, "gpus": places(found)})
    print(values[-1])

# %%
# Two programs start with both GPUs and change the variable after they import PyTorch.
# The second program first asks whether there is a GPU.

CHANGE = """
import os, torch
os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["CHOSEN"]
x = torch.ones(2, device="cuda")
"""
ASK_FIRST = """
import os, torch
if torch.cuda.is_available():
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["CHOSEN"]
    x = torch.ones(2, device="cuda")
"""
TELL = """
print(torch.cuda.device_count(), torch.cuda.get_device_properties(x.device).uuid)
"""
os.environ["CHOSEN"] = second
both = f"{first},{second}"
programs = {"at_once": CHANGE, "asked_first": ASK_FIRST}
running = {name: run(program + TELL, both) for name, program in programs.items()}
changes = []
for name, process in running.items():
    count, uuid = process.communicate()[0].split()
    changes.append({"change": name, "count": int(count), "gpus": places([uuid])})
    print(changes[-1])

# %%
# This process uses the GPU, and its children still read the variable anew.

measured = {
    "values": {"table": values},
    "changes": {"table": changes},
    "parent_initialised": torch.cuda.is_initialized(),
}
