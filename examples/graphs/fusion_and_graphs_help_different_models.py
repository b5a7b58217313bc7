"""
Fusion and graphs help different models
=======================================

What does ``torch.compile`` gain, with and without ``mode="reduce-overhead"``? Fused kernels help a
model that is bound by memory, graphs one that is bound by overhead, and neither helps one that is
bound by compute. And how much memory do the graphs keep?
"""

# sphinx_gallery_evidence = {"timeout": 180, "expected_warnings": [".*"]}
import torch
from torch.utils.benchmark import Timer

model = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(40)]).cuda()
x = torch.randn(16, 64, device="cuda")
fused = torch.compile(model)
graphed = torch.compile(model, mode="reduce-overhead")
with torch.no_grad():
    for call in (model, fused, graphed):
        for _ in range(3):
            call(x)  # compiles, warms up, records
        took = Timer("call(x)", globals={"call": call, "x": x}).timeit(100)
        print(f"{took.mean * 1e6:.0f} µs")

# %%
# Three models in full FP32, each with a batch: one large product after another, layers that do
# little with much data, and many small layers.

import gc
import time

from torch.nn import GELU, LayerNorm, Linear, Sequential

MODELS = {
    "wide": (Sequential(*[Linear(4096, 4096) for _ in range(2)]), 2048, 4096),
    "pointwise": (Sequential(*[LayerNorm(1024), GELU()] * 6), 32768, 1024),
    "narrow": (model, 16, 64),
}
CALLS = {"wide": 5, "pointwise": 10, "narrow": 20}


def captured(model, x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = model(x)

    def replayed(_):
        graph.replay()
        return result

    return replayed


WAYS = {
    "eager": lambda model, _: model,
    "fused": lambda model, _: torch.compile(model),
    "graphed": lambda model, _: torch.compile(model, mode="reduce-overhead"),
    "captured": captured,
}

# %%
# What each way reserves once it is ready, beyond what a call of the plain model has left, and
# whether it gives the same result up to rounding.


def reserved():
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.memory_reserved()


def ready(name):
    torch.compiler.reset()
    model, rows, width = MODELS[name]
    model, x = model.cuda(), torch.randn(rows, width, device="cuda")
    right, calls, more, alike = model(x), {}, {}, {}
    for way, make in WAYS.items():
        before = reserved()
        calls[way] = make(model, x)
        for _ in range(3):
            result = calls[way](x)
        alike[way] = torch.allclose(result, right, 1e-3, 1e-4)
        del result
        more[way] = reserved() - before
    return x, calls, more, alike


# %%
# All ways take turns, and so do the models, after a first turn that warms up.


def seconds(call, x, count):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        call(x)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / count


ROUNDS, table = 12, []
with torch.no_grad():
    for name in MODELS:
        x, calls, more, alike = ready(name)
        found = {way: [] for way in WAYS}
        warm_until = time.perf_counter() + 0.4
        while time.perf_counter() < warm_until or len(found["eager"]) < ROUNDS:
            for way, call in calls.items():
                found[way].append(seconds(call, x, CALLS[name]))
        usual = found["eager"][-ROUNDS:]
        for way in ("fused", "graphed", "captured"):
            gains = [old / new for old, new in zip(usual, found[way][-ROUNDS:])]
            row = {"case": f"{name}, {way}", "speedup": {"samples": gains}}
            row |= {"reserved_bytes": {"samples": [more[way]]}, "alike": alike[way]}
            row |= {"input_bytes": x.nbytes}
            table.append(row)
            print(name, way, f"{gains[-1]:.2f} times as fast, {more[way] >> 20} MiB")
        del calls, call

measured = {"by_case": {"table": table}}
