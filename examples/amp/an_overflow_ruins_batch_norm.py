"""
An overflow ruins BatchNorm
===========================

The gradient scaler skipped a step, so is the model unharmed? Its weights are. BatchNorm's
running statistics are not if an activation overflowed: the forward pass has changed them.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device.type)
batch = torch.randn(32, 64).to(device)
batch[0] = 60_000  # fits into FP16, but its products with the weights do not
with torch.autocast(device.type, torch.float16):
    loss = model(batch).square().mean()
scaler.scale(loss).backward()
scaler.step(optimizer)  # skipped
scaler.update()
for name, value in model.state_dict().items():
    print(f"{name:24} {'finite' if value.isfinite().all() else 'NOT FINITE'}")

# %%
# The trials train a small network to tell ten patterns apart. One batch of each training holds a
# defective sample: it is finite in FP16, but what the first layer makes of it is not.

TRIES, STEPS, DEFECT_AT, DEFECT = 5, 12, 5, 60_000.0


def make_batch(patterns, defect):
    labels = torch.randint(10, (32,))
    samples = patterns[labels] + 0.5 * torch.randn(32, 64)
    samples[0] = DEFECT if defect else samples[0]
    return samples.to(device), labels.to(device)


# %%
# There are two ways to run the forward pass: as usual, and with the norm in FP32.


def as_usual(model, x):
    with torch.autocast(device.type, torch.float16):
        return model(x)


def norm_in_fp32(model, x):
    first, norm, *others = model
    with torch.autocast(device.type, torch.float16):
        x = first(x)
        with torch.autocast(device.type, enabled=False):
            x = norm(x.float())
        return nn.Sequential(*others)(x)


# %%
# The loop may also give up a batch whose loss is not finite, or begin with another scale.


def train(seed, forward=as_usual, check_loss=False, scale=2.0**16, defect=True):
    torch.manual_seed(seed)
    layers = nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10)
    model, patterns = nn.Sequential(*layers).to(device), torch.randn(10, 64)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device.type, init_scale=scale)
    losses, skipped = [], 0
    for step in range(STEPS):
        x, labels = make_batch(patterns, defect and step == DEFECT_AT)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(forward(model, x).float(), labels)
        losses.append(loss.isfinite().item())
        if check_loss and not losses[-1]:
            continue
        before = scaler.get_scale()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        skipped += scaler.get_scale() < before
    with torch.no_grad():
        x, _ = make_batch(patterns, False)
        answers = forward(model.train(), x), forward(model.eval(), x)
    return {
        "skipped": skipped > 0,
        "weights_lost": not all(p.isfinite().all() for p in model.parameters()),
        "statistics_lost": not all(b.isfinite().all() for b in model.buffers()),
        "later_losses_finite": all(losses[DEFECT_AT + 1 :]),
        "finite_in_train": answers[0].isfinite().all().item(),
        "nan_in_eval": answers[1].isnan().all().item(),
    }


# %%
# In the last way, a large scale makes the gradients overflow, but no activation. Count the tries.

WAYS = {
    "as_usual": {},
    "check_loss": {"check_loss": True},
    "scale_of_1": {"scale": 1.0},
    "norm_in_fp32": {"forward": norm_in_fp32},
    "gradients_only": {"scale": 2.0**24, "defect": False},
}
rows = []
for way, options in WAYS.items():
    found = [train(seed, **options) for seed in range(TRIES)]
    rows.append(
        {"way": way} | {key: sum(row[key] for row in found) for key in found[0]}
    )
    print(rows[-1])
fits = torch.tensor(DEFECT).half().isfinite().item()
measured = {"tries": TRIES, "defect_fits": fits, "by_way": {"table": rows}}
