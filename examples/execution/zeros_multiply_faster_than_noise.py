"""
Zeros multiply faster than noise
================================

Does it matter which numbers you time a matmul with? Random numbers draw more power than zeros.
In BF16, they lower the clock, and the same kernel takes longer; in FP32, they do not.
"""

# sphinx_gallery_evidence = {"processes": 6}
import os
import subprocess
import time
from statistics import median

import torch

# %%
# Matmuls in BF16, on the tensor cores, and in FP32.

SIZE, SECONDS, AHEAD = 8192, 0.2, 5
zeros = torch.zeros(SIZE, SIZE, device="cuda")
noise = torch.randn(SIZE, SIZE, device="cuda")
FACTORS = {"zeros": zeros.bfloat16(), "noise": noise.bfloat16()}
FACTORS |= {"zeros-fp32": zeros, "noise-fp32": noise}

# %%
# Any user can query the driver for clock and power. Setting them requires root: ``nvidia-smi
# --lock-gpu-clocks`` and ``--power-limit`` are not used here.

FIELDS = "clocks.sm,power.draw.instant,enforced.power.limit"
GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
OPTIONS = f"--query-gpu={FIELDS} --format=csv,noheader,nounits --id={GPU}"
QUERY = ["nvidia-smi", *OPTIONS.split()]

# %%
# Queue matmuls without a gap until the driver has answered a query, which is sent after a while.
# Only the second half of the times counts.


def at_full_load(factor):
    product, times, marks, query = torch.empty_like(factor), [], [], None
    ask = time.perf_counter() + SECONDS
    while query is None or query.poll() is None:
        marks.append(torch.cuda.Event(enable_timing=True))
        marks[-1].record()
        torch.mm(factor, factor, out=product)
        if len(marks) > AHEAD:
            marks[1].synchronize()
            times.append(marks.pop(0).elapsed_time(marks[0]) / 1e3)
        if query is None and time.perf_counter() > ask:
            query = subprocess.Popen(QUERY, stdout=subprocess.PIPE, text=True)
    clock, draw, limit = map(float, query.communicate()[0].split(","))
    torch.cuda.synchronize()
    return median(times[len(times) // 2 :]), clock * 1e6, draw / limit


# %%
# The inputs take turns, after one round that does not count.

seen = {name: [] for name in FACTORS}
for turn in range(3):
    for name, factor in FACTORS.items():
        seconds, clock, power = at_full_load(factor)
        if turn:
            seen[name].append((seconds, clock, power))
            print(
                f"{name:>10}: {seconds * 1e3:.3f} ms, {clock / 1e6:.0f} MHz, {power:.0%}"
            )

# %%
# Rates, clocks, power as a share of the limit, and the ratios of each round.

table = []
for name, rows in seen.items():
    times, clocks, powers = zip(*rows)
    row = {"rate_flop_per_s": {"samples": [2 * SIZE**3 / seconds for seconds in times]}}
    row |= {"clock_hz": {"samples": clocks}, "power_share": {"samples": powers}}
    table.append({"data": name} | row)


def speedup(slow, fast):
    return {"samples": [a[0] / b[0] for a, b in zip(seen[slow], seen[fast])]}


measured = {
    "by_data": {"table": table},
    "zeros_speedup": speedup("noise", "zeros"),
    "zeros_fp32_speedup": speedup("noise-fp32", "zeros-fp32"),
}
