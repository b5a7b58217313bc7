"""Trial run of a new example, with warnings as errors: must end without an exception. Expect what its page says."""
import os, tempfile, time, warnings
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); os.environ["MPLBACKEND"] = "Agg"; _begin = time.time()
warnings.simplefilter("error"); warnings.filterwarnings("ignore", message="FigureCanvasAgg"); warnings.filterwarnings("ignore", message="Attempting to run cuBLAS")
"""
TF32 gains more in larger products
==================================

From which size on is TF32 worth it? In a small product it gains nothing: neither does
the GPU finish sooner, nor the host that calls it. In a large one it gains most.
"""

import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Square products of normally distributed numbers.

SIZES = [2**n for n in range(6, 14)]
ROUNDS = 7

torch.manual_seed(0)
pairs = {size: torch.randn(2, size, size, device="cuda") for size in SIZES}


def products(size, precision, count):
    torch.backends.cuda.matmul.fp32_precision = precision
    a, b = pairs[size]
    for _ in range(count):
        torch.mm(a, b)


# %%
# What the GPU takes: the products wait in its queue while the host adds more, and none
# waits for the host. So many are taken that a round has some work.


def gpu_seconds(size, precision, count):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(2_000_000)  # about a millisecond; a private function
    first.record()
    products(size, precision, count)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000 / count


# %%
# What a loop takes that calls one product after the other, and waits at its end.


def loop_seconds(size, precision, count):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    products(size, precision, count)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / count


# %%
# FP32 and TF32 take turns, after a warm-up by time.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for size in SIZES:
        gpu_seconds(size, "ieee", 1), gpu_seconds(size, "tf32", 1)


def speedups(seconds, size):
    count = 50 if size <= 1024 else 2
    rounds = [
        [seconds(size, p, count) for p in ("ieee", "tf32")] for _ in range(ROUNDS)
    ]
    return [full / tf32 for full, tf32 in rounds]


on_gpu = {size: speedups(gpu_seconds, size) for size in SIZES}
in_loop = {size: speedups(loop_seconds, size) for size in SIZES}

# %%
# Both in one picture.

_, axes = plt.subplots()
for name, found in {"GPU": on_gpu, "loop": in_loop}.items():
    medians = [median(found[size]) for size in SIZES]
    axes.semilogx(SIZES, medians, "o-", base=2, label=name)
    print(name, *(f"{size}: {ratio:.2f}" for size, ratio in zip(SIZES, medians)))
axes.set(xlabel="rows and columns", ylabel="FP32 time / TF32 time")
axes.legend()
plt.show()

# %%
# A speedup above one says that TF32 is faster.

measured = {
    "by_size": {
        "table": [
            {
                "rows": size,
                "gpu_speedup": {"samples": on_gpu[size]},
                "loop_speedup": {"samples": in_loop[size]},
            }
            for size in SIZES
        ]
    },
}

import json
from statistics import median
def _show(v):
    if isinstance(v, dict) and "samples" in v: return f"{median(v['samples']):.4g} ({min(v['samples']):.4g}-{max(v['samples']):.4g})"
    if isinstance(v, dict): return {k: _show(x) for k, x in v.items()}
    if isinstance(v, list): return [_show(x) for x in v]
    return v if isinstance(v, (int, float, str, bool)) else repr(v)[:1500]
print(json.dumps({"example": "tf32_gains_more_in_larger_products", "seconds": round(time.time() - _begin, 1), "measured": _show(measured)}))
