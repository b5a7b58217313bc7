"""
Page: docs/amp/norms.md (claim autocast-casts-mixed-attention)
Sentence: "Under BF16 autocast, attention casts all three: with queries and keys in FP32, the result is
BF16 and has the same bits as that of BF16 tensors. The same kernel runs".

Attack: other shapes and options than (2, 8, 256, 64): causal, boolean and float masks (FP32, BF16, and a
learnt one), head widths of 36, 40, 72, 128, 256, lengths of 1 and 77, keys longer than queries, grouped
queries (enable_gqa), FP16 autocast, transposed tensors (as from a linear layer), every
`sdpa_kernel` backend by itself, a scale. Forward bits; the gradients of all three are printed.

Refuted if for one of them the mixture runs another kernel, has other bits, or raises, where BF16
tensors work.
"""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32


def case(heads=8, kv_heads=8, length=256, keys=256, width=64, low=BF16, high=FP32, transposed=False, mask=None, backend=None, **options):
    torch.manual_seed(0)

    def make(h, n):
        shape = (2, n, h, width) if transposed else (2, h, n, width)
        t = torch.randn(shape, device=device).to(low)
        return t.transpose(1, 2) if transposed else t

    q, k, v = make(heads, length), make(kv_heads, keys), make(kv_heads, keys)
    masks = {"bool": torch.rand(length, keys, device=device) > 0.3, "fp32": torch.randn(length, keys, device=device),
             "low": torch.randn(length, keys, device=device).to(low), "learnt": torch.randn(length, keys, device=device).requires_grad_()}
    attn_mask = masks.get(mask)
    results = []
    for t in (low, high):
        tensors = [q.to(t).requires_grad_(), k.to(t).requires_grad_(), v.detach().clone().requires_grad_()]
        try:
            with torch.autocast(device.type, low):
                if backend is None:
                    out = sdpa(*tensors, attn_mask=attn_mask, **options)
                else:
                    with sdpa_kernel(backend):
                        out = sdpa(*tensors, attn_mask=attn_mask, **options)
            grads = torch.autograd.grad(out, tensors, torch.ones_like(out))
            node = out.grad_fn.name()
            results.append((node, out.dtype, out.detach(), [g.to(low) for g in grads]))
        except (RuntimeError, ValueError) as error:
            results.append((f"{type(error).__name__}: {str(error).splitlines()[0][:70]}", None, None, None))
    return results


CASES = {
    "as on the page": {}, "causal": {"is_causal": True}, "bool mask": {"mask": "bool"}, "FP32 mask": {"mask": "fp32"},
    "low mask": {"mask": "low"}, "learnt mask": {"mask": "learnt"}, "width 36": {"width": 36}, "width 40": {"width": 40},
    "width 72": {"width": 72}, "width 128": {"width": 128}, "width 256": {"width": 256}, "width 264": {"width": 264},
    "one query": {"length": 1}, "77": {"length": 77, "keys": 77}, "longer keys": {"length": 100, "keys": 333},
    "grouped queries": {"kv_heads": 2, "enable_gqa": True}, "FP16": {"low": FP16}, "transposed": {"transposed": True},
    "scale": {"scale": 0.5},
    "flash": {"backend": SDPBackend.FLASH_ATTENTION}, "efficient": {"backend": SDPBackend.EFFICIENT_ATTENTION},
    "math": {"backend": SDPBackend.MATH}, "cuDNN": {"backend": SDPBackend.CUDNN_ATTENTION},
}
wrong = []
for name, options in CASES.items():
    low, mixed = case(**options)
    row = {"case": name, "low": low[0], "mixed": mixed[0]}
    if low[2] is not None and mixed[2] is not None:
        repeat = case(**options)[0]
        row["same_bits"] = low[2].equal(mixed[2])
        row["repeats"] = low[2].equal(repeat[2])
        row["type"] = str(mixed[1])
        row["same_gradients"] = all(a.equal(b) for a, b in zip(low[3], mixed[3]))
    print(row)
    if low[2] is None:
        continue
    if mixed[2] is None:
        wrong.append(f"{name}: the mixture raises {mixed[0]}")
    elif low[0].removesuffix("Backward0") != mixed[0].removesuffix("Backward0") and "ToCopy" not in mixed[0]:
        wrong.append(f"{name}: {mixed[0]} instead of {low[0]}")
    elif mixed[1] is not low[1] or (row["repeats"] and not row["same_bits"]):
        wrong.append(f"{name}: {mixed[1]}, same bits {row['same_bits']}")
if wrong:
    print("REFUTED: " + "; ".join(wrong))
else:
    print(f"NOT REFUTED: {len(CASES)} shapes, masks, types and backends gave the same kernel and bits")
