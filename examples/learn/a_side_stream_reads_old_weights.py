"""
A side stream reads old weights
===============================

May I copy the weights in a second stream while the training goes on? The copy does not wait for the
steps that are queued, so it has the weights from before. With ``wait_stream``, it has those of the
last step; in neither case does the CPU wait.
"""

import torch
from torch import nn

device, n = ("cuda", 4096) if torch.cuda.is_available() else ("cpu", 64)
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
weight = model[-1].weight.detach()
side = torch.cuda.Stream() if device == "cuda" else None
for _ in range(20):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if side:
        side.wait_stream(torch.cuda.current_stream())  # the copy waits for the step
        with torch.cuda.stream(side):
            copy = weight.clone()
        torch.cuda.current_stream().wait_stream(side)  # the next step waits for it
if side:
    print(f"the copy is that of the last step: {torch.equal(copy, weight)}")

# %%
# The same copy as a function, and without a wait: that one is queued in another stream, which knows
# nothing of the steps.


def train(steps):
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def copied_after_waiting():
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        copy = weight.clone()
    torch.cuda.current_stream().wait_stream(side)
    return copy


def copied_at_once():
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


def counted(copied):
    tried(copied)  # the first try loads what it needs, and does not count
    return [sum(each) for each in zip(*(tried(copied) for _ in range(TRIES)))]


for copied in (copied_at_once, copied_after_waiting) if side else ():
    old, new, ahead = counted(copied)
    print(f"{copied.__name__}: old {old} of {TRIES}, new {new}, GPU still busy {ahead}")
if not side:
    print("no GPU here: a CPU has no streams, and each line is done when it returns")

# %%
# For the record, the same again.

rows = []
for copied in (copied_at_once, copied_after_waiting) if side else ():
    old, new, ahead = counted(copied)
    rows.append({"way": copied.__name__, "old": old, "new": new, "ahead": ahead})
measured = {"tries": TRIES, "steps": STEPS, "by_way": {"table": rows}}
