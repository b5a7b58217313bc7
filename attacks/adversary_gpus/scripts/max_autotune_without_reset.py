"""Claims max-autotune-follows-the-older-switch and the-cache-hides-the-failure: every trial
there called torch.compiler.reset() and compiled anew.

Attack: one compiled function, never reset, called under one switch after another, as in a
program: compiled in full FP32 first, then "high", then "highest", then the newer switch; and
the older allow_tf32 flag in place of set_float32_matmul_precision.

Refuted (follows) if after "high" the function still runs in FP32. Refuted (cache) if after the
newer switch it raises although the cache holds the matmul compiled after the older one.
"""
import os
import tempfile
import warnings

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
import torch
import torch._inductor.config as config

warnings.simplefilter("ignore")
if hasattr(config.test_configs, "max_mm_configs"):
    config.test_configs.max_mm_configs = 1  # for time: one Triton kernel to choose from
torch.manual_seed(0)
x, y = torch.randn(64, 64, device="cuda"), torch.randn(64, 64, device="cuda")
truth = x.double() @ y.double()
product = torch.compile(lambda x, y: x @ y, mode="max-autotune")
claim = "max-autotune-follows-the-older-switch"


def trial(name):
    try:
        result = "TF32" if (product(x, y) - truth).abs().max().item() > 0.001 else "FP32"
    except RuntimeError as failure:
        if "legacy and new" not in str(failure):
            raise
        result = "raises"
    print(f"attack: {claim}: one function, no reset, {name}: {result}", flush=True)
    return result


first = trial("by default")
torch.set_float32_matmul_precision("high")
high = trial("then high")
torch.set_float32_matmul_precision("highest")
back = trial("then highest")
torch.backends.cuda.matmul.allow_tf32 = True
flag = trial("then allow_tf32 = True")
torch.backends.cuda.matmul.allow_tf32 = False
torch.set_float32_matmul_precision("highest")
torch.backends.cuda.matmul.fp32_precision = "tf32"
newer = trial("then the newer switch on tf32")
reasons = []
if (first, high, back, flag) != ("FP32", "TF32", "FP32", "TF32"):
    reasons.append(f"max-autotune-follows-the-older-switch: {first}, {high}, {back}, {flag} after default, high, highest, allow_tf32")
if newer != "TF32":
    reasons.append(f"the-cache-hides-the-failure: {newer} after the newer switch, without reset")
print(f"verdict: {'REFUTED' if reasons else 'NOT REFUTED'} max-autotune-follows-the-older-switch/the-cache-hides-the-failure {'; '.join(reasons)}")
