"""
Misplaced views slow 16-bit matmuls
===================================

All sizes are multiples of 64. Is a matmul in 16 bits then as fast on a view as on a tensor of its
own? Only if its rows begin where a tensor's would: a slice from the second column on is slower.
"""

import time
from statistics import median

import torch

torch.manual_seed(0)
x = torch.randn(4096, 4097, device="cuda", dtype=torch.bfloat16)
w = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)

slow = x[:, 1:] @ w  # each row begins at an odd place
fast = x[:, 1:].contiguous() @ w
print((slow - fast).abs().max().item())

# %%
# Views of the same numbers. A row of a packed projection has room for three matrices; other rooms
# leave a gap behind each row. Some views begin later in memory.

SIZE, ROUNDS, COUNT = 4096, 7, 4
DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def placed(numbers, row, first=0):
    room = torch.zeros(SIZE * row + 64, device="cuda", dtype=numbers.dtype)
    return room.as_strided((SIZE, SIZE), (row, 1), first).copy_(numbers)


def views_of(a):
    return {
        "a tensor of its own": a,
        "transposed": a.T.contiguous().T,
        "a third of a packed one": placed(a, 3 * SIZE, SIZE),
        "from the ninth column on": placed(a, SIZE + 8, 8),
        "from the third column on": placed(a, SIZE + 2, 2),
        "from the second column on": placed(a, SIZE + 1, 1),
        "begins one number later": placed(a, SIZE, 1),
        "a gap of one number": placed(a, SIZE + 1),
        "every other column": torch.stack([a, a], -1).flatten(1)[:, ::2],
        "second column on, copied": placed(a, SIZE + 1, 1),
    }


inputs = {}
for name, dtype in DTYPES.items():
    a, b = torch.randn(2, SIZE, SIZE, device="cuda").to(dtype)
    inputs[name] = views_of(a), b
VIEWS = list(inputs["bf16"][0])

# %%
# The GPU's time, for matmuls that wait in its queue. Views take turns, after a warm-up by time. The
# last one is copied first, as a remedy: the copy counts.


def product(view, name):
    views, b = inputs[name]
    a = views[view].contiguous() if "copied" in view else views[view]
    return a @ b


def gpu_seconds(view, name):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(2_000_000)  # about a millisecond; a private function
    first.record()
    for _ in range(COUNT):
        product(view, name)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000 / COUNT


arms = [(view, name) for view in VIEWS for name in DTYPES]
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for arm in arms:
        gpu_seconds(*arm)
rounds = [{arm: gpu_seconds(*arm) for arm in arms} for _ in range(ROUNDS)]

# %%
# A slowdown compares a view with a tensor of its own. Are its bits the same?

rows = []
for view in VIEWS:
    row = {"view": view}
    for name in DTYPES:
        times = [(each[view, name], each[VIEWS[0], name]) for each in rounds]
        row[f"{name}_slowdown"] = {"samples": [here / there for here, there in times]}
        same = torch.equal(product(view, name), product(VIEWS[0], name))
        row[f"{name}_same_bits"] = same
    rows.append(row)
    print(view, round(median(row["bf16_slowdown"]["samples"]), 2))
measured = {"size": SIZE, "by_view": {"table": rows}}
