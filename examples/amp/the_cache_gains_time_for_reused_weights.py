"""
The cache gains time for reused weights
=======================================

What does the weight cache of autocast gain? A weight that is used once in a block is cast once
with it or without. The more often a weight is used, the more casts it spares, forward and
backward.
"""

import time
from statistics import median

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
USES = 16
WIDTH = 8192 if found else 256  # large, so that casts take longer than their launches
layers = [torch.nn.Linear(WIDTH, WIDTH, device=device) for _ in range(USES)]
x = torch.randn(64, WIDTH, device=device)

# %%
# The same number of products in two ways: with as many layers, or with one layer again and
# again, as a recurrent model does.

MODELS = {"once": layers, "reused": layers[:1] * USES}


def step(model, cache):
    hidden = x
    with torch.autocast(device.type, dtype=torch.bfloat16, cache_enabled=cache):
        for layer in model:
            hidden = torch.nn.functional.gelu(layer(hidden))
    hidden.float().mean().backward()


def seconds(model, cache):
    for layer in set(model):
        layer.zero_grad()
    wait()
    begin = time.perf_counter()
    step(model, cache)
    wait()
    return time.perf_counter() - begin


def wait():
    if device.type != "cpu":
        torch.accelerator.synchronize()


# %%
# The arms take turns, after a warm-up by time.

ARMS = [(model, cache) for model in MODELS for cache in (True, False)]
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for model, cache in ARMS:
        seconds(MODELS[model], cache)
ROUNDS = 15
times = {arm: [] for arm in ARMS}
for _ in range(ROUNDS):
    for model, cache in ARMS:
        times[model, cache].append(seconds(MODELS[model], cache))


def gains(model):
    pairs = zip(times[model, False], times[model, True])
    return {"samples": [without / with_cache for without, with_cache in pairs]}


measured = {
    "uses": USES,
    "once_speedup": gains("once"),
    "reused_speedup": gains("reused"),
}
for model in MODELS:
    print(
        f"{model}: {median(gains(model)['samples']):.2f} times as fast with the cache"
    )
