"""
Max-autotune and the two switches
=================================

Which switch turns TF32 on in compiled code too? In the default mode of ``torch.compile``,
both do. With ``mode="max-autotune"``, the newer one raises an error up to PyTorch 2.14, where
Inductor reads the older one; once the cache holds the compiled code, that error does not appear.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240}
# sphinx_gallery_quiet = "nothing"
import torch

torch.set_float32_matmul_precision("high")  # FP32 matrix products run in TF32

a, b = torch.randn(2, 1024, 1024, device="cuda")
error = (a @ b - a.double() @ b.double()).abs().max().item()
print(f"{torch.get_float32_matmul_precision()}: largest error {error:.2g}")

# %%
# In full FP32, the same product errs far less.

torch.set_float32_matmul_precision("highest")
full_error = (a @ b - a.double() @ b.double()).abs().max().item()
print(f"{torch.get_float32_matmul_precision()}: largest error {full_error:.2g}")

# %%
# Each trial compiles a product again, and the cache starts empty. The error of the product
# shows whether it runs in TF32. (As a Triton kernel, a smaller one may stay in FP32.) The
# compiler's own deprecation warnings are ignored.

import os
import tempfile
import warnings

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
x, y = a[:512, :512].contiguous(), b[:512, :512].contiguous()
truth = x.double() @ y.double()


def in_tf32(mode):
    with warnings.catch_warnings(action="ignore"):
        torch.compiler.reset()
        product = torch.compile(lambda x, y: x @ y, mode=mode)
        try:
            return (product(x, y) - truth).abs().max().item() > 0.001
        except RuntimeError as failure:
            first = str(failure).splitlines()[0]  # the others are Inductor's state
            return RuntimeError(f"{type(failure).__name__}: {first}")


# %%
# After the newer switch, the default mode compiles the product, and so does max-autotune, which
# raises up to PyTorch 2.14.

torch.backends.cuda.matmul.fp32_precision = "tf32"
default_after_newer, failure = in_tf32("default"), in_tf32("max-autotune")
torch.backends.cuda.matmul.fp32_precision = "none"
print(f"after the newer switch: {default_after_newer}, {failure!r:.88}")

# %%
# After the older switch, both modes compile the product in TF32.

torch.set_float32_matmul_precision("high")
default_after_older, max_autotune_after_older = map(
    in_tf32, ("default", "max-autotune")
)
torch.set_float32_matmul_precision("highest")
print(f"after the older switch: {default_after_older}, {max_autotune_after_older}")

# %%
# Now the cache holds what max-autotune compiled, and the newer switch never raises an error.

torch.backends.cuda.matmul.fp32_precision = "tf32"
cached_after_newer = in_tf32("max-autotune")
torch.backends.cuda.matmul.fp32_precision = "none"
print(f"from the cache, after the newer switch: {cached_after_newer}")

# %%
# Full FP32 also takes a flag for cuDNN, which runs convolutions and recurrent layers.

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

torch.backends.cudnn.allow_tf32 = False
torch.set_float32_matmul_precision("highest")
after_older = results()

torch.backends.cuda.matmul.fp32_precision = "ieee"
torch.backends.cudnn.conv.fp32_precision = "ieee"
torch.backends.cudnn.rnn.fp32_precision = "ieee"
after_newer = results()

# %%
# The two forms of full FP32 are the same, and none of the three is as it was in TF32.

measured = {
    "eager_in_tf32": error > 10 * full_error,
    "default_after_newer": default_after_newer,
    "max_autotune_after_newer": failure,
    "default_after_older": default_after_older,
    "max_autotune_after_older": max_autotune_after_older,
    "cached_after_newer": cached_after_newer,
    "older_is_newer": all(map(torch.equal, after_older, after_newer)),
    "older_is_tf32": any(map(torch.equal, after_older, in_reduced)),
}
