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
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # a lower learning rate
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
# Does the loop take less time without ``item()``? Either way it ends with one, which waits for all
# steps. Before that, is the GPU still busy?

STEPS = 20


def queue_step(model, optimizer):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def loop_seconds(model, optimizer, reads):
    begin = perf_counter()
    for _ in range(STEPS):
        loss = queue_step(model, optimizer)
        if reads:
            loss.item()
    # query() does not wait; is_busy: True while kernels are still queued
    is_busy = device == "cuda" and not torch.cuda.current_stream().query()
    loss.item()
    return (perf_counter() - begin) / STEPS, is_busy


for reads in True, False:
    taken, is_busy = loop_seconds(model, optimizer, reads)
    print(f"item() in each step: {reads}, {taken:.5f} s a step; GPU busy: {is_busy}")

# %%
# Is it the copy of the loss that takes so long? Wait for the GPU first: what is left to ``item()``
# is to bring one number to the CPU.


def step_seconds(model, optimizer, wait_first):
    begin = perf_counter()
    loss = queue_step(model, optimizer)
    called = perf_counter()
    if wait_first and device == "cuda":
        torch.cuda.synchronize()
    waited = perf_counter()
    loss.item()
    return called - begin, waited - called, perf_counter() - waited


# %%
# The wide model, and the small one of the first loop, whose steps are short for the GPU. Each warms
# up for a while, and then the four measurements take turns, so that a slow moment hits all of them.

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
        without.append(loop_seconds(*pair, reads=False))
        reading.append(loop_seconds(*pair, reads=True))
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
    ahead[name] = [sum(is_busy for _, is_busy in each) for each in (without, reading)]
measured = {"rounds": ROUNDS, "by_model": {"table": rows}}
measured["ahead"], measured["ahead_reading"] = ahead["wide"]
if device == "cuda":
    print(f"GPU busy at the end of {ROUNDS} loops, without and with item(): {ahead}")
    measured["peak_bytes"] = {"samples": [torch.cuda.max_memory_allocated()]}
else:
    print("no GPU here: nothing is queued, so item() has nothing to wait for")
