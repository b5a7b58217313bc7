"""
Reused weights lose gradient in the cache
=========================================

A layer is called once for each time step. Is its gradient right under autocast? Not after many
steps: the cached copy of the weight is in 16 bits, and so is the sum of its gradients. Without
the cache, each step adds its gradient in FP32.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(32, 32, device=device)
steps = torch.rand(1024, 8, 32, device=device)  # 1024 steps of 8 sequences

with torch.autocast(device.type, dtype=torch.bfloat16, cache_enabled=False):
    outputs = [layer(step).float().mean() for step in steps]
sum(outputs).backward()
print(f"norm of the gradient: {layer.weight.grad.norm().item():.0f}")

# %%
# Each arm computes the gradient of the same loss, anew. One arm hands all steps to the layer
# in one call; the reference runs in FP64, without autocast.

SIGNS = {"same": torch.rand, "mixed": torch.randn}
REFERENCE = {"dtype": torch.float64, "enabled": False}


def one_by_one(layer, steps):
    return sum(layer(step).to(torch.float64).mean() for step in steps)


def in_one_call(layer, steps):
    return layer(steps).to(torch.float64).mean((1, 2)).sum()


def gradient(way, uses, signs, cache=True, dtype=torch.bfloat16, enabled=True, scale=1):
    torch.manual_seed(0)
    layer = torch.nn.Linear(32, 32, bias=False, device=device)
    steps = SIGNS[signs](uses, 8, 32, device=device)
    if not enabled:
        layer, steps, dtype = layer.to(dtype), steps.to(dtype), None
    options = {"dtype": dtype, "enabled": enabled, "cache_enabled": cache}
    with torch.autocast(device.type, **options):
        loss = way(layer, steps)
    (loss * scale).backward()
    return layer.weight.grad.double()


# %%
# How far is each gradient from the reference, as a share of its norm? And how long is the
# gradient that comes through the cache?

USES = (1, 4, 16, 64, 256, 1024)


def compare(uses, signs, dtype):
    truth = gradient(one_by_one, uses, signs, **REFERENCE)
    given = {"uses": uses, "signs": signs, "dtype": dtype}
    cached = gradient(one_by_one, **given)
    uncached = gradient(one_by_one, cache=False, **given)
    together = gradient(in_one_call, **given)

    def error(found):
        return ((found - truth).norm() / truth.norm()).item()

    row = {"uses": uses, "cached_error_share": error(cached)}
    row |= {
        "uncached_error_share": error(uncached),
        "together_error_share": error(together),
    }
    return row | {"kept_share": (cached.norm() / truth.norm()).item()}


same_bf16 = [compare(uses, "same", torch.bfloat16) for uses in USES]
for row in same_bf16:
    print(row)

# %%
# FP16 has more digits, but a sum of scaled gradients overflows. Gradients of mixed signs do not
# grow as much, and plain FP32 has no such error at all.

truth = gradient(one_by_one, USES[-1], "same", **REFERENCE)
full = gradient(one_by_one, USES[-1], "same", dtype=torch.float32, enabled=False)
scaled = {"dtype": torch.float16, "scale": 65536}  # a scaler's first scale
overflowed, overflowed_uncached = (
    (~gradient(one_by_one, USES[-1], "same", cache, **scaled).isfinite()).sum().item()
    for cache in (True, False)
)
measured = {
    "elements": truth.numel(),
    "scaled_overflowed": overflowed,
    "scaled_overflowed_uncached": overflowed_uncached,
    "same_bf16": {"table": same_bf16},
    "same_fp16": {"table": [compare(USES[-1], "same", torch.float16)]},
    "mixed_bf16": {"table": [compare(USES[-1], "mixed", torch.bfloat16)]},
    "full_error_share": ((full - truth).norm() / truth.norm()).item(),
}
print(measured)
