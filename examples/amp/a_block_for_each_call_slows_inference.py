"""
A block for each call slows inference
=====================================

What does ``model.bfloat16()`` gain over autocast in inference? With one row, almost everything:
an autocast block for each call casts all weights in each call. One block for all calls does not.
"""

import time
from contextlib import nullcontext
from copy import deepcopy
from statistics import median

import torch

# %%
# A wide model, so that its weights and not the launches take the time, and batches of several
# sizes.

WIDTH, LAYERS, BATCHES = 8192, 4, (1, 16, 256, 2048)

layers = (torch.nn.Linear(WIDTH, WIDTH, device="cuda") for _ in range(LAYERS))
model = torch.nn.Sequential(*layers)
converted = deepcopy(model).bfloat16()
inputs = {batch: torch.randn(batch, WIDTH, device="cuda") for batch in BATCHES}


def cast():
    return torch.autocast("cuda", torch.bfloat16)


# %%
# For each way: its model, the type of its inputs, what surrounds all calls, and what each call.
# The first call in a block casts the weights and is not timed.

WAYS = {
    "fp32": (model, torch.float32, nullcontext, nullcontext),
    "each_call": (model, torch.float32, nullcontext, cast),
    "one_block": (model, torch.float32, cast, nullcontext),
    "bfloat16": (converted, torch.bfloat16, nullcontext, nullcontext),
}
CALLS, ROUNDS = {1: 12, 16: 12, 256: 6, 2048: 2}, 6


def seconds(way, batch, mode=torch.no_grad):
    used, dtype, around, in_call = WAYS[way]
    x = inputs[batch].to(dtype)
    with mode(), around():
        with in_call():
            used(x)
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(CALLS[batch]):
            with in_call():
                used(x)
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / CALLS[batch]


# %%
# The ways take turns, after a warm-up for a set time, and after one round that does not count.

SMALL = BATCHES[0]
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for way in WAYS:
        seconds(way, SMALL)
rows = []
for batch in BATCHES:
    rounds = [{way: seconds(way, batch) for way in WAYS} for _ in range(ROUNDS + 1)]
    times = {way: [each[way] for each in rounds[1:]] for way in WAYS}
    row = {"batch": batch} | {f"{way}_s": {"samples": times[way]} for way in WAYS}
    for way in ("each_call", "one_block", "bfloat16"):
        pairs = zip(times["fp32"], times[way])
        row[f"{way}_speedup"] = {"samples": [slow / fast for slow, fast in pairs]}
    rows.append(row)
    print(batch, {way: f"{median(each) * 1e3:.3f} ms" for way, each in times.items()})

# %%
# With a batch of one, inference mode takes turns with ``no_grad``.

pairs = [
    (
        seconds("one_block", SMALL),
        seconds("one_block", SMALL, torch.inference_mode),
        seconds("bfloat16", SMALL),
        seconds("bfloat16", SMALL, torch.inference_mode),
    )
    for _ in range(ROUNDS)
]
print({"last round": [f"{each * 1e3:.3f} ms" for each in pairs[-1]]})

# %%
# Speedups are those over FP32; the slowdowns of inference mode are those over ``no_grad``.

measured = {
    "by_batch": {"table": rows},
    "block_slowdown": {"samples": [other / one for one, other, _, _ in pairs]},
    "bfloat16_slowdown": {"samples": [other / one for _, _, one, other in pairs]},
}
