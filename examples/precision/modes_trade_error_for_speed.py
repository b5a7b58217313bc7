"""
Modes trade error for speed
===========================

How fast does a GPU multiply in each precision, and how far off are the results? Each precision
with its ways to add up, on the same random numbers, beside the peak of the data sheet.
"""

import torch

a, b = torch.randn(2, 8192, 8192, device="cuda", dtype=torch.bfloat16)
first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
for turn in range(20):
    if turn == 10:  # the first ten warm up
        first.record()
    a @ b
last.record()
torch.cuda.synchronize()
seconds_each = first.elapsed_time(last) / 1000 / 10
print(f"{2 * 8192**3 / seconds_each / 1e12:.0f} TFLOP/s")

# %%
# Two matrices of normally distributed numbers. The truth is computed in FP64, in another order
# than a single product, so that even the product in FP64 has an error.

import time

SIZE, ROUNDS, E4M3 = 8192, 5, torch.float8_e4m3fn
FLOP = 2 * SIZE**3

torch.manual_seed(0)
options = {"dtype": torch.float64, "device": "cuda"}
a, b = torch.randn(SIZE, SIZE, **options), torch.randn(SIZE, SIZE, **options)
truth = a[:, :4096] @ b[:4096] + a[:, 4096:] @ b[4096:]
mean = truth.abs().mean().item()

# %%
# In FP8, each matrix is scaled into the range of its type; the second one lies column by column.


def quantize(x):
    scale = (x.abs().max() / torch.finfo(E4M3).max).float()
    return (x / scale).to(E4M3), scale


pairs = {d: (a.to(d), b.to(d)) for d in (torch.float32, torch.bfloat16, torch.half)}
(a_8, a_scale), (b_8, b_scale) = quantize(a), quantize(b)
b_8 = b_8.T.contiguous().T


def product(dtype=torch.float64, precision="ieee", reduced=True, in_fp16=False):
    matmul = torch.backends.cuda.matmul
    matmul.fp32_precision, matmul.allow_fp16_accumulation = precision, in_fp16
    matmul.allow_fp16_reduced_precision_reduction = reduced
    matmul.allow_bf16_reduced_precision_reduction = reduced
    x, y = pairs.get(dtype, (a, b))
    return x @ y


def product_in_fp8(fast):
    more = {"out_dtype": torch.bfloat16, "use_fast_accum": fast}
    return torch._scaled_mm(a_8, b_8, a_scale, b_scale, **more)


# %%
# The ways to multiply, and the peak of the data sheet in TFLOP/s: of an H200, for dense
# matrices, on tensor cores except in FP32.

BF16, FP16 = torch.bfloat16, torch.half
MODES = {
    "FP64": (67, product),
    "FP32": (67, lambda: product(torch.float32)),
    "TF32": (494.5, lambda: product(torch.float32, "tf32")),
    "BF16": (989.5, lambda: product(BF16)),
    "BF16, full sums": (989.5, lambda: product(BF16, reduced=False)),
    "FP16": (989.5, lambda: product(FP16)),
    "FP16, full sums": (989.5, lambda: product(FP16, reduced=False)),
    "FP16, FP16 sums": (989.5, lambda: product(FP16, in_fp16=True)),
    "FP8": (1979, lambda: product_in_fp8(fast=False)),
    "FP8, fast sums": (1979, lambda: product_in_fp8(fast=True)),
}
errors = {m: (f() - truth).abs().max().item() / mean for m, (_, f) in MODES.items()}
del truth

# %%
# The time on the GPU, behind a kernel that sleeps until all is launched. The modes take turns.


def seconds(mode):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(1_000_000)  # a private function
    first.record()
    MODES[mode][1]()
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for mode in MODES:
        seconds(mode)
rounds = [{mode: seconds(mode) for mode in MODES} for _ in range(ROUNDS)]

# %%
# Rates, and their shares of the peak. Errors are shares of the mean magnitude of a result.

rows = []
for mode, (peak, _) in MODES.items():
    rates = [FLOP / each[mode] for each in rounds]
    row = {"mode": mode, "peak_flop_per_s": peak * 1e12, "error_share": errors[mode]}
    row["rate_flop_per_s"] = {"samples": rates}
    row["peak_share"] = {"samples": [rate / peak / 1e12 for rate in rates]}
    row["speedup"] = {"samples": [each["FP32"] / each[mode] for each in rounds]}
    rows.append(row)
    print(f"{mode:>16}: {max(rates) / 1e12:6.1f} TFLOP/s, error {errors[mode]:.2g}")
measured = {"by_mode": {"table": rows}}
