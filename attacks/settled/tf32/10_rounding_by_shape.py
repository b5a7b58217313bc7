"""Rounding of inputs in products and convolutions of many shapes and layouts: always rounded, always ties to even? (E2, B15)

Expect: largest change 0.5 step in all; ties even in all; if a kernel truncates (largest near 1, mean -0.5) or ties away, the page says too much.
"""
import json
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends; STEP = 2.0**-10
torch.manual_seed(0)
b.cuda.matmul.fp32_precision = "tf32"; b.cudnn.conv.fp32_precision = "tf32"
def probe(label, f, shape):
    try:
        x = 1 + torch.rand(shape, device="cuda"); d = (f(x) - x) / STEP
        tie = []
        for v in (0.5, 1.5): tie.append(round((f(torch.full(shape, 1 + v * STEP, device="cuda")).flatten()[0].item() - 1) / STEP, 3))
        n = -(f(torch.full(shape, -(1 + 0.5 * STEP), device="cuda")).flatten()[0].item() + 1) / STEP
        say(test=label, largest=round(d.abs().max().item(), 4), mean=round(d.mean().item(), 5), ties=tie + [n])
    except Exception as e:
        say(test=label, error=str(e)[:150])
for n in (8, 16, 32, 64, 100, 128, 256, 512, 1000, 1023, 1024, 2048, 4096):
    I = torch.eye(n, device="cuda")
    probe(f"x@I {n}", lambda x: x @ I, (n, n)); probe(f"I@x {n}", lambda x: I @ x, (n, n)); probe(f"x.T@I {n}", lambda x: (x.T @ I).T, (n, n))
for m in (1, 2, 4, 8, 16, 64):
    I = torch.eye(1024, device="cuda"); probe(f"{m}x1024 @ I", lambda x: x @ I, (m, 1024))
I = torch.eye(64, device="cuda").expand(128, 64, 64).contiguous(); probe("bmm 128x64", lambda x: torch.bmm(x, I), (128, 64, 64))
for c in (16, 64, 256):
    for cl in (False, True):
        w = torch.eye(c, device="cuda").view(c, c, 1, 1)
        if cl: w = w.to(memory_format=torch.channels_last)
        fmt = torch.channels_last if cl else torch.contiguous_format
        probe(f"conv1x1 c={c} channels_last={cl}", lambda x: torch.conv2d(x.to(memory_format=fmt), w), (8, c, 32, 32))
        w3 = torch.zeros(c, c, 3, 3, device="cuda"); w3[:, :, 1, 1] = torch.eye(c, device="cuda")
        if cl: w3 = w3.to(memory_format=torch.channels_last)
        probe(f"conv3x3 c={c} channels_last={cl}", lambda x: torch.conv2d(x.to(memory_format=fmt), w3, padding=1), (8, c, 32, 32))
w = torch.zeros(64, 64, 3, device="cuda"); w[:, :, 1] = torch.eye(64, device="cuda"); probe("conv1d", lambda x: torch.conv1d(x, w, padding=1), (8, 64, 1024))
w5 = torch.zeros(32, 32, 3, 3, 3, device="cuda"); w5[:, :, 1, 1, 1] = torch.eye(32, device="cuda"); probe("conv3d", lambda x: torch.conv3d(x, w5, padding=1), (2, 32, 16, 32, 32))
