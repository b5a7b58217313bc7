"""
A fused kernel rounds once
==========================

Why does ``torch.compile`` change a result in 16 bits? Each operator of eager mode rounds. A fused
kernel keeps FP32 in between and rounds once, unless one variable makes it round like eager mode.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
x, y = torch.randn(2, 2**20, device=device).bfloat16()


def chain(x, y):
    return (x * y + x) * y - x


exact = chain(x.double(), y.double())
results = {"eager": chain(x, y), "compiled": torch.compile(chain)(x, y)}
for name, result in results.items():
    print(f"{name}: error {(result - exact).norm() / exact.norm():.2%}")
print(f"{(results['eager'] != results['compiled']).float().mean():.0%} differ")

# %%
# The variable is read when the compiler is loaded, so each case is a program of its own. It
# compares results and gradients with each other and with FP64, from the same numbers in 16 bits.

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PROGRAM = """
import json, sys, warnings
import torch
from torch.nn import functional as F

warnings.simplefilter("ignore")  # the compiler's own
device, dtype = sys.argv[1], getattr(torch, sys.argv[2])
CASES = {
    "one product": lambda x, y: x * y,
    "a chain": lambda x, y: (x * y + x) * y - x,
    "SiLU and a gate": lambda x, y: F.silu(x) * y + x,
    "softmax of a product": lambda x, y: (x * y).softmax(-1),
    "layer norm of a sum": lambda x, y: F.layer_norm(x + y, x.shape[-1:]),
    "sum of a chain": lambda x, y: (x * y + x).sum(-1),
    "matmul, then GELU and a gate": lambda x, y, w: F.gelu(x @ w) * y,
}

def results(function, inputs, upstream):
    leaves = [one.clone().requires_grad_() for one in inputs]
    output = function(*leaves)
    gradients = torch.autograd.grad(output, leaves, upstream.to(output.dtype))
    return output.detach().flatten(), torch.cat([g.flatten() for g in gradients])

def compare(name, function, rows, columns):
    torch.manual_seed(0)
    shapes = [(rows, columns), (rows, columns), (columns, columns)]
    used = shapes[: function.__code__.co_argcount]
    inputs = [torch.randn(shape).to(device, dtype) for shape in used]
    upstream = torch.randn(function(*inputs).shape).to(device, dtype)
    torch.compiler.reset()
    compiled = results(torch.compile(function, dynamic=False), inputs, upstream)
    eager = results(function, inputs, upstream)
    exact = results(function, [one.double() for one in inputs], upstream)
    for end, c, e, x in zip(("", ", backward"), compiled, eager, exact):
        errors = [((one - x).norm() / x.norm()).item() for one in (e, c)]
        differ = (c != e).double().mean().item()
        found[name + end] = {"differ": differ, "eager": errors[0], "compiled": errors[1]}

found = {}
for name, function in CASES.items():
    compare(name, function, 256, 512)
for rows in (1, 4096):
    compare(f"a chain, {rows} rows of 1000", CASES["a chain"], rows, 1000)
print(json.dumps(found))
"""


def run(dtype, emulated):
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    environment["TORCHINDUCTOR_EMULATE_PRECISION_CASTS"] = emulated
    command = [sys.executable, "-c", PROGRAM, device.type, dtype]
    with tempfile.TemporaryDirectory() as folder:  # nothing compiled before
        environment["TORCHINDUCTOR_CACHE_DIR"] = folder
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


# %%
# Errors are shares of the exact size; a ratio compares compiled code with eager mode.

kinds = [(dtype, flag) for dtype in ("bfloat16", "float16") for flag in "01"]
with ThreadPoolExecutor(len(kinds)) as pool:
    found = dict(zip(kinds, pool.map(lambda kind: run(*kind), kinds)))


def table_of(dtype):
    emulated, rows = found[dtype, "1"], []
    for case, one in found[dtype, "0"].items():
        other = emulated[case]
        row = {"case": case, "differ_share": one["differ"]}
        row["eager_error_share"] = one["eager"]
        row["error_ratio"] = one["compiled"] / one["eager"]
        row["emulated_differ_share"] = other["differ"]
        row["emulated_ratio"] = other["compiled"] / other["eager"]
        rows.append(row)
        print(dtype, row)
    return {"table": rows}


measured = {"bf16": table_of("bfloat16"), "fp16": table_of("float16")}
