"""
TF32 trades accuracy for speed
==============================

What does TF32 gain in a large matmul, and what does it cost? It is several times as fast
as FP32, and its largest error is far larger. BF16 and FP16 are faster
still, and less accurate.
"""

import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Two matrices of the size used in PyTorch's notes. Their FP64 product is the ground truth,
# and the mean magnitude of its elements is the scale for every error.

SIZE, ROUNDS = 10240, 8
FLOP = 2 * SIZE**3

torch.manual_seed(0)
shape, exact = (SIZE, SIZE), {"dtype": torch.float64, "device": "cuda"}
a_full, b_full = torch.randn(shape, **exact), torch.randn(shape, **exact)
truth = a_full @ b_full
scale = truth.abs().mean().item()
print(f"mean magnitude of an element: {scale:.2f}")

# %%
# Four ways to multiply. TF32 is not a dtype but a way to multiply FP32 matrices, so it
# differs from FP32 only in a setting.

MODES = {
    "FP32": (torch.float32, "ieee"),
    "TF32": (torch.float32, "tf32"),
    "BF16": (torch.bfloat16, "ieee"),
    "FP16": (torch.float16, "ieee"),
}
pairs = {dtype: (a_full.to(dtype), b_full.to(dtype)) for dtype in dict(MODES.values())}


def multiply(mode):
    dtype, precision = MODES[mode]
    torch.backends.cuda.matmul.fp32_precision = precision
    a, b = pairs[dtype]
    return a @ b


# %%
# The cost: the largest error of an element.

error = {mode: (multiply(mode) - truth).abs().max().item() for mode in MODES}
for mode, largest in error.items():
    print(f"{mode}: largest error {largest:.2g}, of the mean {largest / scale:.2g}")

# %%
# The gain. The GPU is idle when the clock is read, both before and after. The four take
# turns in every round, after a warm-up for a set time.


def seconds(mode):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    multiply(mode)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for mode in MODES:
        seconds(mode)
rounds = [{mode: seconds(mode) for mode in MODES} for _ in range(ROUNDS)]
times = {mode: [each[mode] for each in rounds] for mode in MODES}

# %%
# Plot both. Lower right is better.

_, axes = plt.subplots()
for mode in MODES:
    point = FLOP / median(times[mode]) / 1e12, error[mode] / scale
    axes.semilogy(*point, "o")
    axes.annotate(mode, point, xytext=(8, 0), textcoords="offset points")
axes.set(xlabel="TFLOP/s", ylabel="largest error / mean magnitude")
plt.show()

# %%
# Speedups are relative to FP32; errors are shares of the mean magnitude.


def ratio(slow, fast):
    return {"samples": [s / f for s, f in zip(times[slow], times[fast])]}


rows = [
    {
        "mode": mode,
        "product_flop_per_s": {"samples": [FLOP / s for s in times[mode]]},
        "speedup": ratio("FP32", mode),
        "max_error": error[mode],
        "max_error_share": error[mode] / scale,
    }
    for mode in MODES
]

# %%
# The errors of BF16 and FP16 are compared with that of TF32, and TF32's with that of FP32.

measured = {
    "by_mode": {"table": rows},
    "mean_magnitude": scale,
    "tf32_error_ratio": error["TF32"] / error["FP32"],
    "bf16_error_ratio": error["BF16"] / error["TF32"],
    "fp16_error_ratio": error["FP16"] / error["TF32"],
    "bf16_speedup": ratio("TF32", "BF16"),
}
