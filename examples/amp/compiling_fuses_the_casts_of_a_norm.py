"""
Compiling fuses the casts of a norm
===================================

What does ``torch.compile`` change for a norm under autocast? Not the types: LayerNorm still returns
FP32. But its casts become a part of its kernel, so that a norm in its input's type gains little.
"""

# sphinx_gallery_evidence = {"processes": 6, "timeout": 240, "expected_warnings": [".*deprecated"]}
import time
import warnings

import torch
from torch import nn
from torch.nn.functional import layer_norm, rms_norm

# %%
# The types that norms with FP32 weights return, in eager mode and compiled.

NORMS = {
    "LayerNorm": nn.LayerNorm(32),
    "GroupNorm": nn.GroupNorm(4, 16),
    "RMSNorm": nn.RMSNorm(32),
    "BatchNorm2d": nn.BatchNorm2d(16),
    "InstanceNorm2d": nn.InstanceNorm2d(16, affine=True),
}
for norm in NORMS.values():
    norm.cuda()
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}
SAYS = {torch.float32: "FP32", torch.float16: "FP16", torch.bfloat16: "BF16"}


def normed(images, dtype):
    with torch.autocast("cuda", dtype):
        return [norm(images) for norm in NORMS.values()]


types = [{"norm": name} for name in NORMS]
for label, dtype in TYPES.items():
    images = torch.randn(8, 16, 32, 32, device="cuda", dtype=dtype)
    forms = {"eager": normed, "compiled": torch.compile(normed, dynamic=False)}
    for form, function in forms.items():
        with warnings.catch_warnings(action="ignore"):  # the compiler's own
            results = function(images, dtype)
        for row, result in zip(types, results):
            row[f"{label}_{form}"] = SAYS[result.dtype]
print(*types, sep="\n")

# %%
# Calls take turns, and the host waits before and after some of them. The first rounds do not count.

ROUNDS, WARM = 6, 2


def rounds_of(functions, calls, *given):
    rounds = []
    with warnings.catch_warnings(action="ignore"):  # RMSNorm warns of mixed types
        for _ in range(WARM + ROUNDS):
            rounds.append({})
            for name, function in functions.items():
                torch.cuda.synchronize()
                begin = time.perf_counter()
                for _ in range(calls):
                    function(*given)
                torch.cuda.synchronize()
                rounds[-1][name] = (time.perf_counter() - begin) / calls
    return rounds[WARM:]


def ratio(rounds, slow, fast):
    return {"samples": [each[slow] / each[fast] for each in rounds]}


# %%
# A norm forward and backward, as it is under autocast, and in its input's type.

x = torch.randn(65536, 2048, dtype=torch.bfloat16, device="cuda", requires_grad=True)
weight, bias = (torch.rand(2048, device="cuda", requires_grad=True) for _ in range(2))
slopes = torch.randn_like(x)


def usual(x, weight, bias, rms):
    with torch.autocast("cuda", torch.bfloat16):
        y = (
            rms_norm(x, (2048,), weight)
            if rms
            else layer_norm(x, (2048,), weight, bias)
        )
    return y.bfloat16()


def fitting(x, weight, bias, rms):
    weight, bias = weight.bfloat16(), bias.bfloat16()
    return rms_norm(x, (2048,), weight) if rms else layer_norm(x, (2048,), weight, bias)


def step_of(function, rms):
    def step():
        torch.autograd.grad(function(x, weight, bias, rms), (x, weight), slopes)

    return step


by_norm = []
for name, rms in {"LayerNorm": False, "RMSNorm": True}.items():
    forms = {"usual": usual, "fitting": fitting}
    steps = {form: step_of(function, rms) for form, function in forms.items()}
    for form, function in forms.items():
        steps[f"compiled {form}"] = step_of(torch.compile(function, dynamic=False), rms)
    rounds = rounds_of(steps, 5)
    row = {"norm": name, "eager_speedup": ratio(rounds, "usual", "fitting")}
    row["compiled_speedup"] = ratio(rounds, "compiled usual", "compiled fitting")
    row["gain_of_compiling"] = ratio(rounds, "usual", "compiled usual")
    by_norm.append(row)
    print(name, rounds[-1])

# %%
# A speedup is the time as it is under autocast, by that of a norm in its input's type.

measured = {"by_type": {"table": types}, "by_norm": {"table": by_norm}}
