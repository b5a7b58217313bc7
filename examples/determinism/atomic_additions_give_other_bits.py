"""
Atomic additions give other bits
================================

Why does the same line give another result in the next run? Its kernel adds in no fixed order, and
floating-point sums depend on the order. In deterministic mode, the line repeats its bits or raises.
"""

# sphinx_gallery_evidence = {"processes": 1}
import torch

index = torch.randint(64, (2**18,), device="cuda")
values = torch.randn(2**18, device="cuda")


def total():
    return torch.zeros(64, device="cuda").index_add_(0, index, values)


first = total()
print("other bits:", sum(not torch.equal(first, total()) for _ in range(20)), "of 20")

torch.use_deterministic_algorithms(True)
first = total()
print("other bits:", sum(not torch.equal(first, total()) for _ in range(20)), "of 20")
torch.use_deterministic_algorithms(False)

# %%
# The same sum in other types. Sums of whole numbers are exact in any order, and fixed-point
# numbers are whole. (So far apart are no FP32 numbers here that FP64 would round their sum.)

RUNS = 20
zeros = torch.zeros(64, device="cuda")
SCALE = 2**40  # a sum of 2^18 values below 16 stays within 63 bits


def others(call):
    first = call()
    return sum(not torch.equal(first, call()) for _ in range(RUNS))


def sum_of(x):
    return zeros.to(x.dtype).index_add(0, index, x)


def fixed_point():
    whole = (values.double() * SCALE).round().long()
    return (sum_of(whole).double() / SCALE).float()


double = torch.randn_like(values, dtype=torch.float64)
kinds = {"float16": values.half(), "float32": values, "float64": double}
kinds |= {"float32 in float64": values.double()}
kinds |= {"whole numbers": values.round(), "int64": (values * 100).long()}
types = [{"type": n, "others": others(lambda x=x: sum_of(x))} for n, x in kinds.items()]
types.append({"type": "fixed point", "others": others(fixed_point)})
exact = sum_of(values.double())
errors = [(x - exact).abs().max().item() for x in (fixed_point(), total())]

# %%
# Operators that add up or choose; those with a ``slope`` add in their backward pass. Each runs
# without the switch, and with it.

F = torch.nn.functional
CALLS = """\
index_add: zeros.index_add(0, index, values)
scatter_add: zeros.scatter_add(0, index, values)
scatter_reduce, mean: zeros.scatter_reduce(0, index, values, "mean")
scatter_reduce, prod: (zeros + 1).scatter_reduce(0, index, 1 + values / 1000, "prod")
index_put: zeros.index_put((index,), values, accumulate=True)
put: zeros.put(index, values, accumulate=True)
bincount: torch.bincount(index)
bincount, weights: torch.bincount(index, values)
histc: torch.histc(values)
cumsum: values.cumsum(0)
median: values.round().median(0).indices
kthvalue: values.round().kthvalue(2**17).indices
gather: slope(lambda x: x.gather(0, index), 64)
indexing: slope(lambda x: x[index], 64, 8)
embedding: slope(lambda x: F.embedding(index, x), 64, 8)
embedding, many rows: slope(lambda x: F.embedding(grid.flatten().argsort() // 8, x), 2**15, 8)
embedding_bag: slope(lambda x: F.embedding_bag(index.view(-1, 8), x), 64, 8)
grid_sample: slope(lambda x: F.grid_sample(x, grid, align_corners=False), 2, 4, 64, 64)
grid_sample, aligned: slope(lambda x: F.grid_sample(x, grid, align_corners=True), 2, 4, 64, 64)
avg_pool3d: slope(lambda x: F.avg_pool3d(x, 3, 2), 2, 4, 16, 16, 16)
reflection pad: slope(lambda x: F.pad(x, (9, 9, 9, 9), "reflect"), 2, 4, 64, 64)
interpolate, bilinear: slope(lambda x: F.interpolate(x, 256, mode="bilinear"), 2, 4, 64, 64)
interpolate, bicubic: slope(lambda x: F.interpolate(x, 256, mode="bicubic"), 2, 4, 64, 64)"""
grid = torch.rand(2, 256, 256, 2, device="cuda") * 0.1


def slope(function, *shape):
    torch.manual_seed(0)
    x = torch.randn(*shape, device="cuda", requires_grad=True)
    y = function(x)
    return torch.autograd.grad(y, x, torch.randn_like(y))[0]


calls = []
for name, text in (line.split(": ", 1) for line in CALLS.splitlines()):
    call = eval(f"lambda: {text}")
    row = {"call": name, "others": others(call)}
    torch.use_deterministic_algorithms(True)
    try:
        row["switched"] = str(others(call))
    except RuntimeError as raised:
        row["switched"] = "raises " + str(raised).partition(" does not have")[0]
    torch.use_deterministic_algorithms(False)
    calls.append(row)

measured = {
    "runs": RUNS,
    "fixed_point_error_share": errors[0] / errors[1],
    "calls": len(calls),
    "differ": sum(row["others"] > 0 for row in calls),
    "raise": sum("raises" in row["switched"] for row in calls),
    "repeat": sum(row["switched"] == "0" for row in calls),
    "by_type": {"table": types},
    "by_call": {"table": calls},
}
