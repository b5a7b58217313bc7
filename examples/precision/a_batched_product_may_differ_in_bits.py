"""
A batched product may differ in bits
====================================

Is the first product of a batch the product of the first matrices? Up to rounding, it is; in
bits, it may not be. The same holds for the sum of a slice and the slice of a sum. Compare with
a tolerance, not bit for bit.
"""

# %%
# A batched matmul and a single one. ``assert_close`` has a tolerance for each type.

# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
a, b = torch.randn(2, 16, 512, 512, device="cuda")

batched, single = (a @ b)[0], a[0] @ b[0]
print(torch.equal(batched, single))
torch.testing.assert_close(batched, single, rtol=1e-4, atol=1e-3)

# %%
# Batches and sizes, in four types. Count the cases whose bits differ, and find the largest errors
# against the same product in FP64, in units in the last place (of a number of mean magnitude, if
# the right one is smaller). A result that is rounded once errs by half a unit.

from functools import partial

BATCHES, SIZES = (2, 16, 64), (32, 64, 128, 256, 512, 1024)
TYPES = {"FP32": torch.float32, "BF16": torch.bfloat16, "FP16": torch.half}
TYPES |= {"FP64": torch.double}


def compare(batch, size, dtype):
    torch.manual_seed(0)
    draw = partial(torch.randn, batch, size, size, device="cuda", dtype=torch.double)
    a, b = (draw().to(dtype) for _ in range(2))
    batched, single = (a @ b)[0], a[0] @ b[0]
    truth = a[0].double() @ b[0].double()
    magnitude = truth.abs().clamp(min=truth.abs().mean())
    unit = torch.exp2(magnitude.log2().floor()) * torch.finfo(dtype).eps
    far = [((x.double() - truth) / unit).abs().max().item() for x in (batched, single)]
    return not torch.equal(batched, single), *far


rows, errors = [], []
for name, dtype in TYPES.items():
    found = [compare(batch, size, dtype) for batch in BATCHES for size in SIZES]
    differ, batched, single = zip(*found)
    rows.append({"type": name, "cases": len(found), "differ": sum(differ)})
    print(rows[-1])
    if dtype != torch.double:  # FP64 has no better reference here
        errors.append({"type": name, "batched": max(batched), "single": max(single)})
        print(errors[-1])

# %%
# PyTorch's notes compare the sum of a slice with a slice of the sum, but of a row with a column:
# those are different quantities. The right pair is ``A.sum(-1)[0]`` and ``A[0].sum()``.

A = torch.arange(12.0, device="cuda").view(3, 4)
of_row, of_column, right = (s.item() for s in (A.sum(-1)[0], A[:, 0].sum(), A[0].sum()))
print(f"A.sum(-1)[0] is {of_row}, A[:, 0].sum() {of_column}, A[0].sum() {right}")

# %%
# That pair may differ in bits, too. An element-wise function of a slice does not.

SHAPES = [(rows, columns) for rows in (2, 64, 1024) for columns in (100, 1000, 10000)]
sums_differ = exp_differ = 0
for shape in SHAPES:
    A = torch.randn(shape, device="cuda")
    sums_differ += not torch.equal(A.sum(-1)[0], A[0].sum())
    exp_differ += not torch.equal(A.exp()[0, 1:], A[0, 1:].exp())
print(f"of {len(SHAPES)}: {sums_differ} sums differ, {exp_differ} exponentials")

# %%
# Sums of a row of the small matrix are exact.

measured = {
    "by_type": {"table": rows},
    "errors": {"table": errors},
    "of_row": of_row,
    "of_column": of_column,
    "right_pair": right,
    "shapes": len(SHAPES),
    "sums_differ": sums_differ,
    "exp_differ": exp_differ,
}
