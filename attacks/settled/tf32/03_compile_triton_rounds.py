"""Does a Triton template round its TF32 inputs, or cut them off? And does a setting changed after compiling count?

The page says inputs are rounded, to even. Expect: Triton of 2.11 may truncate (largest change near 1 step, mean -0.5):
then "rounded" holds for cuBLAS and cuDNN only. And: compiled under "high", then "highest": recompiles? error?
"""
import json, os, tempfile, time
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
import torch, torch._inductor.config as ic

def say(**k): print(json.dumps(k, default=str), flush=True)
STEP = 2.0**-10
torch.manual_seed(0)
eye = torch.eye(256, device="cuda"); x = 1 + torch.rand(256, 256, device="cuda")
def f(x): return x @ eye
torch.set_float32_matmul_precision("high")
for backend in ("TRITON", "ATEN"):
    try:
        torch._dynamo.reset(); ic.max_autotune_gemm_backends = backend
        t = time.perf_counter()
        c = torch.compile(f, mode="max-autotune-no-cudagraphs")
        d = (c(x) - x) / STEP
        e = (f(x) - x) / STEP
        p = torch.full((256, 256), 1 + 0.5 * STEP, device="cuda"); q = torch.full((256, 256), 1 + 1.5 * STEP, device="cuda")
        say(backend=backend, s=round(time.perf_counter()-t, 2), largest=d.abs().max().item(), mean=d.mean().item(), eager_largest=e.abs().max().item(), eager_mean=e.mean().item(), ties=[((c(v)[0, 0].item()) - 1) / STEP for v in (p, q)])
        torch.set_float32_matmul_precision("highest")
        say(backend=backend, after_highest_largest=((c(x) - x) / STEP).abs().max().item(), eager=((f(x) - x) / STEP).abs().max().item())
        torch.set_float32_matmul_precision("high")
        say(backend=backend, after_high_again=((c(x) - x) / STEP).abs().max().item())
    except Exception as e:
        say(backend=backend, type=type(e).__name__, text=str(e)[:300])
try:
    torch._dynamo.reset(); ic.max_autotune_gemm_backends = "ATEN,TRITON"
    torch.set_float32_matmul_precision("highest")
    c = torch.compile(f)
    big = (c(x) - x).abs().max().item(); torch.set_float32_matmul_precision("high")
    say(test="default mode: compiled under highest, then high", before=big, after=((c(x) - x) / STEP).abs().max().item())
except Exception as e:
    say(test="default mode", type=type(e).__name__, text=str(e)[:300])
