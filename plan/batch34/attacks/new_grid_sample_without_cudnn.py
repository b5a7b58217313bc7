"""Claim grid-sample-may-vary-in-deterministic-mode: with align_corners=True the backward pass runs in deterministic mode and varies.

REFUTED: with cuDNN a bilinear call with zero padding raises or repeats in all runs; or without
cuDNN it runs and varies in silence (then cuDNN is not the cause). Other modes are reported beside.
"""
import torch, torch.nn.functional as F
d = "cuda" if torch.cuda.is_available() else "cpu"
torch.use_deterministic_algorithms(True)
def runs(dims=4, dtype=torch.float32, channels=4, n=20, **how):
    torch.manual_seed(0); size = (64,) * (dims - 2) if dims == 4 else (16,) * 3
    x = torch.randn(2, channels, *size, device=d).to(dtype).requires_grad_()
    out = (512, 512) if dims == 4 else (32, 32, 32)
    grid = (torch.rand(2, *out, dims - 2, device=d) * 2 - 1).to(dtype)
    how = {"align_corners": True} | how; first, others = None, 0
    for _ in range(n):
        try: (g,) = torch.autograd.grad(F.grid_sample(x, grid, **how).sum(), x)
        except RuntimeError as e: return "raises " + str(e).split(" ")[0][:40]
        if first is None: first = g
        else: others += not torch.equal(first, g)
    return others
found, bad = {}, []
for cudnn in (True, False):
    torch.backends.cudnn.enabled = cudnn; w = "with cuDNN" if cudnn else "without cuDNN"
    for name, how in {"fp32": {}, "fp16": {"dtype": torch.half}, "fp64": {"dtype": torch.double, "n": 8}, "one channel": {"channels": 1}}.items():
        r = found[f"{w}: {name}"] = runs(**how)
        if cudnn and r == 0 and name == "fp32": bad.append(f"{w}, {name}: repeats")
        if cudnn and isinstance(r, str) and name == "fp32": bad.append(f"{w}, {name}: {r}")
        if not cudnn and isinstance(r, int) and r: bad.append(f"{w}, {name}: varies in silence ({r} of 19)")
torch.backends.cudnn.enabled = True
for name, how in {"nearest": {"mode": "nearest"}, "bicubic": {"mode": "bicubic"}, "border": {"padding_mode": "border"}, "reflection": {"padding_mode": "reflection"}, "five dimensions": {"dims": 5}, "1025 channels": {"channels": 1025, "n": 3}, "not aligned": {"align_corners": False}, "cudnn.deterministic": {}}.items():
    if name == "cudnn.deterministic": torch.backends.cudnn.deterministic = True
    found[name] = runs(**{"n": 6, **how})
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} runs that differ of 19 (or of n - 1): {found}")
