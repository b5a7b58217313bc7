"""
Accumulated gradients match those of one batch
==============================================

How do I accumulate gradients with a gradient scaler? Scale every loss, and let the scaler step once
for each group of batches. The sum is then as exact as the gradient of one large batch.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device.type)
batches, y = torch.randn(10, 32, 64).to(device), torch.zeros(32, 1).to(device)
GROUP = 4

for i, x in enumerate(batches):
    members = min(GROUP, len(batches) - i // GROUP * GROUP)  # the last group is smaller
    with torch.autocast(device.type, torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), y) / members
    scaler.scale(loss).backward()
    if (i + 1) % GROUP == 0 or i + 1 == len(batches):
        scaler.step(optimizer)  # unscale_ just before, if you clip
        scaler.update()
        optimizer.zero_grad()
print(f"loss: {loss * members:.3f}")

# %%
# The reference is the gradient of one large batch in FP64. The large batch is also run in mixed
# precision, and in parts of equal and of different sizes. Its last rows have larger targets than
# its first, as in data that are sorted.

ROWS, EQUAL, DIFFERENT = 512, (64,) * 8, (8, 16, 24, 32, 48, 64, 128, 192)
torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).to(device)
x = torch.randn(ROWS, 64).to(device)
y = (
    x[:, :8].sum(1, keepdim=True) + torch.linspace(-2, 2, ROWS).to(device)[:, None]
) / 50


def flat(model):
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


def accumulated(sizes, weigh, low=True):
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    optimizer.zero_grad()
    for part, wanted in zip(x.split(sizes), y.split(sizes)):
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = torch.nn.functional.mse_loss(model(part), wanted) * weigh(
                len(part), sizes
            )
        scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return flat(model)


# %%
# What is each loss multiplied by? If the parts have different sizes, each counts by its rows.


def by_parts(_, sizes):
    return 1 / len(sizes)


def by_rows(rows, sizes):
    return rows / sum(sizes)


def not_at_all(*_):
    return 1


model.double()
torch.nn.functional.mse_loss(model(x.double()), y.double()).backward()
reference = flat(model)
model.float()
WAYS = {
    "one_batch": ((ROWS,), by_parts),
    "equal": (EQUAL, by_parts),
    "equal_fp32": (EQUAL, by_parts, False),
    "not_divided": (EQUAL, not_at_all),
    "different_by_parts": (DIFFERENT, by_parts),
    "different_by_rows": (DIFFERENT, by_rows),
    "different_by_parts_fp32": (DIFFERENT, by_parts, False),
}
rows = []
for way, arguments in WAYS.items():
    gradient = accumulated(*arguments)
    error = (gradient - reference).norm() / reference.norm()
    size = gradient.norm() / reference.norm()
    rows.append({"way": way, "error_share": error.item(), "size_ratio": size.item()})
    print(rows[-1])

# %%
# The gradients are kept in the type of the parameters.

measured = {
    "ways": {"table": rows},
    "gradient_type": str(model[0].weight.grad.dtype),
}
