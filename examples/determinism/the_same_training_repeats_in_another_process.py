"""
The same training repeats in another process
============================================

How does a training run give the same weights again, bit for bit? With a seed and deterministic
algorithms, they are the same in every process; with a seed alone, they are not.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 180}
# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

torch.manual_seed(0)  # the weights, the batches, dropout
torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = False  # the default

layers = [nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Dropout(), nn.Conv2d(32, 32, 3)]
layers += [nn.Upsample(scale_factor=4, mode="bilinear"), nn.Conv2d(32, 1, 3)]
model = nn.Sequential(*layers).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    x = torch.randn(8, 3, 64, 64, device="cuda")
    loss = (model(x) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss:", loss.item(), "weights:", sum(p.sum().item() for p in model.parameters()))

# %%
# The same training as a program of its own, with some of the settings. It says what its weights
# are, bit by bit: as integers, whose sum does not depend on the order.

import subprocess
import sys

PROGRAM = """
import sys
import torch
from torch import nn
settings = sys.argv[1].split(", ")
if "seed" in settings:
    torch.manual_seed(0)
torch.use_deterministic_algorithms("switch" in settings)
torch.backends.cudnn.deterministic = "cuDNN" in settings
layers = [nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Dropout(), nn.Conv2d(32, 32, 3)]
layers += [nn.Upsample(scale_factor=4, mode="bilinear"), nn.Conv2d(32, 1, 3)]
model = nn.Sequential(*layers).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for step in range(STEPS):
    if "other batch" in settings and step == STEPS - 1:
        torch.randn(1, device="cuda")
    x = torch.randn(8, 3, 64, 64, device="cuda")
    loss = (model(x) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
bits = [p.detach().view(torch.int32).long() for p in model.parameters()]
print([(x * torch.arange(1, x.numel() + 1, device="cuda").view_as(x)).sum().item() for x in bits])
"""

# %%
# All processes, four for each combination, run at the same time and share the GPU.

STEPS, RUNS = 10, 4
COMBINATIONS = (
    "none",
    "switch",
    "seed",
    "seed, cuDNN",
    "seed, switch",
    "seed, switch, other batch",
)


def started(settings):
    command = [sys.executable, "-c", f"STEPS = {STEPS}\n{PROGRAM}", settings]
    pipe = subprocess.PIPE
    return [subprocess.Popen(command, stdout=pipe, text=True) for _ in range(RUNS)]


def result(run):
    said = run.communicate()[0]
    assert run.returncode == 0
    return said


processes = {settings: started(settings) for settings in COMBINATIONS}
bits = {name: {result(run) for run in runs} for name, runs in processes.items()}
rows = [{"settings": name, "different": len(found)} for name, found in bits.items()]
print(*rows, sep="\n")
measured = {
    "runs": RUNS,
    "steps": STEPS,
    "a_draw_more_differs": bits[COMBINATIONS[-1]] != bits["seed, switch"],
    "by_settings": {"table": rows},
}
