"""
Only some layers gain under autocast
====================================

Which layers does mixed precision speed up? Matmuls and attention gain most, because tensor cores
compute them. Activations gain because they move half the bytes. Layers that autocast runs in
FP32 gain nothing, and may lose to the casts around them.
"""

import time
from statistics import median

import torch
from torch import nn

# %%
# Each layer gets what a linear layer before it would give: FP32 without autocast, BF16 with it.
# The attention has 16 heads, on sequences of 1,024 tokens. The tensors are larger than the GPU's
# cache.

ROWS, WIDTH, ROUNDS = 32768, 2048, 6


def attention(x):
    heads = x.view(-1, 1024, 16, WIDTH // 16).transpose(1, 2)
    return nn.functional.scaled_dot_product_attention(heads, heads, heads)


with torch.device("cuda"):
    LAYERS = {
        "linear": nn.Linear(WIDTH, WIDTH),
        "attention": attention,
        "gelu": nn.GELU(),
        "batch_norm": nn.BatchNorm1d(WIDTH),
        "layer_norm": nn.LayerNorm(WIDTH),
        "softmax": nn.Softmax(-1),
    }
    full = torch.randn(ROWS, WIDTH)
inputs = {None: full, torch.bfloat16: full.bfloat16()}
for x in inputs.values():
    x.requires_grad_()
gradients = {}


def run(name, low):
    layer, x = LAYERS[name], inputs[low]
    weights = layer.parameters() if isinstance(layer, nn.Module) else ()
    with torch.autocast("cuda", dtype=low, enabled=low is not None):
        output = layer(x)
    if (name, low) not in gradients:  # made by the first call, which is not timed
        gradients[name, low] = torch.ones_like(output)
    torch.autograd.grad(output, (x, *weights), gradients[name, low])


# %%
# The time on the GPU of a forward and a backward pass, queued behind a kernel that only sleeps.


def seconds(name, low):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(4_000_000)  # about two milliseconds; a private function
    first.record()
    run(name, low)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


# %%
# The layers and the two types take turns, after a first call each and a warm-up for a set time.

arms = [(name, low) for name in LAYERS for low in inputs]
for arm in arms:
    seconds(*arm)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for arm in arms:
        seconds(*arm)
rounds = [{arm: seconds(*arm) for arm in arms} for _ in range(ROUNDS)]

# %%
# Above one, mixed precision is faster. The type of the output says where autocast went to FP32.

table = []
for name in LAYERS:
    speedups = [times[name, None] / times[name, torch.bfloat16] for times in rounds]
    with torch.autocast("cuda", dtype=torch.bfloat16), torch.no_grad():
        output = LAYERS[name](inputs[torch.bfloat16])
    row = {"layer": name, "speedup": {"samples": speedups}}
    table.append(row | {"output_type": str(output.dtype).removeprefix("torch.")})
    print(f"{name:>12}: {median(speedups):.2f} times as fast, {output.dtype}")
measured = {"rows": ROWS, "width": WIDTH, "by_layer": {"table": table}}
