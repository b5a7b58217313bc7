"""
Partial sums may overflow in FP16
=================================

Do products of FP16 matrices add up in FP32? They do, but a long sum may be split, and by
default its parts may be rounded to FP16 before they are added. A part that is too large for
FP16 becomes infinite, even where the whole sum is zero. Two flags turn that off.
"""

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
# The flags are on by default. Whether they change anything depends on the shape, because the
# library chooses a kernel by the shape. Each shape is a number of rows and of columns.

SHAPES = [(rows, columns) for rows in (16, 64, 256, 1024) for columns in (64, 1024)]
TERMS = (1024, 4096, 16384, 65536)


def allow(reduced):
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = reduced
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = reduced


def both_ways(a, b):
    results = []
    for reduced in (True, False):
        allow(reduced)
        results.append(a @ b)
    return results


# %%
# With random numbers: does the flag change any bit, and is a second run the same? The larger
# error is compared with the one in full precision.


def random_factors(shape, terms, dtype):
    torch.manual_seed(0)
    rows, columns = shape
    a = torch.randn(rows, terms, device="cuda")
    return a.to(dtype), torch.randn(terms, columns, device="cuda").to(dtype)


def changes(shape, terms, dtype, batch=None):
    a, b = random_factors(shape, terms, dtype)
    if batch:
        a, b = a.expand(batch, -1, -1), b.expand(batch, -1, -1)
    reduced, full = both_ways(a, b)
    unsteady = not all(map(torch.equal, both_ways(a, b), (reduced, full)))
    truth = a.double() @ b.double()
    errors = [(result - truth).abs().max().item() for result in (reduced, full)]
    return not torch.equal(reduced, full), unsteady, errors[0] / errors[1]


# %%
# With the numbers of the first cell, a finite result is all zeros.


def overflows(shape, terms, batch=None):
    rows, columns = shape
    a = torch.full((rows, terms), 16.0, dtype=torch.half, device="cuda")
    b = torch.full((terms, columns), 16.0, dtype=torch.half, device="cuda")
    b[terms // 2 :] = -16
    if batch:
        a, b = a.expand(batch, -1, -1), b.expand(batch, -1, -1)
    return [not result.isfinite().all().item() for result in both_ways(a, b)]


# %%
# All shapes, by the number of terms. The batched products are of two matrices each.

rows, unsteady, ratios = [], 0, []
for terms in TERMS:
    row = {"terms": terms, "shapes": len(SHAPES)}
    for name, dtype in (("fp16", torch.half), ("bf16", torch.bfloat16)):
        found = [changes(shape, terms, dtype) for shape in SHAPES]
        row[f"{name}_changed"] = sum(changed for changed, *_ in found)
        unsteady += sum(one for _, one, _ in found)
        ratios += [ratio for *_, ratio in found if name == "bf16"]
    batched = [changes(shape, terms, torch.half, batch=2) for shape in SHAPES]
    row["batched_changed"] = sum(changed for changed, *_ in batched)
    single = [overflows(shape, terms) for shape in SHAPES]
    batched = [overflows(shape, terms, batch=2) for shape in SHAPES]
    row["overflowed"], row["overflowed_in_full"] = map(sum, zip(*single))
    row["batched"], row["batched_in_full"] = map(sum, zip(*batched))
    rows.append(row)
    print(row)

# %%
# Totals over all numbers of terms: of shapes, and of those that the flag matters to.

totals = {name: sum(row[name] for row in rows) for name in rows[0] if name != "terms"}
print(totals, f"BF16: errors up to {max(ratios):.2f} times as large")
measured = {"by_terms": {"table": rows}, "unsteady": unsteady, **totals}
measured["bf16_error_ratio"] = max(ratios)
