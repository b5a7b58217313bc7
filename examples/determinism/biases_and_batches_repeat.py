"""
Biases and batches repeat
=========================

Do matmuls with a bias, in batches, and in FP8 repeat their bits, and linear layers backward? Two
streams run each in turns, in deterministic mode and without it.
"""

# sphinx_gallery_evidence = {"processes": 1}
# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn import functional

torch.manual_seed(0)
layer = torch.nn.Linear(4096, 1000).cuda()
x = torch.randn(2048, 4096, device="cuda")
slope = torch.randn(2048, 1000, device="cuda")


def gradients():
    return torch.autograd.grad(layer(x), layer.parameters(), slope)


first = gradients()
print(all(map(torch.equal, first, gradients())))

# %%
# Calls in several shapes: the rows, what is summed up, and the columns. Long sums may be split
# among blocks that add in any order. Some shapes have no kernel in FP8.

SHAPES = (64, 2**16, 64), (16, 4096, 4096), (512, 512, 512), (2048, 4096, 1008)
BATCHES, RUNS = (16, 64), 100
DTYPES = {"FP32": torch.float32, "BF16": torch.bfloat16, "FP16": torch.float16}


def tensor(*shape, dtype, learns=False):
    return torch.randn(shape, device="cuda").to(dtype).requires_grad_(learns)


def linear(shape, dtype, backward=False):
    m, k, n = shape
    x, w, bias = (
        tensor(*some, dtype=dtype, learns=backward) for some in ((m, k), (n, k), (n,))
    )
    slope = tensor(m, n, dtype=dtype)
    if not backward:
        return lambda: [functional.linear(x, w, bias)]
    return lambda: torch.autograd.grad(
        functional.linear(x, w, bias), (x, w, bias), slope
    )


def batched(shape, dtype, count, bias):
    m, k, n = shape
    x, y, z = (
        tensor(count, *some, dtype=dtype)
        for some in ((m, k // 16), (k // 16, n), (m, n))
    )
    return lambda: [torch.baddbmm(z, x, y) if bias else torch.bmm(x, y)]


def in_fp8(shape, bias):
    m, k, n = shape
    x, w = (tensor(*some, dtype=torch.float8_e4m3fn) for some in ((m, k), (n, k)))
    one, extra = torch.ones((), device="cuda"), tensor(n, dtype=torch.bfloat16)
    given = {"bias": extra if bias else None, "out_dtype": torch.bfloat16}
    return lambda: [torch._scaled_mm(x, w.T, one, one, **given)]


CALLS = {}
for name, dtype in DTYPES.items():
    CALLS[f"linear, {name}"] = [linear(s, dtype) for s in SHAPES]
    CALLS[f"linear backward, {name}"] = [linear(s, dtype, True) for s in SHAPES]
    for bias, call in {False: "bmm", True: "baddbmm"}.items():
        CALLS[f"{call}, {name}"] = [
            batched(s, dtype, n, bias) for s in SHAPES for n in BATCHES
        ]
for bias, call in {False: "_scaled_mm", True: "_scaled_mm with a bias"}.items():
    CALLS[f"{call}, FP8"] = [in_fp8(s, bias) for s in SHAPES]

# %%
# How many runs give other bits than the first? The host does not wait in between.

streams = torch.cuda.Stream(), torch.cuda.Stream()


def others(call):
    first = call()
    found = torch.zeros(2, dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for run in range(RUNS):
        with torch.cuda.stream(streams[run % 2]):
            differ = [(one != two).any() for one, two in zip(first, call())]
            found[run % 2] += torch.stack(differ).any()
    torch.cuda.synchronize()
    return found.sum().item()


rows = []
for name, calls in CALLS.items():
    rows.append({"call": name, "cases": len(calls)})
    for switched, column in {False: "others", True: "switched"}.items():
        torch.use_deterministic_algorithms(switched)
        rows[-1][column] = sum(map(others, calls))
    print(rows[-1])
measured = {"runs": RUNS, "by_call": {"table": rows}}
for column in "others", "switched":
    measured[column] = sum(row[column] for row in rows)
