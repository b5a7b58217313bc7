"""
TF32 gains more in larger products
==================================

From what size on is TF32 worth it? Small matmuls gain little and large ones gain most,
but less if a size is odd or a matrix has few rows.
"""

import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Multiply square matrices of normally distributed numbers, and a few other shapes, given
# as the rows of the first matrix and the size of the square one that it is multiplied by.

SIZES, ROUNDS = [2**n for n in range(6, 14)], 7
OTHERS = {"odd": (4095, 4095), "one_row": (1, 4096), "few_rows": (16, 4096)}

torch.manual_seed(0)
shapes = {size: (size, size) for size in SIZES} | OTHERS
pairs = {
    name: [torch.randn(n, size, device="cuda") for n in (rows, size)]
    for name, (rows, size) in shapes.items()
}


def multiply(name, precision, count):
    torch.backends.cuda.matmul.fp32_precision = precision
    for _ in range(count):
        torch.mm(*pairs[name])


# %%
# The time on the GPU: matmuls wait in its queue while the host adds more, so none waits
# for the host. A round has more of the small ones, so that it has some work.


def gpu_seconds(name, precision, count):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(2_000_000)  # about a millisecond; a private function
    first.record()
    multiply(name, precision, count)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000 / count


# %%
# The time of a loop that calls one matmul after another and waits at the end.


def loop_seconds(name, precision, count):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    multiply(name, precision, count)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / count


# %%
# FP32 and TF32 take turns, after a warm-up for a set time.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for name in shapes:
        gpu_seconds(name, "ieee", 1)
        gpu_seconds(name, "tf32", 1)


def speedups(seconds, name):
    count = 2 if min(shapes[name]) > 1024 else 50
    pairs_of_times = [
        [seconds(name, precision, count) for precision in ("ieee", "tf32")]
        for _ in range(ROUNDS)
    ]
    return [full / tf32 for full, tf32 in pairs_of_times]


on_gpu = {name: speedups(gpu_seconds, name) for name in shapes}
in_loop = {size: speedups(loop_seconds, size) for size in SIZES}

# %%
# Plot both.

_, axes = plt.subplots()
for place, found in {"GPU": on_gpu, "loop": in_loop}.items():
    medians = [median(found[size]) for size in SIZES]
    axes.semilogx(SIZES, medians, "o-", base=2, label=place)
    print(place, *(f"{size}: {ratio:.2f}" for size, ratio in zip(SIZES, medians)))
print({name: f"{median(on_gpu[name]):.2f}" for name in OTHERS})
axes.set(xlabel="rows and columns", ylabel="FP32 time / TF32 time")
axes.legend()
plt.show()

# %%
# A speedup above one means that TF32 is faster.

rows = [
    {
        "rows": size,
        "gpu_speedup": {"samples": on_gpu[size]},
        "loop_speedup": {"samples": in_loop[size]},
    }
    for size in SIZES
]
measured = {
    "by_size": {"table": rows},
    "odd_speedup": {"samples": on_gpu["odd"]},
    "one_row_speedup": {"samples": on_gpu["one_row"]},
    "few_rows_speedup": {"samples": on_gpu["few_rows"]},
}
