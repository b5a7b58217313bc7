"""
Three models have three limits
==============================

Is my program limited by arithmetic, by memory or by launching? Time a step as usual, and once more
behind a kernel that holds the stream until the whole step is queued. If that is much faster,
launching is the limit. If not, compare the step's work and traffic with what the GPU can do.
"""

import torch

model = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(40)]).cuda()
x = torch.randn(16, 64, device="cuda")


def milliseconds(step, held):
    begin, end = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    step()  # warms up
    torch.cuda.synchronize()
    torch.cuda._sleep(20_000_000 if held else 1)  # some milliseconds
    begin.record()
    step()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end)


usual, queued = [milliseconds(lambda: model(x), held) for held in (False, True)]
print(f"launched as usual, it takes {usual / queued:.1f} times as long")

# %%
# Three models, each with the rows and the width of its batch. All begin in full FP32.

from copy import deepcopy

from torch.nn import GELU, LayerNorm, Linear, Sequential

torch.backends.cuda.matmul.allow_tf32 = False
MODELS = {
    "wide": (Sequential(*[Linear(4096, 4096) for _ in range(4)]), 2048, 4096),
    "pointwise": (Sequential(*[LayerNorm(1024), GELU()] * 6), 32768, 1024),
    "narrow": (Sequential(*[Linear(64, 64) for _ in range(40)]), 16, 64),
}


def graphed(step):
    graph = torch.cuda.CUDAGraph()
    step()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def arms(model, rows, width):
    model, wide = model.cuda(), torch.randn(4 * rows, width, device="cuda")
    low, x = deepcopy(model).bfloat16(), wide[:rows].contiguous()
    x_low = x.bfloat16()
    steps = {"usual": lambda: model(x), "bf16": lambda: low(x_low)}
    steps |= {"rows": lambda: model(wide), "graph": graphed(steps["usual"])}
    return model, x, steps


# %%
# What a step computes and moves: the products of its linear layers; each layer's input, output and
# weights once.


def work(model, x):
    operations = moved = 0
    for layer in model:
        y = layer(x)
        moved += sum(tensor.nbytes for tensor in (x, y, *layer.parameters()))
        if isinstance(layer, Linear):
            operations += 2 * x.numel() * layer.out_features
        x = y
    return operations, moved


# %%
# What the GPU can do: the rate of a large product, and that of a large copy. All take turns.

a, b = torch.randn(2, 4096, 4096, device="cuda")
large = torch.empty(2**28, device="cuda")
here, there = large.chunk(2)
ROUNDS, found = 7, {name: [] for name in MODELS}
with torch.no_grad():
    ready = {name: arms(*parts) for name, parts in MODELS.items()}
    works = {name: work(model, x) for name, (model, x, _) in ready.items()}
    for turn in range(ROUNDS + 1):
        product = 2 * 4096**3 / milliseconds(lambda: a @ b, True)
        copy = large.nbytes / milliseconds(lambda: here.copy_(there), True)
        for name, (_, _, steps) in ready.items():
            queued = milliseconds(steps["usual"], True)
            time = {arm: milliseconds(step, False) for arm, step in steps.items()}
            operations, moved = works[name]
            row = {
                "launch_slowdown": time["usual"] / queued,
                "flop_share": operations / queued / product,
                "traffic_share": moved / queued / copy,
                "graph_speedup": time["usual"] / time["graph"],
                "bf16_speedup": time["usual"] / time["bf16"],
                "rows_speedup": 4 * time["usual"] / time["rows"],
            }
            found[name] += [row] if turn else []  # the first turn warms up

table = [
    {"model": name} | {key: {"samples": [row[key] for row in rows]} for key in rows[0]}
    for name, rows in found.items()
]
measured = {"by_model": {"table": table}}
for name, rows in found.items():
    print(name, {key: f"{value:.2f}" for key, value in rows[-1].items()})
