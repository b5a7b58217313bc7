"""
Page: frozen_weights.md.
Sentence: "If one block surrounds the whole loop, each forward pass uses the 16-bit weights of the first
one, and the loss does not fall." (and "Layers that it leaves in FP32 learn in one block, too").
Attack: operators that autocast does cast to 16 bits, but perhaps not through the cache of leaves: LSTM,
GRU, RNN, LSTM cells, a tied embedding (h @ weight.T: a view), weight_norm and a parametrization (no leaf),
convolutions, transposed ones, Bilinear, attention, PReLU. In one block, each parameter is changed in place between two forward
passes; and a whole training in one block, with the tied output layer and with an LSTM.
Refuted if a parameter that is cast to 16 bits is seen, and a training in one block falls below 0.8 of its first loss
with only such parameters trained.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
BF16 = torch.bfloat16
F = nn.functional


class Tied(nn.Module):
    """Only the output layer of tied weights: a product with a transposed parameter."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(64, 32) * 0.2)

    def forward(self, x):
        return x @ self.weight.t()


class First(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)[0]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.MultiheadAttention(32, 4, batch_first=True)

    def forward(self, x):
        return self.inner(x, x, x)[0]


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Bilinear(32, 32, 16)

    def forward(self, x):
        return self.inner(x, x)


sequence, image, rows = (8, 10, 32), (4, 3, 16, 16), (64, 32)
KINDS = {
    "Linear": (lambda: nn.Linear(32, 64), rows),
    "Conv2d": (lambda: nn.Conv2d(3, 8, 3), image),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(3, 8, 3), image),
    "Bilinear": (Two, rows),
    "MultiheadAttention": (Attention, sequence),
    "LSTM": (lambda: First(nn.LSTM(32, 32, batch_first=True)), sequence),
    "GRU": (lambda: First(nn.GRU(32, 32, batch_first=True)), sequence),
    "RNN": (lambda: First(nn.RNN(32, 32, batch_first=True)), sequence),
    "LSTMCell": (lambda: First(nn.LSTMCell(32, 32)), rows),
    "tied, x @ w.T": (Tied, rows),
    "weight_norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(32, 64)), rows),
    "spectral_norm": (lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(32, 64)).eval(), rows),
    "PReLU": (lambda: nn.PReLU(), rows),
}
seen_kinds = {}
for name, (make, shape) in KINDS.items():
    torch.manual_seed(0)
    try:
        model = make().to(device)
        x = torch.randn(shape, device=device)
        seen = []
        for parameter in model.parameters():
            with torch.autocast(device, BF16):
                before = model(x)
                parameter.detach().mul_(1.5).add_(0.1)
                seen.append(not torch.equal(before, model(x)))
        print(f"{name}: result {before.dtype}, {sum(seen)} of {len(seen)} changed parameters seen")
        seen_kinds[name] = (sum(seen), len(seen), before.dtype == BF16)
    except RuntimeError as error:
        print(name, "not available:", str(error).splitlines()[0][:90])
cast_and_seen = [k for k, (n, of, low) in seen_kinds.items() if n == of and low]


def trained(make, shape):
    torch.manual_seed(0)
    model = make().to(device)
    x = torch.randn(shape, device=device)
    with torch.no_grad():
        wanted = torch.randn_like(model(x).float()) * 0.3
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    with torch.autocast(device, BF16):
        for _ in range(60):
            loss = F.mse_loss(model(x), wanted)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    return losses[-1] / losses[0]


ratios = {}
for name in ("Linear", "tied, x @ w.T", "LSTM", "GRU", "weight_norm"):
    try:
        ratios[name] = trained(*KINDS[name])
    except RuntimeError as error:
        print(name, "training failed:", str(error).splitlines()[0][:90])
print("last loss / first loss of 60 steps in one block:", ratios)
learned = [k for k in cast_and_seen if ratios.get(k, 1) < 0.8]
if learned and ratios["Linear"] > 0.99:
    print(f"REFUTED: cast to 16 bits and yet seen: {cast_and_seen}; in one block these learn: { {k: round(ratios[k], 3) for k in learned} } (Linear: {ratios['Linear']:.3f})")
else:
    print(f"NOT REFUTED: {len(seen_kinds)} kinds of layers; seen although cast: {cast_and_seen}; trained: {ratios}")
