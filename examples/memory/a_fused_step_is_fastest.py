"""
A fused step is fastest
=======================

How long does each form of an optimizer's step take? With many small parameters, the host decides,
and a loop is slow. With few large ones, the GPU's memory decides, and ``fused`` reads and writes
it least.
"""

import time
import warnings

import torch

warnings.filterwarnings("ignore", "This instance was constructed with capturable")
# How many layers, and how wide; and how many steps are timed at once.
SIZES = {"many_small": (100, 64, 2), "few_large": (4, 4096, 4)}
FORMS = {
    "loop": {"foreach": False},
    "foreach": {"foreach": True},
    "fused": {"fused": True},
    "capturable": {"foreach": True, "capturable": True},
}
ROUNDS = 6


def new_step(layers, width, options):
    weights = [torch.randn(width, width, device="cuda") for _ in range(layers)]
    biases = [torch.randn(width, device="cuda") for _ in range(layers)]
    for parameter in weights + biases:
        parameter.requires_grad_()
        parameter.grad = torch.randn_like(parameter)
    return torch.optim.AdamW(weights + biases, **options).step


steps = {
    (size, form): new_step(*SIZES[size][:2], options)
    for size in SIZES
    for form, options in FORMS.items()
}

# %%
# What is timed is the host's time for some steps, from an idle GPU to an idle GPU. Forms take
# turns, every other round backwards.


def seconds(step, times):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(times):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / times


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for step in steps.values():
        seconds(step, 1)

tables = {}
for size, (*_, times) in SIZES.items():
    rounds = []
    for turn in range(ROUNDS):
        order = [*FORMS][:: -1 if turn % 2 else 1]
        rounds.append({form: seconds(steps[size, form], times) for form in order})
    rows = []
    for form in FORMS:
        taken = [each[form] for each in rounds]
        slowdown = [each[form] / each["fused"] for each in rounds]
        row = {"form": form, "step_s": {"samples": taken}}
        rows.append(row | {"slowdown": {"samples": slowdown}})
        print(size, form, sorted(taken)[ROUNDS // 2])
    tables[size] = {"table": rows}

# %%
# Each size has a table of its own.

measured = tables
