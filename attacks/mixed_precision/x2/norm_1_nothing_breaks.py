"""
Page: docs/amp/norms.md (the head of the page)
Sentence: "The next matmul or attention casts it back, so nothing breaks".

Attack: what else may come next after a LayerNorm under BF16 autocast, with tensors in BF16 around it:
`flex_attention` (an attention of PyTorch that autocast does not know) with queries and keys from a
norm and values in BF16; assignment of the norm's result to selected rows of a BF16 tensor (index_put_,
masked_scatter_, scatter_, index_copy_, index_add_), as in mixture-of-experts and packed batches;
in-place and out= products. `where` and `cat` as well. Matmul and SDPA are the controls that must
work. (`flex_attention` imports the compiler; it runs last, and only if there is time.)

Refuted if one of these raises an error because the norm's result is FP32, while the same call with the
norm's result cast to BF16 works.
"""

import time

BEGIN = time.perf_counter()

import warnings

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

warnings.simplefilter("ignore")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
linear, norm = nn.Linear(64, 64).to(device), nn.LayerNorm(64).to(device)
x = torch.randn(64, 64, device=device)
rows = torch.arange(32, device=device)
mask = torch.arange(64, device=device) < 32


def attention(h, kind):
    q = h.view(1, 4, 16, 64)
    v = linear(x).view(1, 4, 16, 64)
    return kind(q, q, v)


def flex(h):
    from torch.nn.attention.flex_attention import flex_attention

    return attention(h, flex_attention)


def put_mask(h):
    out = linear(x).detach().clone()
    out[mask] = h[:32]
    return out


def put_rows(h):
    out = linear(x).detach().clone()
    out[rows] = h[:32]
    return out


def masked_scatter(h):
    return linear(x).detach().clone().masked_scatter_(mask[:, None], h[:32])


def scatter(h):
    return linear(x).detach().clone().scatter_(0, rows[:, None].expand(32, 64), h[:32])


def index_copy(h):
    return linear(x).detach().clone().index_copy_(0, rows, h[:32])


def index_add(h):
    return linear(x).detach().clone().index_add_(0, rows, h[:32])


def addcmul(h):
    return linear(x).detach().clone().addmm_(h, h)


WAYS = {
    "matmul (control)": lambda h: linear(h),
    "scaled_dot_product_attention (control)": lambda h: attention(h, scaled_dot_product_attention),
    "out[mask] = ": put_mask, "out[rows] = ": put_rows, "masked_scatter_": masked_scatter,
    "scatter_": scatter, "index_copy_": index_copy, "index_add_": index_add, "addmm_": addcmul,
    "cat": lambda h: torch.cat([linear(x), h]), "where": lambda h: torch.where(mask[:, None], linear(x), h),
    "lerp": lambda h: torch.lerp(linear(x), h, 0.5), "bmm out=": lambda h: torch.bmm(h[None], h[None], out=torch.empty(1, 64, 64, device=device, dtype=torch.bfloat16)),
    "flex_attention": flex,
}
broken = []
for name, way in WAYS.items():
    if name == "flex_attention" and time.perf_counter() - BEGIN > 4:
        print("flex_attention left out: no time")
        continue
    said = {}
    for kind in ("fp32", "bf16"):
        try:
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
                h = linear(x)
                assert h.dtype is torch.bfloat16
                # On a CPU, autocast leaves the norm in BF16: the cast stands for the GPU's behaviour.
                h = norm(h).float() if device.type == "cpu" else norm(h)
                assert h.dtype is torch.float32
                result = way(h.bfloat16() if kind == "bf16" else h)
            said[kind] = f"works ({result.dtype})"
        except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
            said[kind] = f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"
    print({"next": name, **said})
    if said["bf16"].startswith("works") and not said["fp32"].startswith("works"):
        broken.append(f"{name} ({said['fp32']})")
if broken:
    print("REFUTED: what follows the norm breaks: " + "; ".join(broken))
else:
    print(f"NOT REFUTED: {len(WAYS)} ways to go on after a norm worked with its FP32 result")
