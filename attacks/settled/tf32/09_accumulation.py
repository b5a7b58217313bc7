"""How exact are TF32's sums when partial sums don't fit? Inputs already of ten bits, so only the adding errs. (B15, U12)

Expect: TF32's error on such inputs is a few times FP32's (truncated alignment, biased low on positive sums), far below that of rounding inputs.
Refutes "add up in FP32" if the error is tens of times that of FP32. Bias: mean signed error in ulps by K, positive and mixed signs.
"""
import json
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0)
def ten(x):
    i = x.view(torch.int32); return ((i + 0xFFF + ((i >> 13) & 1)) & ~0x1FFF).view(torch.float32)
for kind in ("positive", "normal"):
    for K in (16, 64, 256, 1024, 4096, 16384):
        x = torch.rand(1024, K, device="cuda") if kind == "positive" else torch.randn(1024, K, device="cuda")
        y = torch.rand(K, 1024, device="cuda") if kind == "positive" else torch.randn(K, 1024, device="cuda")
        xr, yr = ten(x), ten(y)
        truth = xr.double() @ yr.double(); scale = (xr.abs().double() @ yr.abs().double())
        row = {}
        for p in ("ieee", "tf32"):
            b.cuda.matmul.fp32_precision = p
            e = (xr @ yr).double() - truth
            row[p] = {"max": e.abs().max().item(), "rms": e.pow(2).mean().sqrt().item(), "mean": e.mean().item(), "rel_mean": (e / truth).mean().item() if kind == "positive" else None}
        e = (x @ y).double() - x.double() @ y.double()
        say(kind=kind, K=K, full=row, ratio_max=row["tf32"]["max"] / max(row["ieee"]["max"], 1e-30), ratio_rms=row["tf32"]["rms"] / max(row["ieee"]["rms"], 1e-30), unrounded_inputs_max=e.abs().max().item(), unrounded_inputs_rms=e.pow(2).mean().sqrt().item())
# which bits survive beside a 1: 1 + K small
for bits in (11, 20, 21, 22, 23, 24, 25, 26):
    x = torch.zeros(128, 4096, device="cuda"); x[:, 0] = 1; x[:, 1:] = 2.0**-bits
    one = torch.ones(4096, 128, device="cuda"); got = {}
    for p in ("ieee", "tf32"):
        b.cuda.matmul.fp32_precision = p; got[p] = (x @ one)[0, 0].item()
    say(bits=bits, exact=1 + 4095 * 2.0**-bits, **got)
# fewer terms: one large, 7 small in one instruction, at the other end too
for bits in (22, 23, 24, 25, 26):
    for first in (True, False):
        x = torch.zeros(128, 128, device="cuda"); x[:, 0 if first else 127] = 1; x[:, 1:8] = 2.0**-bits
        one = torch.ones(128, 128, device="cuda"); got = {}
        for p in ("ieee", "tf32"):
            b.cuda.matmul.fp32_precision = p; got[p] = (x @ one)[0, 0].item() - 1
        say(bits=bits, first=first, exact=7 * 2.0**-bits, **got)
