"""
A scaler costs a wait
=====================

What does a gradient scaler cost a step? It reads every gradient, and it waits for the GPU before
the optimizer starts. A fused optimizer saves the wait.
"""

import time

import torch
from torch import nn

# Width and rows, and how many steps are timed at once.
SIZES = {"small": (256, 64, 10), "large": (4096, 4096, 3)}
LAYERS = 4
ROUNDS = 6
SCALE = 1024.0  # small enough that no step is skipped


def new_loop(width, rows, fused, scaled, waiting):
    torch.manual_seed(0)
    with torch.device("cuda"):
        layers = [
            p for _ in range(LAYERS) for p in (nn.Linear(width, width), nn.ReLU())
        ]
    model = nn.Sequential(*layers)
    inputs = torch.randn(rows, width, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), fused=fused)
    scaler = torch.amp.GradScaler("cuda", init_scale=SCALE, enabled=scaled)

    def step():
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = model(inputs).square().mean()
        scaler.scale(loss).backward()
        if waiting:
            loss.item()
        scaler.step(optimizer)
        scaler.update()

    return step, scaler


# %%
# Five loops of each size take turns: a default and a fused AdamW, with and without a scaler, and
# a default AdamW without a scaler that waits for the loss before each of its steps.
# What is timed is the host's time for some steps, from an idle GPU to an idle GPU.

ARMS = {
    "plain": (False, False, False),
    "waiting": (False, False, True),
    "scaled": (False, True, False),
    "fused": (True, False, False),
    "fused_scaled": (True, True, False),
}


def seconds(step, steps):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps


loops = {
    (size, arm): new_loop(*SIZES[size][:2], *settings)
    for size in SIZES
    for arm, settings in ARMS.items()
}
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for step, _ in loops.values():
        seconds(step, 1)

# %%
# The slowdown of a pair is taken within each round. Every other round goes backwards.

rows = []
for size, (*_, steps) in SIZES.items():
    rounds = []
    for turn in range(ROUNDS):
        order = [*ARMS][:: -1 if turn % 2 else 1]
        rounds.append({arm: seconds(loops[size, arm][0], steps) for arm in order})
    slowdowns = {
        "waiting_slowdown": [taken["waiting"] / taken["plain"] for taken in rounds],
        "slowdown": [taken["scaled"] / taken["plain"] for taken in rounds],
        "fused_slowdown": [taken["fused_scaled"] / taken["fused"] for taken in rounds],
    }
    times = {f"{arm}_s": [taken[arm] for taken in rounds] for arm in ("plain", "fused")}
    samples = {name: {"samples": v} for name, v in (times | slowdowns).items()}
    rows.append({"size": size, **samples})
    print(
        size, {name: sorted(v["samples"])[ROUNDS // 2] for name, v in samples.items()}
    )

# %%
# A scale that has stayed as it was says that no step was skipped.

scales = [
    scaler.get_scale() for (_, arm), (_, scaler) in loops.items() if "scaled" in arm
]
measured = {
    "layers": LAYERS,
    "by_size": {"table": rows},
    "halved": sum(scale != SCALE for scale in scales),
}
