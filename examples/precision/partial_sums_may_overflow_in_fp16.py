"""
Partial sums may overflow in FP16
=================================

Do products of FP16 matrices add up in FP32? They do, but PyTorch lets the library split a long
sum and round its parts to FP16 before they are added. A part that is too large for FP16 becomes
infinite, even where the whole sum is zero. A flag forbids that. Where does it matter?
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": ["preferred_blas_library"]}
# sphinx_gallery_quiet = "nothing"

# %%
# Every sum below is zero: as many of its terms are 256 as are -256, and one is zero.

import torch

a = torch.full((16, 4097), 16.0, dtype=torch.half, device="cuda")
b = torch.full((4097, 4096), 16.0, dtype=torch.half, device="cuda")
b[2048:4096], b[4096] = -16, 0

matmul, products = torch.backends.cuda.matmul, {}
for reduced in (True, False):
    matmul.allow_fp16_reduced_precision_reduction = reduced
    products[reduced] = a @ b
    print(reduced, products[reduced].abs().max())

# %%
# Which kernels ran? With one term less, each row begins at a multiple of sixteen bytes.


def kernels(terms, reduced):
    matmul.allow_fp16_reduced_precision_reduction = reduced
    left = a[:, :terms].contiguous()
    for _ in range(2):  # the first profile starts the profiler
        with torch.profiler.profile(acc_events=True) as profile:
            _ = left @ b[:terms]
            torch.cuda.synchronize()
    names = [x.name for x in profile.events() if x.device_type.name == "CUDA"]
    short = ", ".join(name.split("<")[0].split("(")[0][:50] for name in names)
    case = f"{terms} terms, {'reduced' if reduced else 'full'}"
    return {"case": case, "number": len(names), "kernels": short}


ran = [kernels(terms, reduced) for terms in (4096, 4097) for reduced in (True, False)]

# %%
# Now many shapes. One size at a time is no multiple of 16, but of 8, 4, 2 or 1. Each factor is
# stored by rows (N) or by columns (T). The other numbers are random, or sums that are zero.

from itertools import product

SHAPES = [(16, 16), (16, 4096), (128, 128), (1024, 1024)]  # rows and columns
SIZES = [(*shape, terms) for shape in SHAPES for terms in (4096, 16384)]
NAMES = "rows", "columns", "terms"
CHANGES = [("none", 0), *product(NAMES, (8, 4, 2, 1))]
CALLS = {
    "matmul": torch.mm,
    "with a bias": lambda a, b: torch.addmm(b.new_zeros(b.shape[1]), a, b),
    "batched": lambda a, b: a.expand(2, -1, -1) @ b.expand(2, -1, -1),
}


def factors(sizes, name, more):
    rows, columns, terms = (n + more * (s == name) for s, n in zip(NAMES, sizes))
    torch.manual_seed(0)
    random = [torch.randn(n, device="cuda") for n in ((rows, terms), (terms, columns))]
    zero = [torch.full_like(x, 16) for x in random]
    zero[1][terms // 2 :], zero[1][2 * (terms // 2) :] = -16, 0
    return random, zero


def both_ways(call, factors, dtype, layout):
    pairs, results = zip((x.to(dtype) for x in factors), layout), []
    pair = [x.T.contiguous().T if by == "T" else x for x, by in pairs]
    for reduced in (True, False):
        matmul.allow_fp16_reduced_precision_reduction = reduced
        matmul.allow_bf16_reduced_precision_reduction = reduced
        results.append(CALLS[call](*pair))
    return results


# %%
# Did the bits change, did a second run have others, and did a zero sum overflow?


def outcome(random, zero, change, library, layout, call):
    torch.backends.cuda.preferred_blas_library(library)
    changed, unsteady = [], 0
    for dtype in (torch.half, torch.bfloat16):
        once, again = (both_ways(call, random, dtype, layout) for _ in range(2))
        changed.append(not torch.equal(*once))
        unsteady += not all(map(torch.equal, once, again))
    sums = both_ways(call, zero, torch.half, layout)
    overflowed = [not x.isfinite().all().item() for x in sums]
    groups = "{} + {}".format(*change), f"{call}, {layout}, {library}"
    return groups, [1, *changed, *overflowed, unsteady]


found, ways = [], (("cublas", "cublaslt"), ("NN", "NT", "TN", "TT"), CALLS)
for sizes, change in product(SIZES, CHANGES):
    both = factors(sizes, *change)
    found += [outcome(*both, change, *way) for way in product(*ways)]
COUNTS = "cases", "fp16_changed", "bf16_changed", "overflowed", "in_full", "unsteady"


def counted(group, key):
    table = {}
    for groups, counts in found:
        sums = table.get(groups[group], [0] * len(counts))
        table[groups[group]] = list(map(sum, zip(sums, counts)))
    return [{key: name} | dict(zip(COUNTS, sums)) for name, sums in table.items()]


by_size, by_call = counted(0, "larger"), counted(1, "case")
print(*ran, *by_size, *by_call, sep="\n")
broken = [(~products[way].isfinite()).sum().item() for way in (True, False)]
measured = {"by_size": {"table": by_size}, "by_call": {"table": by_call}}
measured |= {name: sum(row[name] for row in by_size) for name in COUNTS}
measured |= {"kernels": {"table": ran}, "elements": products[True].numel()}
measured |= dict(zip(("broken", "broken_in_full"), broken))
