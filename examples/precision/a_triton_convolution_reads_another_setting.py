"""
A Triton convolution reads another setting
==========================================

Which setting do compiled convolutions follow? Those that stay in cuDNN follow the one for
convolutions. Those for which ``max-autotune`` generates a Triton kernel follow the wider one,
cuDNN's: by default they are in full FP32, and the setting for convolutions does not count.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 300, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch
from torch.backends import cuda, cudnn

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before

# %%
# The kernel of this convolution is an identity: its result shows how many bits of mantissa of
# the image it kept. (A kernel of one pixel would be compiled to a matmul.)

CHANNELS, SIZE = 64, 32
numbers = torch.ones(SIZE, device="cuda")
numbers[:23] += 0.5 ** torch.arange(1, 24, device="cuda")  # one bit each, of FP32's 23
image = torch.ones(8, CHANNELS, SIZE, SIZE, device="cuda") * numbers
kernel = torch.zeros(CHANNELS, CHANNELS, 3, 3, device="cuda")
kernel[:, :, 1, 1] = torch.eye(CHANNELS, device="cuda")


def convolve(x, weight):
    return torch.conv2d(x, weight, padding=1)


TO_TRITON = {"max_autotune": True, "max_autotune_conv_backends": "TRITON"}
MODES = {"eager": None, "compiled": {}, "compiled_to_triton": TO_TRITON}


def bits_kept(mode):
    torch.compiler.reset()
    options = MODES[mode]
    function = convolve
    if options is not None:
        function = torch.compile(convolve, options=options)
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        kept = function(image, kernel) == numbers
    return kept.all((0, 1, 2))[:23].sum().item()


# %%
# First the defaults; then full FP32 for convolutions, and TF32 for what has no setting of its
# own. The matmul's own setting is full FP32 both times. The cache is empty each time.

cuda.matmul.fp32_precision = "ieee"
rows = []
for setting, own, wide in (("default", "tf32", "none"), ("crossed", "ieee", "tf32")):
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
    cudnn.conv.fp32_precision, cudnn.fp32_precision = own, wide
    rows.append({"setting": setting} | {mode: bits_kept(mode) for mode in MODES})
    print(rows[-1])

# %%
# The cache does not tell cuDNN's settings apart: after "none", it still gives what was compiled
# for "tf32".

cudnn.fp32_precision = "none"
from_cache = bits_kept("compiled_to_triton")
print(f"back to full FP32, from the cache: {from_cache} bits")
cudnn.conv.fp32_precision = "tf32"
cuda.matmul.fp32_precision = "none"

# %%
# Eager convolutions follow their own setting.

measured = {"by_setting": {"table": rows}, "from_cache_bits": from_cache}
