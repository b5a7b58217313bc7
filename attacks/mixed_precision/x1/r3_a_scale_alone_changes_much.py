"""
Page: save_resume.md.
Sentence: "The runs differ because steps are lost: a scale that fits changes little by itself, since a
division by a power of two is exact unless it loses bits near zero."
Attack: gradients of one FP16 step at every power of two that fits (all gradients finite), against those
at the largest one that fits: bits that differ, and the relative distance per parameter, for an MLP with
a mean over many outputs, a transformer block, a conv net; then two runs of 60 steps which skip none, at
two scales that both fit, against how far two seeds of the data's order are apart.
Refuted if at a scale that fits, in the range which a scaler of the page visits (2**4 .. 2**16), a
parameter's gradient differs by more than 10 %.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
big = device == "cuda"


def mlp():
    n = 2**19 if big else 2**13
    return nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)), torch.randn(n, 2)


def block():
    return nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True), torch.randn(32 if big else 4, 64, 64)


def conv():
    return nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.Conv2d(16, 4, 3)), torch.randn(16 if big else 2, 3, 64, 64)


def deep():
    layers = [layer for _ in range(12) for layer in (nn.Linear(64, 64), nn.Tanh())]
    return nn.Sequential(*layers), torch.randn(4096 if big else 512, 64)


def gradients(model, x, wanted, scale):
    model.zero_grad()
    with torch.autocast(device, torch.float16):
        loss = nn.functional.mse_loss(model(x), wanted)
    (loss * scale).backward()
    return [p.grad / scale for p in model.parameters()]


worst = {}
for make in (mlp, block, conv, deep):
    torch.manual_seed(0)
    model, x = make()
    model, x = model.to(device), x.to(device)
    with torch.no_grad():
        wanted = torch.randn_like(model(x))
    found = {}
    for exponent in range(4, 17, 2):
        grads = gradients(model, x, wanted, 2.0**exponent)
        if all(g.isfinite().all() for g in grads):
            found[exponent] = grads
    top = max(found)
    for exponent, grads in found.items():
        far = max(((a - b).norm() / b.norm().clamp(min=1e-30)).item() for a, b in zip(grads, found[top]))
        bits = sum((a != b).sum().item() for a, b in zip(grads, found[top])) / sum(a.numel() for a in grads)
        print(f"{make.__name__}: 2**{exponent} against 2**{top}: bits differ in {bits:.0%}, worst parameter {far:.2%}")
        worst[make.__name__, exponent] = far
over = {f"{name} at 2**{e}": f"{far:.0%}" for (name, e), far in worst.items() if far > 0.1}
if over:
    print(f"REFUTED: scales that fit (all gradients finite) gave other gradients, from 2**4 on: {over}")
else:
    print(f"NOT REFUTED: four models, 2**4 to 2**16, at most {max(worst.values()):.2%} apart")
