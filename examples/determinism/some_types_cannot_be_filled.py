"""
Some types cannot be filled
===========================

Deterministic mode fills new memory. Can it fill memory of any type? Not of those that PyTorch
has no arithmetic for, such as FP4: a new tensor then raises an error, unless the filling is off.
"""

# sphinx_gallery_quiet = "nothing"
import torch

device = torch.accelerator.current_accelerator(check_available=True) or "cpu"
KINDS = ("float4_e2m1fn_x2", "int4", "uint4", "bits8", "float8_e4m3fn", "uint16")

# %%
# A new tensor of each type: without the mode, in it, and in it with the filling off.


def made(kind, mode, fill):
    torch.use_deterministic_algorithms(mode)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    try:
        torch.empty(64, dtype=getattr(torch, kind), device=device)
    except NotImplementedError as error:
        print(error)
        return type(error).__name__
    finally:
        torch.use_deterministic_algorithms(False)
    return "made"


rows = []
for kind in KINDS:
    row = {"type": kind, "without": made(kind, False, True)}
    row["filled"], row["unfilled"] = made(kind, True, True), made(kind, True, False)
    rows.append(row)
    print(row)

# %%
# What is in memory that is not filled? What was there before, even if that was NaN.

SIZE, TRIES = 2**20, 10
torch.use_deterministic_algorithms(True)
torch.utils.deterministic.fill_uninitialized_memory = False
left = {}
for value in (7.0, torch.nan):
    left[str(value)] = 0
    for _ in range(TRIES):
        x = torch.full((SIZE,), value, device=device)
        del x
        y = torch.empty(SIZE, device=device)
        left[str(value)] += torch.allclose(y, torch.full_like(y, value), equal_nan=True)
        del y
torch.use_deterministic_algorithms(False)
torch.utils.deterministic.fill_uninitialized_memory = True
print(left)

measured = {
    "by_type": {"table": rows},
    "tries": TRIES,
    "left_sevens": left["7.0"],
    "left_nan": left["nan"],
}
