"""
A side stream reads old weights
===============================

May I copy the weights in a second stream while the training goes on? The copy does not wait for the
steps that are queued, so it has the weights from before. With ``wait_stream``, it has those of the
last step; in neither case does the CPU wait.
"""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
width = 4096 if device == "cuda" else 64  # wider: some milliseconds a step
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
x, y = points[:4000].to(device), labels[:4000].to(device)
middle = nn.Linear(width, width), nn.ReLU()
layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
model = nn.Sequential(*layers).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)
weight = model[-1].weight.detach()


def train(steps):
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# %%
# Wrong: the copy is queued in another stream, which knows nothing of the steps. Right: that stream
# waits for the current one first.

side = torch.cuda.Stream() if device == "cuda" else None


def copied_at_once():
    with torch.cuda.stream(side):
        return weight.clone()


def copied_after_waiting():
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        return weight.clone()


# %%
# Each try queues a few steps, copies, and only then waits for everything. Was the copy that of the
# weights before the steps, or after them? And was the GPU still busy when the copy was queued?

STEPS, TRIES = 2, 10


def tried(copied):
    before = weight.clone()
    torch.cuda.synchronize()
    train(STEPS)
    copy = copied()
    is_ahead = not torch.cuda.current_stream().query()
    torch.cuda.synchronize()
    return torch.equal(copy, before), torch.equal(copy, weight), is_ahead


rows = []
if device == "cuda":
    for copied in copied_at_once, copied_after_waiting:
        tried(copied)  # the first try loads what it needs, and does not count
        old, new, ahead = (
            sum(each) for each in zip(*(tried(copied) for _ in range(TRIES)))
        )
        rows.append({"way": copied.__name__, "old": old, "new": new, "ahead": ahead})
        print(
            f"{copied.__name__}: old weights {old} of {TRIES}, new {new}, ahead {ahead}"
        )
else:
    train(STEPS)
    print("no GPU here: a CPU has no streams, and each line is done when it returns")
measured = {"tries": TRIES, "steps": STEPS, "by_way": {"table": rows}}
