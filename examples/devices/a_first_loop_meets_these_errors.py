"""
A first loop meets these errors
===============================

What goes wrong in a first program on a GPU? A batch stays on the CPU, NumPy gets a tensor of the
GPU, a label is no class, the GPU is not there, or the file was written by a machine that had one.
"""

# sphinx_gallery_quiet = "nothing"
import torch

logits, label = torch.zeros(1, 3), torch.tensor([3])  # the classes are 0, 1 and 2
try:
    torch.nn.functional.cross_entropy(logits, label)
except IndexError as error:
    print(error)

# %%
# The program below trains, saves and prints. Each error comes from a wrong line in place of a right
# one, in a process of its own, because one of the errors ends the use of the GPU.

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TRAIN = """
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(2000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
losses = []
for epoch in range(10):
    for x, y in zip(points.split(100), labels.split(100)):
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
guesses = model(x).argmax(dim=1)
print(guesses.cpu().numpy())
torch.save(model.state_dict(), "model.pt")
print("trained on", device, "and learned:", losses[-1] < losses[0] / 2)
"""
LOAD = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3))
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
print("loaded on", model[0].weight.device)
"""

# %%
# The right line, the wrong one in its place, and whether the process sees a GPU.

ASKED, CLASSES = 'device = "cuda" if torch.cuda.is_available() else "cpu"', "labels = ("
MISTAKES = {
    "batch": (TRAIN, "x, y = x.to(device), y.to(device)", "y = y.to(device)", True),
    "numpy": (TRAIN, "guesses.cpu().numpy()", "guesses.numpy()", True),
    "label": (TRAIN, CLASSES, "labels = 1 + (", True),
    "label_on_the_cpu": (TRAIN, CLASSES, "labels = 1 + (", False),
    "no_gpu": (TRAIN, ASKED, 'device = "cuda"', False),
    "file": (LOAD, ', map_location="cpu"', "", False),
}


def start(program, sees_a_gpu, place):
    hidden = {} if sees_a_gpu else {"CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-W", "error", "-c", program]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=place, env=os.environ | hidden, **pipes)


def end_of(process):
    output, errors = process.communicate()
    failed = re.search("Assertion `(.+?)` failed", errors)
    error = re.search(r"^(?:\w+\.)*(\w+Error: .+)$", errors, re.MULTILINE)
    said = error[1] if error else output.splitlines()[-1]
    return said, failed[1] if failed else "nothing"


# %%
# The right programs come first: with the GPU, and on the CPU, as where there is none. The file that
# is loaded was written on the GPU.

with tempfile.TemporaryDirectory() as folder:
    elsewhere = Path(folder, "without_a_gpu")
    elsewhere.mkdir()
    right = [start(TRAIN, True, folder), start(TRAIN, False, elsewhere)]
    trained, trained_without = (end_of(process)[0] for process in right)
    loaded, _ = end_of(start(LOAD, False, folder))
    running = {}
    for name, (program, line, wrong, sees_a_gpu) in MISTAKES.items():
        program = program.replace(line, wrong)
        running[name] = start(program, sees_a_gpu, folder)
    rows = []
    for name, process in running.items():
        rows.append(dict(zip(("mistake", "said", "printed"), (name, *end_of(process)))))
print(trained, trained_without, loaded, *rows, sep="\n")

measured = {
    "trained": trained,
    "trained_without": trained_without,
    "loaded": loaded,
    "by_mistake": {"table": rows},
}
