"""
The GPU nears its data sheet
============================

Is this GPU as fast as one of its kind should be? A large product and a large copy come near the
two figures that a data sheet gives for BF16 on the tensor cores and for the memory.
"""

import unittest
from statistics import median

import torch

# %%
# From NVIDIA's data sheets, and for GeForce from its papers on GA102 and AD102: BF16 on the tensor
# cores, dense and with FP32 sums, and the memory. A figure "with sparsity" is twice the dense one.

TERA = 1e12
SHEETS = {  # flop/s and bytes/s, both in tera
    "NVIDIA A10": (125, 0.6),
    "NVIDIA A100-PCIE-40GB": (312, 1.555),
    "NVIDIA A100-SXM4-40GB": (312, 1.555),
    "NVIDIA A100 80GB PCIe": (312, 1.935),
    "NVIDIA A100-SXM4-80GB": (312, 2.039),
    "NVIDIA A30": (165, 0.933),
    "NVIDIA L4": (121, 0.3),
    "NVIDIA L40S": (362, 0.864),
    "NVIDIA H100 PCIe": (756.5, 2.0),
    "NVIDIA H100 80GB HBM3": (989.5, 3.35),
    "NVIDIA H200": (989.5, 4.8),
    "NVIDIA GeForce RTX 3090": (71, 0.936),
    "NVIDIA GeForce RTX 4090": (165.2, 1.008),
}
name = torch.cuda.get_device_name()
if name not in SHEETS:
    raise unittest.SkipTest(f"this table has no data sheet of {name}: add its line")
peak_flops, peak_memory = (figure * TERA for figure in SHEETS[name])

# %%
# Random matrices, because zeros multiply faster, and buffers of many times the caches.

SIZE, BYTES, ROUNDS, EACH = 8192, 2**30, 8, 10
a, b = (torch.randn(SIZE, SIZE, device="cuda", dtype=torch.bfloat16) for _ in range(2))
product = torch.empty_like(a)
source = torch.ones(BYTES, dtype=torch.uint8, device="cuda")
target = torch.empty_like(source)


def multiply():
    torch.mm(a, b, out=product)


def copy():
    target.copy_(source)


# %%
# Ten of a kind between two events, so that the call does not count. The two take turns, and the
# first rounds only warm up.


def seconds(work):
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    marks[0].record()
    for _ in range(EACH):
        work()
    marks[1].record()
    torch.cuda.synchronize()
    return marks[0].elapsed_time(marks[1]) / 1e3 / EACH


rounds = [(seconds(multiply), seconds(copy)) for _ in range(3 * ROUNDS)][2 * ROUNDS :]
flops = [2 * SIZE**3 / taken / peak_flops for taken, _ in rounds]
memory = [2 * BYTES / taken / peak_memory for _, taken in rounds]  # read and written
print(f"{name}: {median(flops):.0%} and {median(memory):.0%} of its two figures")

# %%
# The claims are about the shares.

measured = {
    "product_share": {"samples": flops},
    "memory_share": {"samples": memory},
}
