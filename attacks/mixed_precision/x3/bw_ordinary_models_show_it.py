"""backward.md: "A model without such a region does not show the mistake" (backward inside the block gives the same bits).
Attack: other models without a region that disables autocast: GELU written with torch.erf, an inverse or a Cholesky factor
of a weight (flows, covariances), nn.Bilinear, LayerNorm, attention, Conv and BatchNorm, GRU, cdist. Some compute in FP32 in forward without a region, and their formulas of backward call matmul or pow.
Refuted if a gradient of such a model differs inside and behind the block, while two runs behind it agree."""
import torch
from torch import nn

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.deterministic = True
torch.manual_seed(0)
x = torch.randn(32, 64, device=dev)
target = torch.arange(32, device=dev) % 10


class Call(nn.Module):
    def __init__(self, call, *parts):
        super().__init__()
        self.parts, self.call = nn.ModuleList(parts), call
        self.weight = nn.Parameter(torch.eye(64) + 0.1 * torch.randn(64, 64))

    def forward(self, x):
        return self.call(self, *self.parts, x)


erf_gelu = lambda m, a, b, x: b((h := a(x)) * 0.5 * (1 + torch.erf(h / 2**0.5)))
MODELS = {
    "linear, GELU, linear": lambda: nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 10)),
    "GELU by erf": lambda: Call(erf_gelu, nn.Linear(64, 64), nn.Linear(64, 10)),
    "LayerNorm": lambda: nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64), nn.Linear(64, 10)),
    "Conv and BatchNorm": lambda: nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10)),
    "attention": lambda: Call(lambda m, a, b, x: b(a(*[x.view(4, 8, 64)] * 3)[0].reshape(32, 64)), nn.MultiheadAttention(64, 4, batch_first=True), nn.Linear(64, 10)),
    "Bilinear": lambda: Call(lambda m, a, b, x: b(a(x, x)), nn.Bilinear(64, 64, 16), nn.Linear(16, 10)),
    "inverse of a weight": lambda: Call(lambda m, a, x: a(x @ torch.linalg.inv(m.weight)), nn.Linear(64, 10)),
    "Cholesky of a weight": lambda: Call(lambda m, a, x: a(x @ torch.linalg.cholesky(m.weight.T.float() * 0.05 + 0.05 * m.weight + torch.eye(64, device=x.device))), nn.Linear(64, 10)),
    "cdist": lambda: Call(lambda m, a, b, x: b(torch.cdist(a(x), m.weight)), nn.Linear(64, 64), nn.Linear(64, 10)),
    "GRU": lambda: Call(lambda m, a, b, x: b(a(x.view(8, 4, 64))[0].reshape(32, 32)), nn.GRU(64, 32), nn.Linear(32, 10)),
}


def gradients(model, inside):
    model.zero_grad()
    with torch.autocast(dev, dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(model(x), target)
        if inside:
            loss.backward()
    if not inside:
        loss.backward()
    return [p.grad.clone() for p in model.parameters() if p.grad is not None]


bad = []
for name, make in MODELS.items():
    model = make().to(dev)
    behind, again, inside = gradients(model, False), gradients(model, False), gradients(model, True)
    stable = all(map(torch.equal, behind, again))
    same = sum(map(torch.equal, behind, inside))
    far = max(((i - b).norm() / b.norm().clamp_min(1e-30)).item() for i, b in zip(inside, behind))
    print(f"{name}: behind the block twice the same bits {stable}; inside {same} of {len(behind)}, at most {far:.1e} away")
    if stable and same < len(behind):
        bad.append(f"{name} ({same} of {len(behind)}, {far:.0e})")
print(f"REFUTED: gradients differ inside the block without a disabled region: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(MODELS)} models")
