"""
Small gradients need a scaler
=============================

What happens in FP16 without a gradient scaler? Where the loss is a mean over many values, each
gradient is tiny; FP16 rounds many to zero, and the network learns less.
"""

# sphinx_gallery_evidence = {"timeout": 120}
# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

SIDE = 1024  # pixels: the loss is a mean over three million values


def picture(side):
    """The places of the pixels of a picture, and their colours."""
    lines = torch.linspace(-1, 1, side, device="cuda")
    y, x = torch.meshgrid(lines, lines, indexing="ij")
    colours = [(3 * x).sin() * (2 * y).cos(), (5 * y).sin(), x * y]
    stacked = (torch.stack(parts, -1) for parts in ([x, y], colours))
    places, colours = (tensor.flatten(0, 1) for tensor in stacked)
    return places, colours / 2 + 0.5


# %%
# A small network learns the colour of each pixel from its place: in FP32, and in FP16 with and
# without a scaler, each from the same two starts.

SEEDS = 2
STEPS = 200
EVERY = 10
ARMS = {"fp32": (False, False), "without": (True, False), "scaled": (True, True)}


def train(seed, mixed, scaled, side=SIDE):
    torch.manual_seed(seed)
    layers = [nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU()]
    layers += [nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)]
    model = nn.Sequential(*layers).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler("cuda", enabled=scaled)
    places, colours = picture(side)
    losses, skipped = [], 0
    for _ in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16, enabled=mixed):
            loss = nn.functional.mse_loss(model(places), colours)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        old = scaler.get_scale()
        scaler.update()
        skipped += scaler.get_scale() < old
        losses.append(loss.detach())
    with torch.autocast("cuda", torch.float16, enabled=mixed):
        output = model(places)
        output.retain_grad()
        loss = nn.functional.mse_loss(output, colours)
    scaler.scale(loss).backward()
    zeros = (output.grad == 0).float().mean().item()
    return torch.stack(losses).tolist(), zeros, skipped


runs = {
    (seed, arm): train(seed, *settings)
    for seed in range(SEEDS)
    for arm, settings in ARMS.items()
}

# %%
# The loss of a run is the median of its last steps: now and then, Adam makes a loss jump.

LAST = 25


def last_loss(run):
    return sorted(run[0][-LAST:])[LAST // 2]


seeds = []
for seed in range(SEEDS):
    losses = {arm: last_loss(runs[seed, arm]) for arm in ARMS}
    without, scaled = (losses[arm] / losses["fp32"] for arm in ("without", "scaled"))
    zeros = {f"{arm}_zero_share": runs[seed, arm][1] for arm in ("without", "scaled")}
    row = {"seed": seed, "without_ratio": without, "scaled_ratio": scaled}
    seeds.append({**row, **zeros, "skipped": runs[seed, "scaled"][2]})
    print(seeds[-1])

# %%
# A small picture has the same colours, but its loss is a mean over fewer values.

SMALL_SIDE = 64

small = {arm: train(0, *ARMS[arm], SMALL_SIDE) for arm in ("fp32", "without")}
small_ratio = last_loss(small["without"]) / last_loss(small["fp32"])
print(f"{SMALL_SIDE} pixels wide: {small_ratio:.2f}")

# %%
# The curves are those of the first start.

curves = [
    {"step": step + 1, **{arm: runs[0, arm][0][step] for arm in ARMS}}
    for step in range(EVERY - 1, STEPS, EVERY)
]
measured = {
    "side": SIDE,
    "small_side": SMALL_SIDE,
    "small_ratio": small_ratio,
    "seeds": {"table": seeds},
    "curves": {"table": curves},
}
