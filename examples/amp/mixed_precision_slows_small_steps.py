"""
Mixed precision slows small steps
=================================

Why is mixed precision slower than FP32? With a small batch, the casts take longer than the
matmuls that they speed up, both to launch and on the GPU. From some thousand rows on, the
matmuls matter more.
"""

import time
from statistics import median

import torch

# %%
# Eight linear layers, too small to keep the GPU busy unless the batch is large.

LAYERS, WIDTH, BATCHES = 8, 512, (16, 512, 4096, 8192, 16384, 32768)
TYPES = {"fp32": None, "fp16": torch.float16, "bf16": torch.bfloat16}
ROUNDS, STEPS = 6, 3

with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
    batches = {rows: torch.randn(rows, WIDTH) for rows in BATCHES}
model = torch.nn.Sequential(*(layer for pair in pairs for layer in pair))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
scalers = {name: torch.amp.GradScaler("cuda", enabled=name == "fp16") for name in TYPES}


def train(rows, name):
    low, scaler = TYPES[name], scalers[name]
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=low, enabled=low is not None):
        loss = model(batches[rows]).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


# %%
# The time of a step in a loop, as a program has it.


def loop_seconds(rows, name):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(STEPS):
        train(rows, name)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS


# %%
# The time on the GPU alone: a kernel that only sleeps holds the queue until the host has added
# the whole step. A scaler would wait for the GPU, so FP16 is left out.


def gpu_seconds(rows, name):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(12_000_000)  # about six milliseconds; a private function
    first.record()
    train(rows, name)
    last.record()
    in_time = not first.query()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000, in_time


# %%
# The types take turns, after a first step each and a warm-up for a set time. A round in which
# the host was too slow does not count for the time on the GPU.

for rows in BATCHES:
    for name in TYPES:
        train(rows, name)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    train(BATCHES[-1], "bf16")

table = []
for rows in BATCHES:
    loops, held = [], []
    for turn in range(ROUNDS):
        names = [*TYPES][:: -1 if turn % 2 else 1]
        loops.append({name: loop_seconds(rows, name) for name in names})
        times = {name: gpu_seconds(rows, name) for name in names if name != "fp16"}
        if all(in_time for _, in_time in times.values()):
            held.append({name: taken for name, (taken, _) in times.items()})
    base = median(times["fp32"] for times in loops)
    row = {"rows": rows, "fp32_s": {"samples": [times["fp32"] for times in loops]}}
    row["fp32_busy_share"] = {"samples": [times["fp32"] / base for times in held]}
    for name, place, found in (
        ("fp16_speedup", "fp16", loops),
        ("bf16_speedup", "bf16", loops),
        ("bf16_gpu_speedup", "bf16", held),
    ):
        row[name] = {"samples": [times["fp32"] / times[place] for times in found]}
    table.append(row)
    print({key: f"{median(row[key]['samples']):.3g}" for key in [*row][1:]})
measured = {"layers": LAYERS, "width": WIDTH, "by_rows": {"table": table}}
