"""
Left-over batches join the next epoch
=====================================

What if the number of batches is no multiple of the group? The usual condition never steps for the
batches at the end: their gradients stay and are added to the next epoch's first group.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
BATCHES, GROUP, EPOCHS = 10, 4, 20
generator = torch.Generator().manual_seed(1)
x = torch.randn(BATCHES, 32, 32, generator=generator).to(device)
y = torch.tanh(x[..., :8]).sum(-1, keepdim=True) / 10
print(f"{BATCHES} batches in groups of {GROUP}: {BATCHES % GROUP} left over")

# %%
# These functions say when to step and by what to divide the loss. The first is the condition of
# PyTorch's notes. The last one steps for the batches left over, and divides by their number.


def whole_groups_only(i, _):
    return (i + 1) % GROUP == 0, GROUP


def every_batch(i, batches):
    is_last = i + 1 == batches
    return (i + 1) % GROUP == 0 or is_last, min(GROUP, batches - i // GROUP * GROUP)


# %%
# How many batches are in each step? Gradients that are left over may be dropped when the next epoch
# begins.


def train(condition, batches=BATCHES, drop=False, low=True, dtype=torch.float32):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    model = torch.nn.Sequential(*layers).to(device, dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    waiting, steps = 0, []
    for _ in range(EPOCHS):
        if drop:
            optimizer.zero_grad()
            waiting = 0
        for i in range(batches):
            is_step, members = condition(i, batches)
            with torch.autocast(device.type, torch.float16, enabled=low):
                loss = mse_loss(model(x[i].to(dtype)), y[i].to(dtype)) / members
            scaler.scale(loss).backward()
            waiting += 1
            if is_step:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                steps.append(waiting)
                waiting = 0
    return torch.cat([p.detach().double().flatten() for p in model.parameters()]), steps


# %%
# The reference steps for every batch, in FP64. How far from its weights does each way end, as a
# share of the way that the reference went?

start, _ = train(every_batch, batches=0)
WAYS = {
    "every_batch": (every_batch, {}),
    "whole_groups_only": (whole_groups_only, {}),
    "whole_groups_only_fp32": (whole_groups_only, {"low": False}),
    "left_over_dropped": (whole_groups_only, {"drop": True}),
    "few": (every_batch, {"batches": 3}),
    "few_whole_groups_only": (whole_groups_only, {"batches": 3}),
}
rows = []
for way, (condition, options) in WAYS.items():
    weights, steps = train(condition, **options)
    batches = options.get("batches", BATCHES)
    full = {"low": False, "dtype": torch.float64}
    reference, _ = train(every_batch, batches, **full)
    error = (weights - reference).norm() / (reference - start).norm()
    row = {"way": way, "steps": len(steps), "unused": EPOCHS * batches - sum(steps)}
    rows.append(
        {**row, "most_in_a_step": max(steps, default=0), "off_share": error.item()}
    )
    print(rows[-1])

measured = {"epochs": EPOCHS, "ways": {"table": rows}}
