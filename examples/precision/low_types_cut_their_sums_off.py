"""
Low types cut their sums off
============================

How exact are the sums of tensor cores? Long sums of positive numbers come out too low in TF32,
BF16 and FP16: the tensor core truncates. Other shapes may take a kernel that does not. In FP8
with fast accumulation, the tensor core keeps far fewer bits, and the shortfall grows with the
number of terms; without it, the shortfall stays small.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# All types multiply the same numbers, which FP8 holds exactly. So only sums can err, and they
# are returned in FP32.

SIZE, TERMS = 512, (256, 1024, 4096, 16384)
E4M3, ONE = torch.float8_e4m3fn, torch.ones((), device="cuda")


def in_fp32(a, b, precision):
    torch.backends.cuda.matmul.fp32_precision = precision
    return a @ b.T


def in_16_bits(a, b, dtype):
    return torch.mm(a.to(dtype), b.to(dtype).T, out_dtype=torch.float32)


def in_fp8(a, b, fast):
    options = {"out_dtype": torch.float32, "use_fast_accum": fast}
    return torch._scaled_mm(a.to(E4M3), b.to(E4M3).T, ONE, ONE, **options)


MODES = {
    "fp32": lambda a, b: in_fp32(a, b, "ieee"),
    "tf32": lambda a, b: in_fp32(a, b, "tf32"),
    "fp16": lambda a, b: in_16_bits(a, b, torch.half),
    "bf16": lambda a, b: in_16_bits(a, b, torch.bfloat16),
    "fp8": lambda a, b: in_fp8(a, b, fast=False),
    "fp8_fast": lambda a, b: in_fp8(a, b, fast=True),
}

# %%
# With positive numbers: the mean shortfall as a share of the sum, and how many sums are low.


def numbers(kind, terms):
    torch.manual_seed(0)
    factors = kind(2, SIZE, terms, device="cuda").to(E4M3).float()
    return factors, factors[0].double() @ factors[1].double().T


def shortfalls(terms):
    (a, b), truth = numbers(torch.rand, terms)
    row = {"terms": terms}
    for mode, multiply in MODES.items():
        shortfall = (truth - multiply(a, b).double()) / truth
        row[f"{mode}_shortfall_share"] = shortfall.mean().abs().item()
        row[f"{mode}_low_share"] = (shortfall > 0).double().mean().item()
    print({name: f"{value:.2g}" for name, value in row.items()})
    return row


by_terms = [shortfalls(terms) for terms in TERMS]

# %%
# Another shape may run in another kernel: one row, few rows and columns, an odd number of terms.

SHAPES = [(512, 512, 4096), (512, 512, 4095), (16, 16, 4096), (1, 512, 4096)]
SHAPES.append((2048, 2048, 4096))


def by_shape(shape):
    rows, columns, terms = shape
    torch.manual_seed(0)
    factors = (torch.rand(n, terms, device="cuda") for n in (rows, columns))
    a, b = (factor.to(E4M3).float() for factor in factors)
    row, truth = {"shape": " × ".join(map(str, shape))}, a.double() @ b.double().T
    for mode in ("fp32", "tf32", "fp16", "bf16"):
        shortfall = (truth - MODES[mode](a, b).double()) / truth
        row[f"{mode}_low_share"] = (shortfall > 0).double().mean().item()
        row[f"{mode}_shortfall_share"] = shortfall.mean().item()
    print(row)
    return row


shapes = [by_shape(shape) for shape in SHAPES]

# %%
# With numbers of both signs, a sum may come out too low or too high. Of the sums that are not
# exact, how many are too low, and how many too small in magnitude?


def signs(mode):
    (a, b), truth = numbers(torch.randn, TERMS[2])
    result = MODES[mode](a, b).double()
    inexact = result != truth
    low = (result < truth)[inexact].double().mean().item()
    small = (result.abs() < truth.abs())[inexact].double().mean().item()
    print(f"{mode}: {low:.1%} too low, {small:.1%} too small")
    return {"mode": mode, "low_share": low, "small_share": small}


by_mode = [signs(mode) for mode in MODES]

# %%
# The three tables.

measured = {"by_terms": {"table": by_terms}, "by_mode": {"table": by_mode}}
measured["by_shape"] = {"table": shapes}
