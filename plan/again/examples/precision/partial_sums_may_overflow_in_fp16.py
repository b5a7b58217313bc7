"""
Partial sums may overflow in FP16
=================================

Do products of FP16 matrices add up in FP32? They do, but a long sum may be split, and by
default its parts may be rounded to FP16 before they are added. A part that is too large for
FP16 becomes infinite, even where the whole sum is zero. Two flags turn that off.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": ["preferred_blas_library"]}

# %%
# Every sum below is zero: the first half of its terms are 256, the second half -256.

import torch

torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False

a = torch.full((64, 32768), 16.0, dtype=torch.half, device="cuda")
b = torch.full((32768, 64), 16.0, dtype=torch.half, device="cuda")
b[16384:] = -16
print((a @ b).abs().max())

# %%
# The flags are on by default. Whether they change anything depends on the kernel, which the
# library chooses by the shape and the layout. Each shape is a number of rows and of columns.

from torch.nn.functional import linear

SHAPES = [(rows, columns) for rows in (16, 64, 256, 1024) for columns in (64, 1024)]
TERMS = (1024, 4096, 16384, 65536)
CALLS = {
    "matmul": lambda a, w: a @ w.T.contiguous(),
    "linear": linear,
    "linear with a bias": lambda a, w: linear(a, w, w.new_zeros(len(w))),
    "batched matmul": lambda a, w: a.expand(2, -1, -1) @ w.T.expand(2, -1, -1),
}


def both_ways(call, a, weight):
    results = []
    for reduced in (True, False):
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = reduced
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = reduced
        results.append(CALLS[call](a, weight))
    return results


# %%
# With random numbers: does the flag change any bit, and is a second run the same? The larger
# error is compared with the one in full precision.


def random_factors(shape, terms, dtype):
    torch.manual_seed(0)
    a, weight = (torch.randn(n, terms, device="cuda").to(dtype) for n in shape)
    return a, weight, a.double() @ weight.double().T


def changes(call, a, weight, truth):
    reduced, full = both_ways(call, a, weight)
    unsteady = not all(map(torch.equal, both_ways(call, a, weight), (reduced, full)))
    errors = [(result - truth).abs().max().item() for result in (reduced, full)]
    return not torch.equal(reduced, full), unsteady, errors[0] / errors[1]


# %%
# With the numbers of the first cell, a finite result is all zeros.


def zero_sums(shape, terms):
    a, weight = (torch.full((n, terms), 16.0, device="cuda") for n in shape)
    weight[:, terms // 2 :] = -16
    return a.half(), weight.half()


def overflows(call, a, weight):
    return [not x.isfinite().all().item() for x in both_ways(call, a, weight)]


# %%
# All shapes, by the library and the call: cuBLAS is the default on an NVIDIA GPU.

DTYPES = {"fp16": torch.half, "bf16": torch.bfloat16}
cases = [(shape, terms) for shape in SHAPES for terms in TERMS]
rows, unsteady, ratios = [], 0, []
for library in ("default", "cublaslt"):
    torch.backends.cuda.preferred_blas_library(library)
    for call in CALLS:
        row = {"case": f"{call}, {library}"}
        for name, dtype in DTYPES.items():
            found = [changes(call, *random_factors(*case, dtype)) for case in cases]
            row[f"{name}_changed"] = sum(changed for changed, *_ in found)
            unsteady += sum(one for _, one, _ in found)
            ratios += [ratio for *_, ratio in found if name == "bf16"]
        broken = [overflows(call, *zero_sums(*case)) for case in cases]
        row["overflowed"], row["overflowed_in_full"] = map(sum, zip(*broken))
        rows.append(row)
        print(row, *(case for case, (reduced, _) in zip(cases, broken) if reduced))

# %%
# Totals over all calls: of cases, and of those that the flag matters to.

totals = {name: sum(row[name] for row in rows) for name in rows[0] if name != "case"}
print(totals, f"BF16: errors up to {max(ratios):.2f} times as large")
measured = {"by_call": {"table": rows}, "shapes": len(cases), "unsteady": unsteady}
measured |= totals | {"cases": len(cases) * len(rows), "bf16_error_ratio": max(ratios)}
