"""
A norm in its input's type is faster
====================================

What do the casts around a norm cost? They read and write the tensor again, in FP32. A norm that
computes in the type of its input does without them.
"""

import time
import warnings

import torch
from torch.nn.functional import layer_norm, rms_norm

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
ROWS, WIDTH, CALLS, ROUNDS = 65536, 2048, 5, 6
x = torch.randn(ROWS, WIDTH, dtype=torch.bfloat16, device=device, requires_grad=True)
weight = torch.ones(WIDTH, device=device, requires_grad=True)
bias = torch.zeros(WIDTH, device=device, requires_grad=True)

# %%
# In the usual form, autocast is on, the weights are FP32, and the result is cast as the next linear
# layer would cast it. In the other form, the norm runs outside of autocast with weights that fit.


def usual_layer_norm():
    with torch.autocast(device.type, torch.bfloat16):
        return layer_norm(x, (WIDTH,), weight, bias).bfloat16()


def fitting_layer_norm():
    return layer_norm(x, (WIDTH,), weight.bfloat16(), bias.bfloat16())


def usual_rms_norm():
    with torch.autocast(device.type, torch.bfloat16):
        return rms_norm(x, (WIDTH,), weight).bfloat16()


def fitting_rms_norm():
    return rms_norm(x, (WIDTH,), weight.bfloat16())


# %%
# Forward and backward, for the input and the weights. The host waits before and after a few calls,
# and the two forms take turns.


upstream = torch.randn(ROWS, WIDTH, device=device).bfloat16()


def seconds(norm):
    torch.accelerator.synchronize()
    begin = time.perf_counter()
    for _ in range(CALLS):
        torch.autograd.grad(norm(), (x, weight), upstream)
    torch.accelerator.synchronize()
    return (time.perf_counter() - begin) / CALLS


rows = []
with warnings.catch_warnings(action="ignore"):  # RMSNorm warns of mixed types
    for name, usual, fitting in (
        ("LayerNorm", usual_layer_norm, fitting_layer_norm),
        ("RMSNorm", usual_rms_norm, fitting_rms_norm),
    ):
        until = time.perf_counter() + 0.3
        while time.perf_counter() < until:
            seconds(usual), seconds(fitting)
        pairs = []
        for turn in range(ROUNDS):
            order = (usual, fitting) if turn % 2 else (fitting, usual)
            times = [seconds(norm) for norm in order]
            pairs.append(times if turn % 2 else times[::-1])
        row = {"norm": name, "usual_s": {"samples": [a for a, _ in pairs]}}
        row["fitting_s"] = {"samples": [b for _, b in pairs]}
        row["speedup"] = {"samples": [a / b for a, b in pairs]}
        rows.append(row)
        print(f"{name}: {pairs[-1][0] / pairs[-1][1]:.2f} times as fast")

# %%
# Each sample of the speedup is the time of the usual form in one round, by that of the other form.

measured = {"rows": ROWS, "width": WIDTH, "by_norm": {"table": rows}}
