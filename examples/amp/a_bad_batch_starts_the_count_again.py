"""
A bad batch starts the count again
==================================

Do good batches win back the scale that bad ones have lost? Only if ``growth_interval`` of them come
in a row. A bad batch sets the count to zero: if one comes more often than that, the scale falls
for ever, however many batches are good.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, growth_interval=10)
good = torch.ones(2, 4, device=device)
for batch in ([good] * 8 + [good * torch.nan]) * 3:  # 24 of 27 are good
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = model(batch).float().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print(scaler.get_scale())  # an eighth of what it was

# %%
# There are 80 good batches each time: in a row, or with a bad one after each 8, 10 or 20. How often
# does the scale double, and how often is it halved? By default, the interval is 2000.

GOOD, START = 80, 1024.0


def outcome(batches):
    scaler = torch.amp.GradScaler(device.type, init_scale=START, growth_interval=10)
    doubled = halved = 0
    for batch in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = model(batch).float().mean()
        scaler.scale(loss).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        doubled += scaler.get_scale() > before
        halved += scaler.get_scale() < before
    return {"doubled": doubled, "halved": halved, "ratio": scaler.get_scale() / START}


rows = [{"good_between": GOOD} | outcome([good] * GOOD)]
for between in (8, 10, 20):
    batches = ([good] * between + [good * torch.nan]) * (GOOD // between)
    rows.append({"good_between": between} | outcome(batches))
print(*rows, sep="\n")

measured = {"good": GOOD, "by_good_between": {"table": rows}}
