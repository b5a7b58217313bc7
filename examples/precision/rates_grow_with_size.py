"""
Rates grow with size
====================

How large must a matmul be to use the GPU? The lower the precision, the larger. And how much
does the width matter: 10,922, or 10,944 with a multiple of 64?
"""

import functools
import time
from statistics import median

import torch

# %%
# Square matrices of normally distributed numbers; FP64 has the same sizes as the others.

SIZES, ROUNDS, E4M3 = (256, 512, 1024, 2048, 4096, 8192, 12288), 3, torch.float8_e4m3fn
TYPES = {"fp64": torch.float64, "fp32": torch.float32, "tf32": torch.float32}
TYPES |= {"bf16": torch.bfloat16, "fp8": E4M3}
WIDTHS = (10922, 10928, 10944)
ONE = torch.ones((), device="cuda")

# %%
# The second factor is a weight, transposed, as in a linear layer; FP8 needs this layout.


def multiply(x, weight, name):
    if name == "fp8":
        more = {"out_dtype": torch.bfloat16, "use_fast_accum": True}
        return torch._scaled_mm(x, weight.T, ONE, ONE, **more)
    torch.backends.cuda.matmul.fp32_precision = "tf32" if name == "tf32" else "ieee"
    return x @ weight.T


def rate(x, weight, name):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    repeats = max(1, 2048 // len(x))  # small products, back to back
    torch.cuda._sleep(1_000_000)  # until all is launched; a private function
    first.record()
    for _ in range(repeats):
        multiply(x, weight, name)
    last.record()
    torch.cuda.synchronize()
    seconds = first.elapsed_time(last) / 1000 / repeats
    return 2 * x.shape[0] * x.shape[1] * weight.shape[0] / seconds


# %%
# Each arm is a name, a number of rows and a width. FP8 takes multiples of 16 alone.

arms = [(name, size, size) for name in TYPES for size in SIZES]
arms += [(n, 4096, w) for n in TYPES for w in WIDTHS if n != "fp8" or w % 16 == 0]


@functools.cache
def factor(rows, columns, dtype, seed):
    torch.manual_seed(seed)
    return torch.randn(rows, columns, device="cuda").to(dtype)


def measure(arm):
    name, size, width = arm
    x = factor(size, size, TYPES[name], seed=0)
    weight = factor(width, size, TYPES[name], seed=1)
    return rate(x, weight, name)


# %%
# All take turns, after a warm-up for a set time.

for arm in arms:
    measure(arm)
warm_until = time.perf_counter() + 0.3
while time.perf_counter() < warm_until:
    for arm in arms[:5]:
        measure(arm)
rates = {arm: [] for arm in arms}
for _ in range(ROUNDS):
    for arm, found in rates.items():
        found.append(measure(arm))

# %%
# The rate by size, and the best of all sizes in each round.

by_size = []
for size in SIZES:
    row = {"size": size}
    for name in TYPES:
        row[f"{name}_flop_per_s"] = {"samples": rates[name, size, size]}
    by_size.append(row)
    print(size, *(f"{median(rates[n, size, size]) / 1e12:.1f}" for n in TYPES))

best = []
for name in TYPES:
    columns = zip(*(rates[name, size, size] for size in SIZES))
    best.append({"type": name, "best_flop_per_s": {"samples": [*map(max, columns)]}})

# %%
# The rate by width, as a share of that with 10,944.

by_width = []
for name in TYPES:
    for width in WIDTHS[:2]:
        if (name, 4096, width) in rates:
            full = rates[name, 4096, WIDTHS[2]]
            pairs = zip(rates[name, 4096, width], full)
            row = {"case": f"{name}, {width}"}
            by_width.append(
                row | {"speed_share": {"samples": [o / f for o, f in pairs]}}
            )
measured = {
    "by_size": {"table": by_size},
    "best": {"table": best},
    "by_width": {"table": by_width},
}
