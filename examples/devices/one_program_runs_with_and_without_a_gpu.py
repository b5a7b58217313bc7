"""
One program runs with and without a GPU
=======================================

How does a program run with and without a GPU? It asks once for the accelerator, checks whether
it is available, and passes the device on. Everything else follows.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")

model = torch.nn.Linear(8, 1).to(device)
x = torch.ones(4, 8, device=device)
loss = model(x).square().mean()
loss.backward()
print(f"{device}: {loss.item():.3f}")

# %%
# The program below trains a recurrent network on data from the host. It names no device but
# the one it has found.

import json
import os
import subprocess
import sys

CODE = """
import json
import torch
from torch.utils.data import DataLoader, TensorDataset

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)

class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(4, 16)
        self.head = torch.nn.Linear(16, 1)

    def forward(self, steps):
        state = steps.new_zeros(len(steps), 16)
        for step in steps.unbind(1):
            state = self.cell(step, state)
        return self.head(state)

model = Counter().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
inputs = torch.rand(256, 5, 4)
data = TensorDataset(inputs, inputs.sum((1, 2)).unsqueeze(1))
loader = DataLoader(data, batch_size=32, pin_memory=found is not None)

losses = []
for _ in range(10):
    for x, y in loader:
        pinned = x.is_pinned() if found else False
        x, y = (tensor.to(device, non_blocking=True) for tensor in (x, y))
        with torch.autocast(device.type, torch.bfloat16):
            loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    losses.append(loss.item())
if found:
    torch.accelerator.synchronize()
"""

# %%
# The program reports where its parameters and its loss are, and whether it has learnt.

CODE += """
places = {str(tensor.device) for tensor in (loss, *model.parameters())}
learnt = losses[-1] < losses[0] / 2
print(json.dumps([" ".join(sorted(places)), pinned, learnt]))
"""


def start(**variables):
    command = [sys.executable, "-W", "error", "-c", CODE]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env={**os.environ, **variables}, **pipes)


def result(process):
    told, failure = process.communicate()
    if process.returncode:
        raise RuntimeError(failure[-2000:])
    return dict(zip(("places", "pinned", "learnt"), json.loads(told)))


# %%
# The program runs once as it is and once with every GPU hidden. Both treat warnings as errors.

running = {"as_it_is": start(), "hidden": start(CUDA_VISIBLE_DEVICES="")}
runs = [{"run": name, **result(process)} for name, process in running.items()]
print(*runs, sep="\n")

measured = {"found": device.type, "runs": {"table": runs}}
