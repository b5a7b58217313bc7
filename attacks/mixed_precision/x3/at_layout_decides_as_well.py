"""attention.md: "casts query, key, value and mask to the type of the block, and then chooses its kernel as it would for tensors
of that type."
Attack: tensors whose last stride is not one (query, key and value interleaved in the last dimension, every second element of a
head), expanded keys, masks that are slices: the cast makes them contiguous, which tensors of that type in that layout are not.
Refuted if the kernel that runs in a block for FP32 tensors differs from the one that runs without a block for tensors of the
block's type with the same shapes and strides (same offsets)."""
import time

begin = time.perf_counter()
import torch
from torch.profiler import ProfilerActivity, profile

dev = "cuda" if torch.cuda.is_available() else "cpu"
attend = torch.nn.functional.scaled_dot_product_attention
BACKENDS = ("cudnn", "flash", "efficient", "math")
r = lambda dtype, *s: torch.randn(s, device=dev).to(dtype)
keep = lambda t: (t, t, t)
LAYOUTS = {
    "interleaved in the last dimension": lambda d: r(d, 2, 4, 128, 64, 3).unbind(-1),
    "every second element of 128": lambda d: tuple(r(d, 2, 4, 128, 128)[..., ::2] for _ in range(3)),
    "contiguous": lambda d: tuple(r(d, 2, 4, 128, 64) for _ in range(3)),
    "tokens before heads": lambda d: tuple(r(d, 2, 128, 4, 64).transpose(1, 2) for _ in range(3)),
    "head before tokens": lambda d: tuple(r(d, 2, 4, 64, 128).transpose(-1, -2) for _ in range(3)),
    "expanded keys": lambda d: (r(d, 2, 4, 128, 64), r(d, 2, 1, 128, 64).expand(2, 4, 128, 64), r(d, 2, 1, 128, 64).expand(2, 4, 128, 64)),
}
MASKS = {
    "no mask": lambda d: None,
    "added": lambda d: r(d, 2, 4, 128, 128),
    "added, a slice": lambda d: r(d, 2, 4, 128, 129)[..., 1:],
    "added, broadcast": lambda d: r(d, 2, 1, 1, 128).expand(2, 4, 128, 128),
    "boolean": lambda d: torch.ones(128, 128, dtype=torch.bool, device=dev).tril(),
}


def ran(dtype, layout, mask, block):
    q, k, v = LAYOUTS[layout](dtype)
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as p:
        with torch.autocast(dev, dtype=block, enabled=block is not None):
            try:
                attend(q, k, v, attn_mask=MASKS[mask](dtype))
            except RuntimeError as e:
                return f"raises {str(e)[:50]}"
    names = {e.name for e in p.events()}
    return " ".join(b for b in BACKENDS if any(f"_{b}" in n and "scaled_dot" in n for n in names))


bad = []
for mask in MASKS:
    for layout in LAYOUTS:
        if time.perf_counter() - begin > 6:  # kernels of cuDNN are compiled for each layout
            print(f"{layout}, {mask}: skipped for time")
            continue
        cast, given = ran(torch.float32, layout, mask, torch.bfloat16), ran(torch.bfloat16, layout, mask, None)
        print(f"{layout}, {mask}: FP32 in a BF16 block: {cast}; BF16 without a block: {given}")
        if dev == "cuda" and cast != given:
            bad.append(f"{layout}, {mask}: {cast} against {given}")
print(f"REFUTED: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(LAYOUTS)} layouts, {len(MASKS)} masks")
