"""
FP8 takes one layout
====================

How do you multiply matrices in FP8? Scale them into the range of FP8, cast them, and call
``torch._scaled_mm``, a private function. The second matrix must be transposed in memory, and
sizes must be multiples of 16: everything else raises an error.
"""

# %%
# Quantize both matrices, each with one scale, and multiply. The weight of a linear layer
# already has the right layout, once it is transposed.

# sphinx_gallery_quiet = "nothing"
import torch


def quantize(x, dtype=torch.float8_e4m3fn):
    largest = torch.finfo(dtype).max
    scale = x.abs().max().float() / largest
    return (x / scale).clamp(-largest, largest).to(dtype), scale


torch.manual_seed(0)
x, weight = torch.randn(1024, 2048), torch.randn(4096, 2048)
(x_8, x_scale), (w_8, w_scale) = quantize(x.cuda()), quantize(weight.cuda())

y = torch._scaled_mm(x_8, w_8.T, x_scale, w_scale, out_dtype=torch.bfloat16)
print(y.dtype, y.shape)

# %%
# The largest error, relative to the mean magnitude of a result: of this product, of the same FP8
# numbers multiplied in FP64, and in BF16.

truth = x.cuda().double() @ weight.cuda().double().T
exact = (x_8.double() * x_scale) @ (w_8.double() * w_scale).T
in_bf16 = x.cuda().bfloat16() @ weight.cuda().bfloat16().T
results = {"error": y, "cast_error": exact, "bf16_error": in_bf16}
mean = truth.abs().mean().item()
errors = {n: (r - truth).abs().max().item() / mean for n, r in results.items()}
print(errors)

# %%
# Other ways to call it. Each changes one thing.

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
bias = torch.ones(4096, device="cuda")
x_52, x_52_scale = quantize(x.cuda(), E5M2)
w_52, w_52_scale = quantize(weight.cuda(), E5M2)
row_scales = torch.full((1024, 1), x_scale.item(), device="cuda")
column_scales = torch.full((1, 4096), w_scale.item(), device="cuda")


def scaled(a=x_8, b=w_8.T, a_scale=x_scale, b_scale=w_scale, **more):
    more = {"out_dtype": torch.bfloat16} | more
    return torch._scaled_mm(a, b, a_scale, b_scale, **more)


WAYS = {
    "as above": scaled,
    "17 rows": lambda: scaled(a=x_8[:17]),
    "FP32 result": lambda: scaled(out_dtype=torch.float32),
    "FP8 result": lambda: scaled(out_dtype=E4M3),
    "BF16 bias": lambda: scaled(bias=bias.bfloat16()),
    "E5M2 by E4M3": lambda: scaled(a=x_52, a_scale=x_52_scale),
    "a scale per row": lambda: scaled(a_scale=row_scales, b_scale=column_scales),
    "second matrix row by row": lambda: scaled(b=w_8.T.contiguous()),
    "first matrix transposed": lambda: scaled(a=x_8.T.contiguous().T),
    "2,040 terms": lambda: scaled(a=x_8[:, :2040], b=w_8[:, :2040].T),
    "4,090 columns": lambda: scaled(b=w_8[:4090].T),
    "E5M2 by E5M2": lambda: scaled(x_52, w_52.T, x_52_scale, w_52_scale),
    "FP32 bias": lambda: scaled(bias=bias, out_dtype=torch.float32),
    "FP64 scale": lambda: scaled(a_scale=x_scale.double()),
    "scale per row of one": lambda: scaled(a_scale=row_scales),
    "three dimensions": lambda: scaled(a=x_8[None]),
    "BF16 matrices": lambda: scaled(a=x.cuda().bfloat16()),
}

# %%
# Which of them run, and with which error do the others end?


def outcome(call):
    try:
        call()
    except (RuntimeError, ValueError) as error:
        return error
    return None


outcomes = {way: outcome(call) for way, call in WAYS.items()}
rows = []
for way, failure in outcomes.items():
    kind = "runs" if failure is None else type(failure).__name__
    rows.append({"way": way, "outcome": kind})
    print(f"{way}: {kind} {str(failure or '').splitlines()[:1]}")

# %%
# Backward: the function has no derivative.

learned = w_8.T.to(torch.bfloat16).requires_grad_().to(E4M3)
try:
    scaled(b=learned.T.contiguous().T).sum().backward()
    backward = None
except (RuntimeError, NotImplementedError) as failure:
    backward = failure
print(f"backward: {backward}")

# %%
# One error in full, the others by type.

measured = {
    **{f"{name}_share": error for name, error in errors.items()},
    "ways": {"table": rows},
    "tried": len(rows),
    "ran": sum(row["outcome"] == "runs" for row in rows),
    "row_by_row": outcomes["second matrix row by row"],
    "odd_terms": outcomes["2,040 terms"],
    "backward": backward,
}
