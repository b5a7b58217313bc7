"""
Odd widths slow 16-bit matmuls
==============================

Do the sizes of a layer have to be multiples of 8? Its numbers of inputs and outputs should be:
otherwise its matmuls in 16 bits take longer than those of a larger layer with such numbers. The
size of the batch may be odd.
"""

import time
from statistics import median

import torch

# %%
# A linear layer takes one matmul in the forward pass and two in the backward pass. A shape is
# the size of the batch, the number of inputs and the number of outputs.


def operands(shape, dtype):
    batch, inputs, outputs = shape
    options = {"device": "cuda", "dtype": dtype}
    x, w = (
        torch.randn(batch, inputs, **options),
        torch.randn(outputs, inputs, **options),
    )
    return x, w, torch.randn(batch, outputs, **options)


# %%
# The time on the GPU: the matmuls wait behind a kernel that sleeps until all are launched.


def seconds(tensors, name):
    torch.backends.cuda.matmul.fp32_precision = "tf32" if name == "tf32" else "ieee"
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(2_000_000)  # about a millisecond; a private function
    first.record()
    x, w, gradient = tensors
    _ = x @ w.T, gradient @ w, gradient.T @ x
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


# %%
# First, layers with as many outputs as inputs, just below 4,096: an odd number, twice an odd
# number, and so on. Their speed is compared with that of 4,096 inputs and outputs.

FULL, ROUNDS, MULTIPLES = 4096, 5, (1, 2, 4, 8, 16, 32, 64)
TYPES = {"fp32": torch.float32, "tf32": torch.float32}
TYPES |= {"fp16": torch.float16, "bf16": torch.bfloat16}
widths = {multiple: FULL - multiple for multiple in MULTIPLES} | {FULL: FULL}
layers = {
    (multiple, dtype): operands((FULL, width, width), dtype)
    for multiple, width in widths.items()
    for dtype in {*TYPES.values()}
}

# %%
# Then layers with one such size, each beside a larger one with multiples of 64. The last two are
# the inner width of a language model and the vocabulary of another.

CASES = {
    "batch": ((4095, 4096, 4096), (4096, 4096, 4096)),
    "inputs": ((4096, 4095, 4096), (4096, 4096, 4096)),
    "outputs": ((4096, 4096, 4095), (4096, 4096, 4096)),
    "inner_width": ((4096, 4096, 10922), (4096, 4096, 10944)),
    "vocabulary": ((4096, 768, 50257), (4096, 768, 50304)),
}
pairs = {
    case: [operands(shape, torch.bfloat16) for shape in shapes]
    for case, shapes in CASES.items()
}

# %%
# All take turns, after a warm-up for a set time.


def speed(multiple, name):
    flop = 6 * FULL * widths[multiple] ** 2
    return flop / seconds(layers[multiple, TYPES[name]], name)


def slowdown(case):
    given, padded = (seconds(tensors, "bf16") for tensors in pairs[case])
    return given / padded


arms = [(multiple, name) for multiple in widths for name in TYPES]
for case in CASES:
    slowdown(case)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for arm in arms:
        speed(*arm)
speeds = {arm: [] for arm in arms}
slowdowns = {case: [] for case in CASES}
for _ in range(ROUNDS):
    for arm, found in (speeds | slowdowns).items():
        found.append(slowdown(arm) if arm in CASES else speed(*arm))

# %%
# Speeds are shares of the speed with 4,096; one is compared with that of FP32.


def ratios(arm, other):
    return {"samples": [one / two for one, two in zip(speeds[arm], speeds[other])]}


by_multiple = []
for multiple, width in widths.items():
    row = {"multiple": multiple, "width": width}
    row |= {f"{name}_share": ratios((multiple, name), (FULL, name)) for name in TYPES}
    by_multiple.append(row)
    print(width, {name: f"{median(speeds[multiple, name]):.3g}" for name in TYPES})
by_case = [{"case": c, "slowdown": {"samples": s}} for c, s in slowdowns.items()]
print({case: f"{median(found):.2f}" for case, found in slowdowns.items()})
measured = {"by_multiple": {"table": by_multiple}, "by_case": {"table": by_case}}
measured["odd_bf16_over_fp32_speedup"] = ratios((1, "bf16"), (FULL, "fp32"))
