"""attention.md: "To get a fused kernel, choose a head size that is a multiple of eight, or pad the head; and mask with booleans";
picture: "If all are answered with no, cuDNN or FlashAttention runs."
Attack: heads of 64 (a multiple of eight) in other shapes than the page's: three dimensions (heads folded into the batch), five,
keys that are broadcast over batch or heads, grouped keys (enable_gqa), a value head of its own; heads of 264 and 512.
Refuted if "math" runs in a 16-bit block for a head that is a multiple of eight, or, without a mask, another kernel than cuDNN
or FlashAttention."""
import time

begin = time.perf_counter()
import torch
from torch.profiler import ProfilerActivity, profile

dev = "cuda" if torch.cuda.is_available() else "cpu"
attend = torch.nn.functional.scaled_dot_product_attention
BACKENDS = ("cudnn", "flash", "efficient", "math")
mask = torch.ones(128, 128, dtype=torch.bool, device=dev).tril()


def ran(q, k, v, **options):
    q = torch.randn(q, device=dev, requires_grad=True)
    k, v = torch.randn(k, device=dev), torch.randn(v, device=dev)
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as p:
        with torch.autocast(dev, dtype=torch.bfloat16):
            attend(q, k, v, **options)
    names = {e.name for e in p.events()}
    return " ".join(b for b in BACKENDS if any(f"_{b}" in n and "scaled_dot" in n for n in names))


usual = (2, 4, 128, 64)
SHAPES = {
    "4 dimensions, head 64": (usual, usual, usual, {}),
    "3 dimensions, head 64": ((8, 128, 64),) * 3 + ({},),
    "2 dimensions, head 64": ((128, 64),) * 3 + ({},),
    "5 dimensions, head 64": ((2, 2, 2, 128, 64),) * 3 + ({},),
    "keys broadcast over the batch": (usual, (1, 4, 128, 64), (1, 4, 128, 64), {}),
    "keys broadcast over heads": (usual, (2, 1, 128, 64), (2, 1, 128, 64), {}),
    "grouped keys": (usual, (2, 2, 128, 64), (2, 2, 128, 64), {"enable_gqa": True}),
    "value head 32": (usual, usual, (2, 4, 128, 32), {}),
    "dropout": (usual, usual, usual, {"dropout_p": 0.1}),
    "one query": ((2, 4, 1, 64), usual, usual, {}),
    "head 264": ((2, 4, 128, 264),) * 3 + ({},),
    "head 512": ((2, 4, 128, 512),) * 3 + ({},),
}
bad = []
for name, (q, k, v, options) in SHAPES.items():
    for kind in ("no mask", "boolean"):
        if q[-2] == 1 and kind != "no mask":
            continue
        if time.perf_counter() - begin > 6:  # kernels of cuDNN are compiled for each shape
            print(f"{name}, {kind}: skipped for time")
            continue
        extra = {"boolean": {"attn_mask": mask}}.get(kind, {})
        try:
            backend = ran(q, k, v, **options, **extra)
        except RuntimeError as e:
            backend = f"raises {str(e)[:60]}"
        print(f"{name}, {kind}: {backend}")
        if dev == "cuda" and (backend == "math" or (kind == "no mask" and backend == "efficient")):
            bad.append(f"{name}, {kind}: {backend}")
print(f"REFUTED: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(SHAPES)} shapes, two masks")
