"""weight_cache.md: "With as many steps in FP16, which has more digits, the error through the cache is [0.1 to 1 %]" (claim
"the sum of gradients costs least in FP16").
Attack: FP16 training scales its loss. With GradScaler's own first scale, 65536, the sum of the gradients of 1024 steps, which
the cache keeps in FP16, passes 65504, while each step's gradient is small and the sum without the cache is in FP32.
Refuted if the gradient through the cache is infinite or NaN where the gradient without the cache is finite and right."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"


def gradient(cache, scale, dtype=torch.float16, enabled=True):
    torch.manual_seed(0)
    layer = torch.nn.Linear(32, 32, bias=False, device=dev)
    steps = torch.rand(1024, 8, 32, device=dev)
    if not enabled:
        layer, steps = layer.double(), steps.double()
    with torch.autocast(dev, dtype=dtype, enabled=enabled, cache_enabled=cache):
        loss = sum(layer(step).to(torch.float64).mean() for step in steps)
    (loss * scale).backward()
    return layer.weight.grad.double() / scale


truth = gradient(True, 1.0, enabled=False)
error = lambda g: ((g - truth).norm() / truth.norm()).item()
bad = []
for scale in (1.0, 65536.0):
    cached, uncached = gradient(True, scale), gradient(False, scale)
    n = (~cached.isfinite()).sum().item()
    print(f"scale {scale:.0f}: FP16 through the cache error {error(cached):.2%}, not finite {n} of {cached.numel()}; without the cache {error(uncached):.2%}")
    if n and error(uncached) < 0.01:
        bad.append(f"scale {scale:.0f}: {n} of {cached.numel()} elements infinite through the cache, error {error(uncached):.2%} without it")
print(f"REFUTED: {'; '.join(bad)}" if bad else "NOT REFUTED: scales 1 and 65536")
