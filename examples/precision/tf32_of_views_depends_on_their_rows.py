"""
TF32 of views depends on their rows
===================================

Does TF32 gain as much for a transposed matrix or a part of a larger one, and is it as accurate?
A view whose rows begin between the numbers that are loaded at once may take another kernel.
"""

import time
from statistics import median

import torch

# %%
# Views of the same numbers: transposed, with a gap of some numbers after each row, with a first
# element that lies later in memory, and with every other column skipped.

SIZE, ROUNDS, COUNT = 4096, 7, 2

torch.manual_seed(0)
a, b = torch.randn(2, SIZE, SIZE, device="cuda")


def spaced(x, row, first=0):
    room = torch.zeros(SIZE * row + 64, device="cuda")
    view = room.as_strided((SIZE, SIZE), (row, 1), first)
    view.copy_(x)
    return view


every_other = torch.zeros(SIZE, 2 * SIZE, device="cuda")[:, ::2]
VIEWS = {
    "contiguous": (a, b),
    "first transposed": (a.T.contiguous().T, b),
    "second transposed": (a, b.T.contiguous().T),
    "both transposed": (a.T.contiguous().T, b.T.contiguous().T),
    "gaps of 8 numbers": (spaced(a, SIZE + 8), spaced(b, SIZE + 8)),
    "gaps of one number": (spaced(a, SIZE + 1), spaced(b, SIZE + 1)),
    "first, gaps of one number": (spaced(a, SIZE + 1), b),
    "begins 4 numbers later": (spaced(a, SIZE, 4), spaced(b, SIZE, 4)),
    "begins one number later": (spaced(a, SIZE, 1), spaced(b, SIZE, 1)),
    "every other column": (every_other.copy_(a), b),
}


def multiply(view, precision):
    torch.backends.cuda.matmul.fp32_precision = precision
    return torch.mm(*VIEWS[view])


# %%
# The largest error against the product in FP64, and the bits compared with those of contiguous
# matrices.

exact = a.double() @ b.double()
plain = {name: multiply("contiguous", name) for name in ("ieee", "tf32")}


def error(view, precision):
    return (multiply(view, precision) - exact).abs().max().item()


# %%
# The GPU's time, for matmuls that wait in its queue. Views take turns, after a warm-up by time.


def gpu_seconds(view, precision):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(2_000_000)  # about a millisecond; a private function
    first.record()
    for _ in range(COUNT):
        multiply(view, precision)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000 / COUNT


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for view in VIEWS:
        gpu_seconds(view, "tf32")
rounds = [
    {(view, p): gpu_seconds(view, p) for view in VIEWS for p in ("ieee", "tf32")}
    for _ in range(ROUNDS)
]

# %%
# The speedup is that of TF32 over FP32 in the same view; a slowdown compares a view with contiguous
# matrices.

rows = []
for view in VIEWS:
    full, tf32 = ([each[view, p] for each in rounds] for p in ("ieee", "tf32"))
    base = [each["contiguous", "tf32"] for each in rounds]
    row = {"view": view, "error_ratio": error(view, "tf32") / error(view, "ieee")}
    row["tf32_error"] = error(view, "tf32")
    for name, bits in plain.items():
        row[f"same_bits_{name}"] = torch.equal(multiply(view, name), bits)
    row["speedup"] = {"samples": [slow / fast for slow, fast in zip(full, tf32)]}
    row["slowdown"] = {"samples": [here / there for here, there in zip(tf32, base)]}
    base = [each["contiguous", "ieee"] for each in rounds]
    row["fp32_slowdown"] = {
        "samples": [here / there for here, there in zip(full, base)]
    }
    rows.append(row)
    print(f"{view}: {median(row['speedup']['samples']):.2f} times as fast")
measured = {"size": SIZE, "by_view": {"table": rows}}
