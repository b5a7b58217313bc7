"""
A scaler in BF16 costs time
===========================

What does a gradient scaler cost where it is not needed? It reads all gradients once more, and the
host waits for the result in each step: in a small model that is a large share of the time.
"""

import time

import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
model = nn.Linear(512, 512).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(device.type, enabled=False)  # its calls do nothing
with torch.autocast(device.type, torch.bfloat16):
    loss = model(torch.randn(64, 512).to(device)).square().mean()
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
print(scaler.is_enabled(), scaler.get_scale())

# %%
# A model of eight layers trains under BF16 autocast, with a small and with a large batch. The only
# difference is whether the scaler is enabled.

LAYERS, WIDTH, STEPS, ROUNDS = 8, 512, 10, 6
BATCHES = {"small": 64, "large": 32768}


def make_loop(batch, enabled):
    torch.manual_seed(0)
    layers = [nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)]
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device.type, enabled=enabled)
    x = torch.randn(batch, WIDTH).to(device)

    def loop():
        for _ in range(STEPS):
            with torch.autocast(device.type, torch.bfloat16):
                loss = model(x).square().mean()
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()

    return loop


# %%
# The clock stops when the GPU is done. The two loops take turns, the first of a round every other
# time.


def seconds(loop):
    torch.accelerator.synchronize()
    begin = time.perf_counter()
    loop()
    torch.accelerator.synchronize()
    return (time.perf_counter() - begin) / STEPS


rows = []
for name, batch in BATCHES.items():
    plain, scaled = make_loop(batch, False), make_loop(batch, True)
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        seconds(plain), seconds(scaled)
    pairs = []
    for turn in range(ROUNDS):
        first, second = (plain, scaled) if turn % 2 else (scaled, plain)
        times = seconds(first), seconds(second)
        pairs.append(times if turn % 2 else times[::-1])
    row = {"batch": name, "plain_step_s": {"samples": [a for a, _ in pairs]}}
    row["scaled_slowdown"] = {"samples": [b / a for a, b in pairs]}
    rows.append(row)
    print(f"{name}: {pairs[-1][1] / pairs[-1][0]:.2f} times as long")

# %%
# Each sample is the time of one round with the scaler, divided by that without.

measured = {
    "small_batch": BATCHES["small"],
    "large_batch": BATCHES["large"],
    "by_batch": {"table": rows},
}
