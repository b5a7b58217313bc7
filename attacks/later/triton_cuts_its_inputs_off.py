"""
Triton cuts its inputs off
==========================

Does compiled code round as cuBLAS does? Not with TF32 in a kernel of Triton: there the
tensor core reads the first ten bits of the mantissa and ignores the others.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240, "expected_warnings": ["`torch.jit"]}
import os
import tempfile

import torch
import torch._inductor.config

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before
torch.set_float32_matmul_precision("high")

# %%
# A product with the identity gives back what the tensor core took for its input.
# Max-autotune may choose a kernel of cuBLAS or of Triton: here it has only the latter.

SIZE, STEP = 64, 2.0**-10  # a step between neighbours of ten bits, from 1 to 2

torch._inductor.config.max_autotune_gemm_backends = "TRITON"
identity = torch.eye(SIZE, device="cuda")
compiled = torch.compile(lambda x: x @ identity, mode="max-autotune")


def eager(x):
    return x @ identity


# %%
# Rounding moves numbers up and down by half a step at most; cutting off moves all of
# them down, by up to a whole one.

torch.manual_seed(0)
numbers = 1 + torch.rand(SIZE, SIZE, device="cuda")


def moves(function):
    steps = (function(numbers) - numbers) / STEP
    return (-steps).clamp(min=0).max().item(), steps.clamp(min=0).max().item()


eager_down, eager_up = moves(eager)
compiled_down, compiled_up = moves(compiled)
print(f"eager: {eager_down:.3f} down, {eager_up:.3f} up, at most")
print(f"compiled: {compiled_down:.3f} down, {compiled_up:.3f} up, at most")

# %%
# Moves are in steps of ten bits.

measured = {
    "eager_down_steps": eager_down,
    "eager_up_steps": eager_up,
    "compiled_down_steps": compiled_down,
    "compiled_up_steps": compiled_up,
}
