"""Claims: math attention in 16 bits overflows where the default does not; with masks, grouped heads, backward, BF16."""
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
bad = []; v = torch.randn(1, 4, 128, 64, device="cuda")
for d in (torch.half, torch.bfloat16):
    for n, kw in {"plain": {}, "causal": {"is_causal": True}, "mask": {"attn_mask": torch.zeros(128, 128, device="cuda", dtype=d)}, "scale 1": {"scale": 1.0}}.items():
        big = torch.full_like(v, 128.0, dtype=d).requires_grad_(); fin = []
        for low in (False, True):
            torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(low)
            with sdpa_kernel(SDPBackend.MATH):
                o = sdpa(big, big, v.to(d), **kw); g, = torch.autograd.grad(o.sum(), big)
            fin.append((o.isfinite().all().item(), g.isfinite().all().item()))
        print(d, n, "default", fin[0], "16 bits", fin[1])
        if not fin[0][0] or (d is torch.half and fin[1][0]): bad.append((d, n))
print("REFUTED" if bad else "HOLDS", bad)
