"""Claims max-autotune-follows-the-older-switch ('After the older switch is set to "high",
mode="max-autotune" compiles a matmul that runs in TF32') and triton-cuts-tf32-inputs-off
("A Triton kernel cuts off the bits after the tenth"): tested with 64 rows only.

Attack: a matmul with one row, with one column, with one inner element (Inductor may turn them into
a multiplication and a sum, in a Triton kernel without tensor cores); a batched one with 64 rows (control: TF32).

Refuted if one of them runs in full FP32 after "high" although it is a compiled matmul.
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
    config.test_configs.max_mm_configs = 1
claim = "max-autotune-follows-the-older-switch"
torch.manual_seed(0)
torch.set_float32_matmul_precision("high")
R = lambda *shape: torch.randn(*shape, device="cuda")
SHAPES = {"one row": (R(1, 256), R(256, 256)), "64 rows (control)": (R(64, 256), R(256, 256)), "one column": (R(256, 256), R(256, 1)),
          "one inner element": (R(256, 1), R(1, 256))}
found = {}
for name, (x, y) in SHAPES.items():
    truth = x.double() @ y.double()
    torch.compiler.reset()
    compiled = torch.compile(lambda x, y: x @ y, mode="max-autotune")
    size = truth.abs().mean().item()
    error = {w: (f(x, y) - truth).abs().max().item() / size for w, f in (("eager", lambda x, y: x @ y), ("compiled", compiled))}
    found[name] = {w: "TF32" if e > 1e-4 else "FP32" for w, e in error.items()}
    print(f"attack: {claim}: {name}: eager {error['eager']:.2g} ({found[name]['eager']}), compiled {error['compiled']:.2g} ({found[name]['compiled']})", flush=True)
fp32 = [f"{n} (eager {r['eager']})" for n, r in found.items() if r["compiled"] == "FP32"]
print(f"verdict: {'REFUTED' if fp32 else 'NOT REFUTED'} {claim}: compiled matmuls in full FP32: {fp32}")
