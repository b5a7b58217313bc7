"""
FP32 layers train on at a tiny scale
====================================

Do all weights freeze once bad batches have made the scale too small? Those that autocast computes
in FP16 do. A LayerNorm at the end, a factor, or an output layer in FP32 trains on, because FP16
does not round its gradients to zero. So watch the scale, and not whether the loss falls.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
linear = nn.Linear(8, 8).to(device)
factor = torch.ones((), device=device, requires_grad=True)
scaler = torch.amp.GradScaler(device.type, init_scale=2.0**-24)  # after 40 bad batches
batch = torch.linspace(0, 1, 64 * 8, device=device).view(64, 8)
with torch.autocast(device.type, torch.float16):
    output = linear(batch).float() * factor  # in FP16, and in FP32
    loss = nn.functional.mse_loss(output, batch)
scaler.scale(loss).backward()
print("gradients of the layer:", linear.weight.grad.unique().tolist())
print("gradient of the factor:", factor.grad.item())

# %%
# Models without and with parameters whose gradients do not go through FP16. A norm in FP32 before a
# layer in FP16 is none of them. (On the CPU, autocast leaves the last norm in FP16, too.)


class Scaled(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(8, 8))
        self.factor = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return super().forward(x).float() * self.factor


class HeadInFP32(nn.Sequential):
    def forward(self, x):
        first, head = self
        x = first(x)
        with torch.autocast(device.type, enabled=False):
            return head(x.float())


MODELS = {
    "linear": lambda: nn.Sequential(nn.Linear(8, 8)),
    "norm": lambda: nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)),
    "norm between": lambda: nn.Sequential(
        nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 8)
    ),
    "factor": Scaled,
    "head": lambda: HeadInFP32(nn.Linear(8, 8), nn.Linear(8, 8)),
}

# %%
# From the default scale, 40 bad batches come first, or none, and then good ones.

BAD, GOOD = 40, 10


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device.type)
    losses = []
    for x in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(x), batch)
        losses.append(loss.item())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return losses


def outcome(name, bad_batches):
    torch.manual_seed(0)
    model = MODELS[name]().to(device)
    rounded = {*model[0].parameters()}
    if name == "norm between":
        rounded = {*model.parameters()}  # the last layer hands on a gradient in FP16
    start = {weight: weight.detach().clone() for weight in model.parameters()}
    bad = torch.full_like(batch, torch.nan)
    losses = train(model, [bad] * bad_batches + [batch] * GOOD)
    moved = {w: (w != old).sum().item() for w, old in start.items()}
    row = {"through_fp16": 0, "through_fp16_moved": 0, "in_fp32": 0, "in_fp32_moved": 0}
    for weight, count in moved.items():
        kind = "through_fp16" if weight in rounded else "in_fp32"
        row[kind] += weight.numel()
        row[f"{kind}_moved"] += count
    return row | {"loss_fell": losses[-1] < losses[-GOOD]}


# %%
# How many weights of each kind moved, and did the loss of good batches fall?

rows = {}
for bad_batches in (0, BAD):
    rows[bad_batches] = [{"model": m} | outcome(m, bad_batches) for m in MODELS]
    print(f"after {bad_batches} bad batches:", *rows[bad_batches], sep="\n")
measured = {"after_none": {"table": rows[0]}, "after_bad": {"table": rows[BAD]}}
