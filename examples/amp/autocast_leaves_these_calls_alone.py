"""
Autocast leaves these calls alone
=================================

Why does a call in an autocast block ignore autocast? It has FP64 or integer inputs, changes a
tensor in place, writes to ``out=``, or names its ``dtype=``; or its tensors are elsewhere.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
a, b, c = torch.randn(3, 8, 8, device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    print("a.addmm(b, c): ", a.addmm(b, c).dtype)
    print("a.addmm_(b, c):", a.addmm_(b, c).dtype)

# %%
# Each call runs outside a block and inside one. A call goes through autocast if its result
# has another type inside than outside.

double = torch.randn(8, 8, dtype=torch.float64, device=device)
low = b.bfloat16()
whole = torch.arange(8, device=device)
elsewhere = torch.randn(8, 8, device="cpu" if device.type != "cpu" else "meta")

CALLS = {
    "a @ b": lambda: a @ b,
    "torch.mm(a, b)": lambda: torch.mm(a, b),
    "a.addmm(b, c)": lambda: a.addmm(b, c),
    "a.addmm_(b, c)": lambda: a.addmm_(b, c),
    "torch.mm(a, b, out=c)": lambda: torch.mm(a, b, out=c),
    "double @ double": lambda: double @ double,
    "elsewhere @ elsewhere": lambda: elsewhere @ elsewhere,
    "low.sum()": lambda: low.sum(),
    "low.sum(dtype=torch.bfloat16)": lambda: low.sum(dtype=torch.bfloat16),
    "whole.sum()": lambda: whole.sum(),
    "a + low": lambda: a + low,
}


def dtype_of(call):
    return str(call().dtype).removeprefix("torch.")


rows = []
for name, call in CALLS.items():
    outside = dtype_of(call)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        inside = dtype_of(call)
    rows.append({"call": name, "outside": outside, "inside": inside})
    print(f"{name:>30}: {outside:>9} outside, {inside:>9} inside")

# %%
# What is left alone does not get matching types either. In a block, a product is in BF16, and
# these calls meet it with tensors of other types.


def add_in_place(total, hidden, weight):
    return total.addmm_(hidden, weight)


def add_out_of_place(total, hidden, weight):
    return total.addmm(hidden, weight)


def write_to_out(total, hidden, weight):
    return torch.mm(hidden, weight, out=total)


def write_composite_to_out(total, _, weight):
    return torch.linalg.multi_dot([weight, weight, weight], out=total)


def multiply_by_double(_, hidden, weight):
    return hidden @ weight.double()


def outcome(call):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        try:
            return dtype_of(lambda: call(torch.zeros_like(a), a @ b, c))
        except RuntimeError as failure:
            return failure


# %%
# PyTorch's page on autocast names ``a.addmm(b, c, out=d)`` as a call that autocast leaves alone.


def method_with_out():
    try:
        return a.addmm(b, c, out=torch.empty_like(a))
    except TypeError as failure:
        return failure


measured = {
    "calls": {"table": rows},
    "in_place": outcome(add_in_place),
    "out_of_place": outcome(add_out_of_place),
    "into_out": outcome(write_to_out),
    "composite": outcome(write_composite_to_out),
    "by_double": outcome(multiply_by_double),
    "method_with_out": method_with_out(),
}
for name in (
    "in_place",
    "out_of_place",
    "into_out",
    "composite",
    "by_double",
    "method_with_out",
):
    print(f"{name}: {measured[name]}")
