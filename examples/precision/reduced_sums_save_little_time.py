"""
Reduced sums save little time
=============================

What do reduced-precision reductions and FP16 accumulation gain? PyTorch's notes have a table of
times on an older GPU, where long sums were much faster with reduced precision. These are the
same products here, and others: two that are small with long sums, two of few rows, one of which
has an odd number of terms, and a square one.
"""

import time
from statistics import median

import torch

# %%
# Rows, terms and columns: those of PyTorch's notes, then the others.

TERMS = (4048, 4056, 4080, 4096, 4104, 4128, 4144, 5096, 5104, 5112, 5120, 9728, 16384)
SHAPES = [(4096, terms, 4096) for terms in TERMS]
SHAPES += [(64, 32768, 64), (64, 32768, 1024)]
SHAPES += [(16, 4096, 4096), (16, 4097, 4096), (1024, 1024, 1024)]
ROUNDS = 5

# %%
# The flags as PyTorch sets them: reduced precision for FP16 and BF16, and sums in FP16.

matmul = torch.backends.cuda.matmul
defaults = {
    "fp16_by_default": matmul.allow_fp16_reduced_precision_reduction,
    "bf16_by_default": matmul.allow_bf16_reduced_precision_reduction,
    "fp16_sums_by_default": matmul.allow_fp16_accumulation,
}
print(defaults)

# %%
# The three ways to add up: exactly one of the two flags is on, or none. An untimed product
# comes first, so that every way finds the factors in the same state of the cache.

WAYS = {"full": (False, False), "reduced": (True, False), "in_fp16": (True, True)}


def seconds(factors, way):
    matmul.allow_fp16_reduced_precision_reduction, allowed = WAYS[way]
    matmul.allow_fp16_accumulation = allowed
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(1_000_000)  # until all is launched; a private function
    _ = factors[0] @ factors[1]
    first.record()
    _ = factors[0] @ factors[1]
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


# %%
# The ways take turns, after a warm-up for a set time.

torch.manual_seed(0)
options = {"device": "cuda", "dtype": torch.half}
factors = {
    shape: (torch.randn(shape[:2], **options), torch.randn(shape[1:], **options))
    for shape in SHAPES
}
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for shape in SHAPES:
        for way in WAYS:
            seconds(factors[shape], way)
found = {(shape, way): [] for shape in SHAPES for way in WAYS}
for _ in range(ROUNDS):
    for shape, way in found:
        found[shape, way].append(seconds(factors[shape], way))

# %%
# How much faster than with sums in full precision?


def speedup(shape, way):
    pairs = zip(found[shape, "full"], found[shape, way])
    return {"samples": [full / other for full, other in pairs]}


rows = []
for shape in SHAPES:
    row = {"shape": " × ".join(map(str, shape))}
    row |= {f"{way}_speedup": speedup(shape, way) for way in ("reduced", "in_fp16")}
    rows.append(row)
    print(row["shape"], *(f"{median(row[name]['samples']):.2f}" for name in [*row][1:]))

# %%
# Of the products in the notes: how many gain a twentieth or more, in each round?

noted = [row["reduced_speedup"]["samples"] for row in rows[: len(TERMS)]]
gained = [sum(speedup > 1.05 for speedup in each) for each in zip(*noted)]
measured = {"by_shape": {"table": rows}, "noted": len(noted), **defaults}
measured["gained"] = {"samples": gained}
