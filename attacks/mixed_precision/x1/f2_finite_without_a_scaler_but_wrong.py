"""
Page: first_nan.md.
Sentence: "If only the gradients are, run one step without a gradient scaler: if they are finite then,
nothing is wrong, and the scaler lowers its scale."
Attack: steps whose gradients are finite at scale 1 and infinite with a scaler, although something is
wrong: (1) two losses of very different size: a sum and a mean over millions with a small weight: at the scale that fits, all
gradients of the second vanish in FP16; (2) a gradient that FP16 has underflowed to zero at scale 1 hides
an overflow of the layer above: finite because it is zero; (3) a penalty computed from scaled gradients;
(4) the default scale and a NaN that only some batches have: one step is finite, the next is not.
Refuted if in (1) a training with a scaler settles at a scale at which more than 90 % of a layer's
gradients, nonzero in FP32, are zero, though the one step without a scaler had finite gradients.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
F = nn.functional
N = 2**20 if device == "cuda" else 2**14
WEIGHT = 0.01 * N / 2**20  # of the mean over millions: a small weight, as the page on the scaler names it
torch.manual_seed(0)
points, colours = torch.rand(N, 2, device=device), torch.rand(N, 3, device=device)
rows, sums = torch.randn(4096, 64, device=device), 20 * torch.randn(4096, 8, device=device)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))
        self.second = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))

    def loss(self):
        mean = WEIGHT * F.mse_loss(self.first(points), colours)
        return mean, mean + 4 * F.mse_loss(self.second(rows), sums, reduction="sum")


torch.manual_seed(1)
model = Two().to(device)
model.loss()[1].backward()
truth = [p.grad.clone() for p in model.first.parameters()]
model.zero_grad()

with torch.autocast(device, torch.float16):
    loss = model.loss()[1]
loss.backward()
finite = all(p.grad.isfinite().all().item() for p in model.parameters())
model.zero_grad()
print(f"one step without a scaler: loss finite {loss.isfinite().item()}, gradients finite {finite}")

optimizer = torch.optim.SGD(model.parameters(), lr=1e-7)
scaler = torch.amp.GradScaler(device)
skipped = 0
for step in range(40):
    optimizer.zero_grad()
    with torch.autocast(device, torch.float16):
        mean, loss = model.loss()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    old = scaler.get_scale()
    scaler.update()
    skipped += scaler.get_scale() < old
optimizer.zero_grad()
with torch.autocast(device, torch.float16):
    loss = model.loss()[1]
scaler.scale(loss).backward()
print(f"with a scaler: {skipped} of 40 steps skipped, scale {scaler.get_scale()}")
shares = []
for p, t in zip(model.first.parameters(), truth):
    meant = t != 0
    shares.append(((p.grad == 0) & meant).sum().item() / max(1, meant.sum().item()))
print("zero though not zero in FP32, by parameter of the first part:", [f"{s:.0%}" for s in shares])

# (3) a penalty from gradients that the scaler has scaled
layer = nn.Linear(64, 1).to(device)


def penalty(scale):
    x = rows.clone().requires_grad_()
    with torch.autocast(device, torch.float16):
        out = layer(x).float().sum()
    grad, = torch.autograd.grad(out * scale, x, create_graph=True)
    loss = (grad.norm(dim=1) - 1).square().mean() * scale
    layer.zero_grad()
    loss.backward()
    return bool(layer.weight.grad.isfinite().all()), (layer.weight.grad / scale).norm().item()


print("penalty, scale 1 and 65536 (finite, norm of the unscaled gradient):", penalty(1.0), penalty(65536.0))
if finite and skipped and max(shares) > 0.9:
    print(f"REFUTED: finite without a scaler, yet at the scale {scaler.get_scale()} that the scaler found {max(shares):.0%} of a layer's gradients are zero: part of the model never learns")
else:
    print(f"NOT REFUTED: finite {finite}, skipped {skipped}, at most {max(shares):.0%} zero")
