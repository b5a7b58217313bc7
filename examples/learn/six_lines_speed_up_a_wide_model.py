"""
Six lines speed up a wide model
===============================

Does mixed precision make my loop faster? Its six lines add work to each step. A wide model gains
much more than that from its 16-bit matmuls; the small one has nothing to gain, and becomes slower.
"""

from time import perf_counter

import torch
from torch import nn

device, n = ("cuda", 4096) if torch.cuda.is_available() else ("cpu", 96)
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
torch.manual_seed(1)  # the same first weights in both loops
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
for _ in range(20):
    begin = perf_counter()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()  # waits for the GPU
print(f"last step: {perf_counter() - begin:.5f} s, loss {loss.item():.3f}")

# %%
# The same with the six lines. FP16 runs on older GPUs, too, such as a T4, which has no BF16.

torch.manual_seed(1)  # the same first weights in both loops
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
scaler = torch.amp.GradScaler(device)  # one
for _ in range(20):
    begin = perf_counter()
    with torch.autocast(device, dtype=torch.float16):  # two
        loss = nn.functional.cross_entropy(model(x), y)  # three: it is in the block
    optimizer.zero_grad()
    scaler.scale(loss).backward()  # four
    scaler.step(optimizer)  # five
    scaler.update()  # six
    loss.item()  # waits for the GPU
print(f"last step: {perf_counter() - begin:.5f} s, loss {loss.item():.3f}")

# %%
# Both loops as functions, which begin with the same weights, for models of two widths.


def model_and_adam(width):
    torch.manual_seed(1)
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    rate = 0.01 if width == 64 else 0.0001
    return model, torch.optim.Adam(model.parameters(), lr=rate)


def train(model, optimizer, steps):
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


def train_mixed(model, optimizer, steps, scaler):
    for _ in range(steps):
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss


def seconds(call, model, optimizer, steps, *scaler):
    begin = perf_counter()
    loss = call(model, optimizer, steps, *scaler).item()  # waits for the GPU
    return (perf_counter() - begin) / steps, loss


# %%
# The loops take turns. The scaler stays with its model. (On a CPU, 16 bits may take longer.)

from statistics import median


def turns(width, steps):
    plain, mixed = model_and_adam(width), model_and_adam(width)
    scaler = torch.amp.GradScaler(device)
    for _ in range(7):
        before = seconds(train, *plain, steps)
        yield before, seconds(train_mixed, *mixed, steps, scaler)


turns_of = {"small": list(turns(64, 50)), "wide": list(turns(n, 20))}
for name, pairs in turns_of.items():
    (_, loss), (_, loss_mixed) = pairs[-1]
    ratio = median(a / b for (a, _), (b, _) in pairs[2:])  # the first turns warm up
    print(f"{name}: {ratio:.2f} times as fast; losses {loss:.3f} and {loss_mixed:.3f}")
if device == "cpu":
    print("no GPU here: the six lines run, and what a GPU gains by them is not seen")

# %%
# For the record: all turns but the first two, and the last losses.

KEYS, rows = ("plain_s", "mixed_s", "speedup", "loss", "loss_mixed"), []
for name, pairs in turns_of.items():
    timed = zip(*((a, b, a / b) for (a, _), (b, _) in pairs[2:]))
    values = [*timed, *([loss] for _, loss in pairs[-1])]
    row = {key: {"samples": list(each)} for key, each in zip(KEYS, values)}
    rows.append({"model": name} | row)
measured = {"by_model": {"table": rows}}
