"""
Norms of queries and keys cost time
===================================

What does it cost that a LayerNorm leaves queries and keys in FP32 before attention? Casts in both
directions, in forward and in backward, and copies in FP32 that are kept in between.
"""

import time

import torch
from torch.nn.functional import layer_norm, scaled_dot_product_attention

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
ELEMENTS, HEADS, WIDTH = 2**25, 16, 64  # of each tensor, whatever its length
LENGTHS, CALLS, ROUNDS = (512, 4096), 3, 6
weight = torch.ones(WIDTH, device=device, requires_grad=True)
bias = torch.zeros(WIDTH, device=device, requires_grad=True)

# %%
# Queries and keys come from linear layers in BF16. The usual form leaves the casts to autocast; the
# other computes the norm in BF16.


def usual(q, k, v):
    with torch.autocast(device.type, torch.bfloat16):
        q, k = (layer_norm(x, (WIDTH,), weight, bias) for x in (q, k))
        return scaled_dot_product_attention(q, k, v)


def fitting(q, k, v):
    w, b = weight.bfloat16(), bias.bfloat16()
    q, k = (layer_norm(x, (WIDTH,), w, b) for x in (q, k))
    with torch.autocast(device.type, torch.bfloat16):
        return scaled_dot_product_attention(q, k, v)


# %%
# What is kept for backward: each memory once, if it has at least as many elements as a query.


def kept_bytes(form, tensors):
    found = {}

    def pack(tensor):
        if tensor.numel() >= tensors[0].numel():
            memory = tensor.untyped_storage()
            found[memory.data_ptr()] = memory.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = form(*tensors)
    assert result.requires_grad  # the graph holds what was saved
    return sum(found.values())


# %%
# The time of forward and backward. The host waits before and after a few calls, and the two forms
# take turns.


def seconds(form, tensors):
    torch.accelerator.synchronize()
    begin = time.perf_counter()
    for _ in range(CALLS):
        result = form(*tensors)
        torch.autograd.grad(result, tensors, torch.ones_like(result))
    torch.accelerator.synchronize()
    return (time.perf_counter() - begin) / CALLS


rows = []
for length in LENGTHS:
    shape = ELEMENTS // (HEADS * WIDTH * length), HEADS, length, WIDTH
    noise = (torch.randn(shape, device=device) for _ in range(3))
    tensors = [tensor.bfloat16().requires_grad_() for tensor in noise]
    until = time.perf_counter() + 0.2
    while time.perf_counter() < until:
        seconds(usual, tensors), seconds(fitting, tensors)
    pairs = []
    for turn in range(ROUNDS):
        order = (usual, fitting) if turn % 2 else (fitting, usual)
        times = [seconds(form, tensors) for form in order]
        pairs.append(times if turn % 2 else times[::-1])
    row = {"length": length, "usual_s": {"samples": [a for a, _ in pairs]}}
    row["fitting_s"] = {"samples": [b for _, b in pairs]}
    row["slowdown"] = {"samples": [a / b for a, b in pairs]}
    kept = [kept_bytes(form, tensors) for form in (usual, fitting)]
    row |= {"usual_bytes": kept[0], "fitting_bytes": kept[1]}
    rows.append(row | {"kept_ratio": kept[0] / kept[1]})
    print(f"length {length}: {pairs[-1][0] / pairs[-1][1]:.2f} times as long, {kept}")

# %%
# The longer the sequence, the larger the share of attention itself.

measured = {"by_length": {"table": rows}}
