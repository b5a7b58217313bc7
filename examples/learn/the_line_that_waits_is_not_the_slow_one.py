"""
The line that waits is not the slow one
=======================================

Which line of my training loop is slow? A clock around the lines blames ``loss.item()``, because
that line waits for the work that the lines before it have queued. Without ``item()``, the loop
takes as long. Loop and model are those of the first loop, with a wider layer in the middle.
"""

from time import perf_counter

import torch
from torch import nn

device, n = ("cuda", 4096) if torch.cuda.is_available() else ("cpu", 256)
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
for _ in range(20):
    begin = perf_counter()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    called = perf_counter()
    loss.item()
print(f"calls {called - begin:.5f} s, item() {perf_counter() - called:.5f} s")

# %%
# Is it the copy of the loss that takes so long? Wait for the GPU first: what is left to ``item()``
# is to bring one number to the CPU.


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


def queue_step(model, optimizer):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def step_seconds(model, optimizer, wait_first):
    begin = perf_counter()
    loss = queue_step(model, optimizer)
    called = perf_counter()
    if wait_first:
        wait()
    waited = perf_counter()
    loss.item()
    return called - begin, waited - called, perf_counter() - waited


# %%
# And without ``item()``? Only the end of the loop waits then. Before it does, is the GPU done?
# (``query()`` asks without waiting. On a CPU nothing is queued, so all is done.)

STEPS = 20


def loop_seconds(model, optimizer, read):
    wait()
    begin = perf_counter()
    for _ in range(STEPS):
        loss = queue_step(model, optimizer)
        if read:
            loss.item()
    done = device == "cpu" or torch.cuda.current_stream().query()
    wait()
    return (perf_counter() - begin) / STEPS, done


# %%
# The wide model, and the small one of the first loop, whose steps are short for the GPU. Each warms
# up for a while, and then all ways take turns.

from statistics import median

ROUNDS, rows, ahead = 5, [], {}
small = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
small_adam = torch.optim.Adam(small.parameters(), lr=0.01)
for name, pair in {"wide": (model, optimizer), "small": (small, small_adam)}.items():
    warm_until = perf_counter() + 0.5
    while perf_counter() < warm_until:
        step_seconds(*pair, wait_first=True)
    read, apart, without, reading = [], [], [], []
    for _ in range(ROUNDS):
        read.append(step_seconds(*pair, wait_first=False))
        apart.append(step_seconds(*pair, wait_first=True))
        without.append(loop_seconds(*pair, read=False))
        reading.append(loop_seconds(*pair, read=True))
    samples = {
        "calls_s": [calls for calls, _, _ in read],
        "item_s": [item for _, _, item in read],
        "item_share": [item / (calls + item) for calls, _, item in read],
        "copy_s": [copy for _, _, copy in apart],
        "copy_share": [copy / sum((copy, *others)) for *others, copy in apart],
        "loop_ratio": [b / a for (a, _), (b, _) in zip(without, reading)],
    }
    rows.append({"model": name} | {key: {"samples": samples[key]} for key in samples})
    print(name, {key: f"{median(values):.2g}" for key, values in samples.items()})
    ahead[name] = [
        [done for _, done in loop].count(False) for loop in (without, reading)
    ]
if device == "cuda":
    print(f"GPU busy at the end of {ROUNDS} loops, without and with item(): {ahead}")
else:
    print("no GPU here: nothing is queued, so item() has nothing to wait for")
measured = {"rounds": ROUNDS, "by_model": {"table": rows}}
measured["ahead"], measured["ahead_reading"] = ahead["wide"]
