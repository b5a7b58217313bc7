"""Trial run of a new example, with warnings as errors: must end without an exception. Expect what its page says."""
import os, tempfile, time, warnings
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); os.environ["MPLBACKEND"] = "Agg"; _begin = time.time()
"""
Max-autotune needs the older switch
===================================

Which switch turns TF32 on everywhere, in compiled code too? The older one does. After
the newer one, ``torch.compile`` with ``mode="max-autotune"`` raises, because Inductor
reads the older one.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": ["."]}
import torch

torch.set_float32_matmul_precision("high")  # FP32 matrix products run in TF32

a, b = torch.randn(2, 256, 256, device="cuda")
truth = a.double() @ b.double()
error = (a @ b - truth).abs().max().item()
print(f"{torch.backends.cuda.matmul.fp32_precision}: largest error {error:.2g}")

# %%
# In full FP32, the same product errs far less.

torch.set_float32_matmul_precision("highest")
full_error = (a @ b - truth).abs().max().item()
print(f"{torch.get_float32_matmul_precision()}: largest error {full_error:.2g}")

# %%
# Does a compiled product run in TF32? Its error tells. Each trial compiles anew.


def in_tf32(mode):
    torch.compiler.reset()
    product = torch.compile(lambda x, y: x @ y, mode=mode)
    try:
        return (product(a, b) - truth).abs().max().item() > 10 * full_error
    except Exception as failure:
        return failure


# %%
# The older switch reaches it, in the default mode and with max-autotune.

torch.set_float32_matmul_precision("high")
default_after_older, max_autotune_after_older = map(
    in_tf32, ("default", "max-autotune")
)
torch.set_float32_matmul_precision("highest")
print(f"after the older switch: {default_after_older}, {max_autotune_after_older}")

# %%
# After the newer one, max-autotune raises.

torch.backends.cuda.matmul.fp32_precision = "tf32"
default_after_newer, max_autotune_after_newer = map(
    in_tf32, ("default", "max-autotune")
)
torch.backends.cuda.matmul.fp32_precision = "none"
print(
    f"after the newer switch: {default_after_newer}, {max_autotune_after_newer!r:.88}"
)

# %%
# Full FP32 takes a flag besides, for what runs in cuDNN: a convolution, a recurrent layer.

convolution, recurrent = (
    torch.nn.Conv2d(64, 64, 3).cuda(),
    torch.nn.GRU(256, 256).cuda(),
)
image = torch.randn(8, 64, 32, 32, device="cuda")
sequence = torch.randn(16, 32, 256, device="cuda")


def results():
    return [a @ b, convolution(image), recurrent(sequence)[0]]


torch.set_float32_matmul_precision("high")
in_reduced = results()

# %%
# The older form first, then the newer one.

torch.set_float32_matmul_precision("highest")
torch.backends.cudnn.allow_tf32 = False
after_older = results()

torch.backends.cuda.matmul.fp32_precision = "ieee"
torch.backends.cudnn.conv.fp32_precision = "ieee"
torch.backends.cudnn.rnn.fp32_precision = "ieee"
after_newer = results()


def same_bits(some, others):
    return [torch.equal(one, other) for one, other in zip(some, others)]


# %%
# The two forms of full FP32 are the same, and none of the three is as it was in TF32.

measured = {
    "eager_in_tf32": error > 10 * full_error,
    "default_after_older": default_after_older,
    "max_autotune_after_older": max_autotune_after_older,
    "default_after_newer": default_after_newer,
    "max_autotune_after_newer": max_autotune_after_newer,
    "older_is_newer": all(same_bits(after_older, after_newer)),
    "older_is_tf32": any(same_bits(after_older, in_reduced)),
}

import json
from statistics import median
def _show(v):
    if isinstance(v, dict) and "samples" in v: return f"{median(v['samples']):.4g} ({min(v['samples']):.4g}-{max(v['samples']):.4g})"
    if isinstance(v, dict): return {k: _show(x) for k, x in v.items()}
    if isinstance(v, list): return [_show(x) for x in v]
    return v if isinstance(v, (int, float, str, bool)) else repr(v)[:1500]
print(json.dumps({"example": "max_autotune_needs_the_older_switch", "seconds": round(time.time() - _begin, 1), "measured": _show(measured)}))
