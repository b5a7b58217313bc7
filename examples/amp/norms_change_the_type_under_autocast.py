"""
Norms change the type under autocast
====================================

Why is a tensor FP32 after a norm, inside autocast? Autocast runs LayerNorm and GroupNorm in FP32
and leaves the result there. BatchNorm keeps the type of its input.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
layers = nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU(), nn.Linear(512, 512)
x = torch.randn(64, 512).to(device)
with torch.autocast(device.type, torch.bfloat16):
    for layer in layers:
        x = layer.to(device)(x)
        print(f"{type(layer).__name__:10} {x.dtype}")

# %%
# Each norm has FP32 weights, as in a model that trains under autocast, and gets a batch of the
# block's type, or one in FP32 in a BF16 block. PyTorch warns once if a fused kernel cannot run.

import warnings

CHANNELS, SIZE = 16, 32
NORMS = {
    "LayerNorm": nn.LayerNorm(SIZE),
    "GroupNorm": nn.GroupNorm(4, CHANNELS),
    "RMSNorm": nn.RMSNorm(SIZE),
    "BatchNorm2d": nn.BatchNorm2d(CHANNELS),
    "InstanceNorm2d": nn.InstanceNorm2d(CHANNELS, affine=True),
    "normalize": nn.functional.normalize,
}
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}
SAYS = {torch.float32: "FP32", torch.float16: "FP16", torch.bfloat16: "BF16"}


def result_of(norm, dtype):
    images = torch.randn(8, CHANNELS, SIZE, SIZE).to(device, dtype).requires_grad_()
    low = torch.bfloat16 if dtype is torch.float32 else dtype
    with torch.autocast(device.type, low):
        return norm(images)


rows = []
for name, norm in NORMS.items():
    if isinstance(norm, nn.Module):
        norm.to(device)
    row = {"norm": name}
    with warnings.catch_warnings(record=True, action="always") as warned:
        row |= {f"from_{k}": SAYS[result_of(norm, t).dtype] for k, t in TYPES.items()}
    row["from_fp32"] = SAYS[result_of(norm, torch.float32).dtype]
    row["warned_of_types"] = any("Mismatch dtype" in str(w.message) for w in warned)
    rows.append(row)
    print(row)

# %%
# RMSNorm with weights in FP32, without weights, and with weights of the block's type, as in a model
# that was converted: in how many of the two 16-bit types does its fused kernel run?


def rms_norm(weights, dtype):
    norm = nn.RMSNorm(SIZE, elementwise_affine=weights != "none").to(device)
    norm = norm.to(dtype) if weights == "fitting" else norm
    with warnings.catch_warnings(action="ignore"):
        return result_of(norm, dtype)


by_weights = []
for weights in ("FP32", "none", "fitting"):
    results = [rms_norm(weights, dtype) for dtype in TYPES.values()]
    row = {"weights": weights, "types": len(results)}
    row["kept"] = sum(r.dtype is t for r, t in zip(results, TYPES.values()))
    row["fused"] = sum("Fused" in result.grad_fn.name() for result in results)
    by_weights.append(row)
    print(row)

# %%
# Turning autocast off around a norm is not enough: the type of its weights must fit. Rounding the
# weights as well costs little accuracy, since the result is rounded in any case.


def in_the_type_of(x, norm):
    with torch.autocast(x.device.type, enabled=False):
        weight, bias = norm.weight.to(x.dtype), norm.bias.to(x.dtype)
        return nn.functional.layer_norm(
            x, norm.normalized_shape, weight, bias, norm.eps
        )


norm = NORMS["LayerNorm"]
torch.manual_seed(0)
nn.init.normal_(norm.weight, 1, 0.1)
x = torch.randn(4096, SIZE).to(device, torch.bfloat16)
refusal = "none"
try:
    with torch.autocast(device.type, enabled=False):
        norm(x)
except RuntimeError as error:
    refusal = error
with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
    truth = nn.functional.layer_norm(
        x.double(), (SIZE,), norm.weight.double(), norm.bias.double()
    )
    results = norm(x).bfloat16(), in_the_type_of(x, norm)
errors = [(result - truth).square().mean().sqrt().item() for result in results]
print(refusal, errors)

# %%
# The types of the results, and how far off they are once the next layer has rounded them.

measured = {
    "by_norm": {"table": rows},
    "rms_norm": {"table": by_weights},
    "autocast_off": refusal,
    "own_type": SAYS[results[1].dtype],
    "own_type_error_ratio": errors[1] / errors[0],
}
