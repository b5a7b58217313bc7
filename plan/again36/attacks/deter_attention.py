"""Attack: 'attention repeats with the switch, and forward always' with masks, causal, dropout, GQA, other widths and types."""
import warnings, torch
warnings.simplefilter("ignore")
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attention
bad = []
B = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION, "math": SDPBackend.MATH}
for mode in (False, True):
    torch.use_deterministic_algorithms(mode)
    for name, backend in B.items():
        for kind in (torch.float16, torch.bfloat16):
            for width in (64, 128, 256):
                for options in ({}, {"is_causal": True}, {"dropout_p": 0.1}, {"mask": 1}):
                    q, k, v = (torch.randn(1, 4, 500, width, device="cuda", dtype=kind, requires_grad=True) for _ in range(3))
                    o = dict(options); 
                    if o.pop("mask", 0): o["attn_mask"] = torch.randn(500, 500, device="cuda", dtype=kind)
                    def call():
                        torch.manual_seed(0)
                        with sdpa_kernel(backend): y = attention(q, k, v, **o)
                        return [y.detach(), *torch.autograd.grad(y, (q, k, v), torch.ones_like(y) * 0.37)]
                    try:
                        first = call(); runs = [call() for _ in range(4)]
                    except RuntimeError: continue
                    forward = any(not torch.equal(first[0], r[0]) for r in runs)
                    backward = any(not all(map(torch.equal, first[1:], r[1:])) for r in runs)
                    if forward or (mode and backward): bad.append((mode, name, kind, width, options, forward, backward))
print(("REFUTED " + str(bad)) if bad else "HOLDS")
