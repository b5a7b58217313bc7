"""
Recurrent cells lose gradient in the cache
==========================================

Does a loop over time steps train under autocast? In a long one, a recurrent cell loses gradient:
its weights are cached in 16 bits, and so is the sum of their gradients. The layer that runs all
steps in one call does not, and neither does the cell without the cache.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
cell = torch.nn.GRUCell(16, 16, device=device)
steps = torch.randn(1024, 8, 16, device=device)  # 1024 steps of 8 sequences

hidden, outputs = None, []
with torch.autocast(device.type, dtype=torch.bfloat16, cache_enabled=False):
    for step in steps:
        hidden = cell(step, hidden)
        outputs.append(hidden.float().mean())
sum(outputs).backward()
print(f"norm of the gradient: {cell.weight_ih.grad.norm().item():.1f}")

# %%
# Each cell, and the layer with the same weights that runs all steps in one call.

STEPS = 1024
KINDS = {
    "RNN": (torch.nn.RNNCell, torch.nn.RNN),
    "GRU": (torch.nn.GRUCell, torch.nn.GRU),
    "LSTM": (torch.nn.LSTMCell, torch.nn.LSTM),
}


def step_by_step(cell, steps):
    state, total = None, 0
    for step in steps:
        state = cell(step, state)
        hidden = state[0] if isinstance(state, tuple) else state
        total = total + hidden.double().mean()
    return total


def in_one_call(layer, steps):
    return layer(steps)[0].double().mean((1, 2)).sum()


def gradient(module, run, dtype=torch.float32, **options):
    module = module.to(dtype)
    module.zero_grad()
    enabled = dtype is torch.float32
    block = {"dtype": torch.bfloat16, "enabled": enabled, **options}
    with torch.autocast(device.type, **block):
        loss = run(module, steps.to(dtype))
    loss.backward()
    name = "weight_ih" if hasattr(module, "weight_ih") else "weight_ih_l0"
    return getattr(module, name).grad.double()


# %%
# The errors of the gradient of the input weights, relative to a reference in FP64, to two digits:
# cuDNN may add up in another order each time.

rows = []
for kind, (make_cell, make_layer) in KINDS.items():
    torch.manual_seed(0)
    cell, layer = (make(16, 16, device=device) for make in (make_cell, make_layer))
    weights = [parameter.detach() for parameter in cell.parameters()]
    for parameter, weight in zip(layer.parameters(), weights):
        parameter.data.copy_(weight)
    cached = gradient(cell, step_by_step)
    uncached = gradient(cell, step_by_step, cache_enabled=False)
    at_once = gradient(layer, in_one_call)
    truth = gradient(cell, step_by_step, torch.float64)
    row = {"cell": kind}
    for name, found in (("cached", cached), ("uncached", uncached), ("layer", at_once)):
        error = ((found - truth).norm() / truth.norm()).item()
        row[f"{name}_error_share"] = float(f"{error:.2g}")
    rows.append(row)
    print(row)
measured = {"steps": STEPS, "cells": {"table": rows}}
