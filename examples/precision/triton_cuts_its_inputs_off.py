"""
Triton cuts its inputs off
==========================

Does compiled code round its inputs to TF32 as cuBLAS does? A Triton kernel does not: the
tensor core reads the first ten bits of the mantissa and ignores the rest.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch
import torch._inductor.config

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before

# %%
# A product with the identity returns what the tensor core took for its input. Max-autotune
# may choose a cuBLAS kernel or a Triton kernel: here, it can only choose Triton. (For a
# smaller product, Triton's kernel may stay in FP32.)

SIZE, STEP = 512, 2.0**-10  # a step between neighbours of ten bits, from 1 to 2

torch._inductor.config.max_autotune_gemm_backends = "TRITON"
identity = torch.eye(SIZE, device="cuda")


def eager(x):
    return x @ identity


def compiled(x):
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        torch.compiler.reset()
        product = torch.compile(lambda x: x @ identity, mode="max-autotune")
        return product(x)


# %%
# Rounding moves numbers up and down by at most half a step. Cutting off moves them down
# only, by up to a whole step.

torch.manual_seed(0)
numbers = 1 + torch.rand(SIZE, SIZE, device="cuda")


def moves(function):
    steps = (function(numbers) - numbers) / STEP
    down, up = ((sign * steps).clamp(min=0).max().item() for sign in (-1, 1))
    print(f"{function.__name__}: at most {down:.3f} steps down, {up:.3f} up")
    return {"down_steps": down, "up_steps": up}


torch.set_float32_matmul_precision("high")
by_way = [{"way": f.__name__} | moves(f) for f in (eager, compiled)]

# %%
# In full FP32, Triton returns the numbers as they are.

torch.set_float32_matmul_precision("highest")
full = moves(compiled)

# %%
# A step is the distance between neighbouring numbers of ten bits.

measured = {
    "by_way": {"table": by_way},
    "exact_in_fp32": full == {"down_steps": 0, "up_steps": 0},
}
