"""
bfloat16 rounds the residual stream
===================================

Is ``model.bfloat16()`` as accurate as autocast? Not in a deep model: it also keeps the sums of
residual blocks in BF16, which autocast leaves in FP32.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)


def make_block(width):
    first, second = torch.nn.Linear(width, width), torch.nn.Linear(width, width)
    norm, bend = torch.nn.LayerNorm(width), torch.nn.GELU()
    return torch.nn.Sequential(norm, first, bend, second)


def run(blocks, x):
    for block in blocks:
        x = x + block(x)
    return x


# %%
# The weights are random. Each error is measured against the same model in FP64, relative to its
# result; FP32 products are full ones, as is the default. The last way converts the model, but
# adds up the results of its blocks in FP32.

from copy import deepcopy

WIDTH, DEPTHS = 256, (1, 4, 16, 64)
inputs = torch.randn(512, WIDTH, device=device)
blocks = torch.nn.Sequential(*(make_block(WIDTH) for _ in range(max(DEPTHS))))
blocks.to(device)


# %%
# The ways to compute.


def under_autocast(model, dtype):
    with torch.autocast(device.type, dtype):
        return run(model, inputs)


def converted(model, dtype):
    return run(deepcopy(model).to(dtype), inputs.to(dtype))


def added_in_fp32(model, dtype):
    x = inputs
    for block in deepcopy(model).to(dtype):
        x = x + block(x.to(dtype))
    return x


WAYS = {
    "fp32": lambda model: run(model, inputs),
    "autocast": lambda model: under_autocast(model, torch.bfloat16),
    "bfloat16": lambda model: converted(model, torch.bfloat16),
    "fp16_autocast": lambda model: under_autocast(model, torch.float16),
    "half": lambda model: converted(model, torch.float16),
    "added_in_fp32": lambda model: added_in_fp32(model, torch.bfloat16),
}


# %%
# The errors, by the number of blocks.

rows = []
with torch.no_grad():
    for depth in DEPTHS:
        model = blocks[:depth]
        truth = run(deepcopy(model).double(), inputs.double())
        results = {name: way(model) for name, way in WAYS.items()}
        row = {"depth": depth}
        for name, result in results.items():
            error = (result.double() - truth).norm() / truth.norm()
            row[f"{name}_error_share"] = error.item()
        row["bfloat16_ratio"] = (
            row["bfloat16_error_share"] / row["autocast_error_share"]
        )
        row["added_in_fp32_ratio"] = (
            row["added_in_fp32_error_share"] / row["autocast_error_share"]
        )
        row["half_ratio"] = row["half_error_share"] / row["fp16_autocast_error_share"]
        rows.append(row)
        print({name: f"{value:.2g}" for name, value in row.items()})
print({name: result.dtype for name, result in results.items()})

measured = {
    "by_depth": {"table": rows},
    "autocast_dtype": str(results["autocast"].dtype),
    "bfloat16_dtype": str(results["bfloat16"].dtype),
}
