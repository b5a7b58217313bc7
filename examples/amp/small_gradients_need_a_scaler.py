"""
Small gradients need a scaler
=============================

What happens in FP16 without a gradient scaler? Where the loss is a mean over many values, each
gradient is tiny; FP16 rounds it to zero, and the network stops learning.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import torch
from torch import nn

SIDE = 1024  # pixels: the loss is a mean over three million values

lines = torch.linspace(-1, 1, SIDE, device="cuda")
y, x = torch.meshgrid(lines, lines, indexing="ij")
places = torch.stack([x, y], -1).flatten(0, 1)
colours = [(3 * x).sin() * (2 * y).cos(), (5 * y).sin(), x * y]
picture = torch.stack(colours, -1).flatten(0, 1) / 2 + 0.5

# %%
# A small network learns the colour of each pixel from its place: in FP32, and in FP16 with and
# without a scaler, each three times from the same three starts.

SEEDS = 3
STEPS = 200
EVERY = 10
ARMS = {"fp32": (False, False), "without": (True, False), "scaled": (True, True)}


def train(seed, mixed, scaled):
    torch.manual_seed(seed)
    layers = [nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU()]
    layers += [nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)]
    model = nn.Sequential(*layers).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler("cuda", enabled=scaled)
    losses, skipped = [], 0
    for _ in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16, enabled=mixed):
            loss = nn.functional.mse_loss(model(places), picture)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        old = scaler.get_scale()
        scaler.update()
        skipped += scaler.get_scale() < old
        losses.append(loss.detach())
    shared = model[2].weight.grad  # of a layer in the middle
    zeros = (shared == 0).float().mean().item()
    return torch.stack(losses).tolist(), zeros, skipped


runs = {
    (seed, arm): train(seed, *settings)
    for seed in range(SEEDS)
    for arm, settings in ARMS.items()
}

# %%
# The loss of a run is the median of its last steps: now and then, Adam makes a loss jump.

LAST = 25


def last_loss(seed, arm):
    return sorted(runs[seed, arm][0][-LAST:])[LAST // 2]


seeds = []
for seed in range(SEEDS):
    losses = {arm: last_loss(seed, arm) for arm in ARMS}
    without, scaled = (losses[arm] / losses["fp32"] for arm in ("without", "scaled"))
    zeros = {f"{arm}_zero_share": runs[seed, arm][1] for arm in ARMS}
    row = {"seed": seed, "without_ratio": without, "scaled_ratio": scaled}
    seeds.append({**row, **zeros, "skipped": runs[seed, "scaled"][2]})
    print(seeds[-1])

# %%
# The curves are those of the first start.

curves = [
    {"step": step + 1, **{arm: runs[0, arm][0][step] for arm in ARMS}}
    for step in range(EVERY - 1, STEPS, EVERY)
]
measured = {
    "side": SIDE,
    "seeds": {"table": seeds},
    "curves": {"table": curves},
}
