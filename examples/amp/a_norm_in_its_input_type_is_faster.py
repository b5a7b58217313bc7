"""
A norm in its input's type is faster
====================================

What do the casts around a norm cost? They read and write the tensor again, in FP32. A norm that
computes in the type of its input does without them, also before attention.
"""

import time
import warnings

import torch
from torch.nn.functional import layer_norm, rms_norm, scaled_dot_product_attention

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
# Some models normalise queries and keys before attention. Both come in BF16, from linear layers; in
# the usual form, attention casts what LayerNorm leaves in FP32.

TOKENS, HEAD = 512, 64
shape = 64, 16, TOKENS, HEAD
qkv = [torch.randn(shape, device=device).bfloat16().requires_grad_() for _ in range(3)]


def usual_attention():
    with torch.autocast(device.type, torch.bfloat16):
        q, k = (layer_norm(t, (HEAD,), weight[:HEAD], bias[:HEAD]) for t in qkv[:2])
        return scaled_dot_product_attention(q, k, qkv[2])


def fitting_attention():
    w, b = weight[:HEAD].bfloat16(), bias[:HEAD].bfloat16()
    q, k = (layer_norm(t, (HEAD,), w, b) for t in qkv[:2])
    return scaled_dot_product_attention(q, k, qkv[2])


# %%
# Forward and backward, for the inputs and the weights. The host waits before and after a few calls,
# and the two forms take turns.

gradients = {
    ROWS: torch.randn(ROWS, WIDTH, device=device).bfloat16(),
    len(qkv[0]): torch.randn(shape, device=device).bfloat16(),
}


def seconds(form, inputs):
    torch.accelerator.synchronize()
    begin = time.perf_counter()
    for _ in range(CALLS):
        result = form()
        torch.autograd.grad(result, (*inputs, weight), gradients[len(result)])
    torch.accelerator.synchronize()
    return (time.perf_counter() - begin) / CALLS


FORMS = {
    "LayerNorm": (usual_layer_norm, fitting_layer_norm, [x]),
    "RMSNorm": (usual_rms_norm, fitting_rms_norm, [x]),
    "LayerNorm, attention": (usual_attention, fitting_attention, qkv),
}
rows = []
with warnings.catch_warnings(action="ignore"):  # RMSNorm warns of mixed types
    for name, (usual, fitting, inputs) in FORMS.items():
        until = time.perf_counter() + 0.2
        while time.perf_counter() < until:
            seconds(usual, inputs), seconds(fitting, inputs)
        pairs = []
        for turn in range(ROUNDS):
            order = (usual, fitting) if turn % 2 else (fitting, usual)
            times = [seconds(form, inputs) for form in order]
            pairs.append(times if turn % 2 else times[::-1])
        row = {"norm": name, "usual_s": {"samples": [a for a, _ in pairs]}}
        row["fitting_s"] = {"samples": [b for _, b in pairs]}
        row["speedup"] = {"samples": [a / b for a, b in pairs]}
        rows.append(row)
        print(f"{name}: {pairs[-1][0] / pairs[-1][1]:.2f} times as fast")

# %%
# Each sample of the speedup is the time of the usual form in one round, by that of the other form.

measured = {"rows": ROWS, "width": WIDTH, "tokens": TOKENS, "by_norm": {"table": rows}}
