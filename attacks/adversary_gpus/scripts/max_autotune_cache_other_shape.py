"""Claim the-cache-hides-the-failure: "once it holds a matmul compiled with mode="max-autotune"
after the older switch was set, the mode no longer raises the error after the newer one, and
the matmul runs in TF32" - tested with the very same matmul in the very same process.

Attack: after the cache holds a 64x64 matmul, ask for it (control), for a matmul of another
shape, of another layout, and for the same one in a second process with the same cache folder, and for the same one
with the caches switched off (not counted).

Refuted if a matmul of another shape or layout raises (the cache hides nothing for the mode, only for
that very graph), or if the second process raises.
"""
import os
import subprocess
import sys
import tempfile
import warnings

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
child = len(sys.argv) > 1
os.environ["TORCHINDUCTOR_CACHE_DIR"] = sys.argv[1] if child else tempfile.mkdtemp()
import torch
import torch._inductor.config as config

if hasattr(config.test_configs, "max_mm_configs"):
    config.test_configs.max_mm_configs = 1  # for time: one Triton kernel to choose from
claim = "the-cache-hides-the-failure"
torch.manual_seed(0)
a, b = torch.randn(64, 64, device="cuda"), torch.randn(64, 64, device="cuda")
tall = torch.randn(128, 64, device="cuda")


def trial(name, x, y):
    with warnings.catch_warnings(action="ignore"):
        torch.compiler.reset()
        product = torch.compile(lambda x, y: x @ y, mode="max-autotune")
        try:
            error = (product(x, y) - x.double() @ y.double()).abs().max().item()
            result = f"no error raised, {'TF32' if error > 0.001 else 'FP32'}"
        except RuntimeError as failure:
            if "legacy and new" not in str(failure):
                raise
            result = "raises the error of mixed switches"
    print(f"attack: {claim}: {name}: {result}", flush=True)
    return result


if child:
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    trial("the same matmul in a second process, after the newer switch", a, b)
    sys.exit()
torch.set_float32_matmul_precision("high")
trial("64x64 after the older switch (fills the cache)", a, b)
torch.set_float32_matmul_precision("highest")
torch.backends.cuda.matmul.fp32_precision = "tf32"
same = trial("the same matmul after the newer switch (control)", a, b)
other = trial("128x64 by 64x64 after the newer switch", tall, b)
layout = trial("64x64, right factor transposed, after the newer switch", a, b.T)
second = subprocess.run([sys.executable, "-u", __file__, os.environ["TORCHINDUCTOR_CACHE_DIR"]], capture_output=True, text=True, timeout=15)
print(second.stdout.strip().splitlines()[-1] if second.returncode == 0 else f"second process failed: {second.stderr[-1500:]}", flush=True)
with config.patch(force_disable_caches=True):
    trial("the same matmul after the newer switch, caches off (not counted)", a, b)
reasons = [n for n, r in (("other shape", other), ("other layout", layout), ("second process", second.stdout)) if "raises" in r]
if "raises" in same:
    reasons.append("control: even the same matmul")
word = "REFUTED" if reasons else "NOT REFUTED"
print(f"verdict: {word} {claim}: raised for {reasons}")
