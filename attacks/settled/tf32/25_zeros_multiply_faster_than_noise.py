"""Trial run of a new example, with warnings as errors: must end without an exception. Expect what its page says."""
import os, tempfile, time, warnings
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); os.environ["MPLBACKEND"] = "Agg"; _begin = time.time()
warnings.simplefilter("error"); warnings.filterwarnings("ignore", message="FigureCanvasAgg"); warnings.filterwarnings("ignore", message="Attempting to run cuBLAS")
"""
Zeros multiply faster than noise
================================

Does the speed of a product depend on the numbers in it? It does: the same kernel is
faster with zeros than with noise, because a GPU that switches fewer bits takes less
power and keeps a higher clock. A rate needs the numbers that it was measured with.
"""

import time

import torch

# %%
# Four pairs of matrices. Normal numbers are what most benchmarks use.

SIZE, ROUNDS = 8192, 6

torch.manual_seed(0)
shape = (2, SIZE, SIZE)
inputs = {
    "normal": torch.randn(shape, device="cuda"),
    "uniform": torch.rand(shape, device="cuda"),
    "integers": torch.randint(-2, 3, shape, device="cuda").float(),
    "zeros": torch.zeros(shape, device="cuda"),
}
half = {name: pair.bfloat16() for name, pair in inputs.items()}

# %%
# Three kinds of product. More of the faster ones are taken, so that each trial lasts
# for some tens of milliseconds.

MODES = {"FP32": ("ieee", 1), "TF32": ("tf32", 6), "BF16": ("ieee", 12)}


def seconds(mode, name):
    torch.backends.cuda.matmul.fp32_precision, count = MODES[mode]
    a, b = (half if mode == "BF16" else inputs)[name]
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        torch.mm(a, b)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / count


# %%
# All take turns, after a warm-up by time.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for mode in MODES:
        seconds(mode, "normal")
rounds = [{(m, n): seconds(m, n) for m in MODES for n in inputs} for _ in range(ROUNDS)]

# %%
# Each is compared with normal numbers in the same round.


def speedup(mode, name):
    return {"samples": [each[mode, "normal"] / each[mode, name] for each in rounds]}


rows = [
    {
        "inputs": name,
        **{f"{mode.lower()}_speedup": speedup(mode, name) for mode in MODES},
    }
    for name in inputs
    if name != "normal"
]
for row in rows:
    print(
        row["inputs"], {key: max(row[key]["samples"]) for key in row if key != "inputs"}
    )

measured = {"by_inputs": {"table": rows}}

import json
from statistics import median
def _show(v):
    if isinstance(v, dict) and "samples" in v: return f"{median(v['samples']):.4g} ({min(v['samples']):.4g}-{max(v['samples']):.4g})"
    if isinstance(v, dict): return {k: _show(x) for k, x in v.items()}
    if isinstance(v, list): return [_show(x) for x in v]
    return v if isinstance(v, (int, float, str, bool)) else repr(v)[:1500]
print(json.dumps({"example": "zeros_multiply_faster_than_noise", "seconds": round(time.time() - _begin, 1), "measured": _show(measured)}))
