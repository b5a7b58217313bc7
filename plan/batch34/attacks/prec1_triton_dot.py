"""Attack: no setting of PyTorch reaches tl.dot: all of them, and the environment variables set late."""
import os, torch, triton, triton.language as tl
from torch.backends import cuda, cudnn
@triton.jit
def k(a, b, c):
    at = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))
torch.manual_seed(0); a, b = torch.randn(2, 64, 64, device="cuda"); t = a.double() @ b.double(); errors = []
def run(): c = torch.empty_like(a); k[(1,)](a, b, c); errors.append((c - t).abs().max().item())
run()
for s in ("torch.backends.fp32_precision = 'ieee'", "cuda.matmul.fp32_precision = 'ieee'", "cudnn.fp32_precision = 'ieee'", "os.environ.update(NVIDIA_TF32_OVERRIDE='0')", "torch.use_deterministic_algorithms(True)"):
    exec(s); run()
print(errors); print("HOLDS" if min(errors) > 1e-3 else "REFUTED")
print("TRITON_F32_DEFAULT=ieee set late:"); os.environ["TRITON_F32_DEFAULT"] = "ieee"; k.device_caches.clear() if hasattr(k, "device_caches") else None; run(); print(errors[-1])
