"""
Page: inference.md.
Sentence: "under `no_grad`, autocast needs 50 % of the FP32 weights' memory on top of them, also with a
block for each call. In inference mode, each copy is dropped after its layer, and the peak is 6 %."
Attack: models whose weights lie elsewhere: an embedding (not cast: hardly anything on top), one layer
that dominates (an output layer of a small language model: in inference mode nearly as much as with the
cache), tied weights (w.T: not kept), an LSTM, convolutions; the allocator's reserved memory too; a
model that has been frozen by requires_grad_(False).
Refuted if under no_grad a model needs less than 40 % (or more than 60 %), or in inference mode one
needs more than 25 %, of its FP32 weights.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
if device == "cpu":
    raise SystemExit("needs a GPU: memory is measured")
BF16 = torch.bfloat16


class Language(nn.Module):
    def __init__(self, tied, vocabulary=100_000, width=512):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.inner = nn.Sequential(*(nn.Linear(width, width) for _ in range(4)))
        self.head = None if tied else nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.inner(self.embedding(tokens))
        return x @ self.embedding.weight.t() if self.head is None else self.head(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(2048, 2048, num_layers=4)

    def forward(self, x):
        return self.inner(x)[0]


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(200_000, 512), nn.Linear(512, 64)

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


tokens = torch.randint(1000, (1, 4), device=device)
MODELS = {
    "eight equal layers (the page's)": (lambda: nn.Sequential(*(nn.Linear(1024, 1024) for _ in range(8))), torch.randn(16, 1024, device=device)),
    "an embedding and a small layer": (Lookup, tokens),
    "small language model": (lambda: Language(False), tokens),
    "tied language model": (lambda: Language(True), tokens),
    "one layer": (lambda: nn.Linear(8192, 8192), torch.randn(1, 8192, device=device)),
    "LSTM": (Recurrent, torch.randn(2, 1, 2048, device=device)),
    "convolutions": (lambda: nn.Sequential(*(nn.Conv2d(1024, 1024, 3, padding=1) for _ in range(4))), torch.randn(1, 1024, 4, 4, device=device)),
}


def share(model, x, mode, each):
    """The peak under autocast, less that of the same calls in FP32, as a share of the weights."""
    plain = raw(model, x, mode, False, False)
    return raw(model, x, mode, each, True) - plain


def raw(model, x, mode, each, enabled):
    weights = sum(p.nbytes for p in model.parameters())
    shares = []
    for _ in range(2):  # the first run loads what stays
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        with mode():
            if each:
                for _ in range(3):
                    with torch.autocast(device, BF16, enabled=enabled):
                        model(x)
            else:
                with torch.autocast(device, BF16, enabled=enabled):
                    for _ in range(3):
                        model(x)
        torch.cuda.synchronize()
        shares.append((torch.cuda.max_memory_allocated() - before) / weights)
    return shares[-1]


odd = []
for name, (make, x) in MODELS.items():
    with torch.device(device):
        model = make().to(device).eval()
    one, each = share(model, x, torch.no_grad, False), share(model, x, torch.no_grad, True)
    inference = share(model, x, torch.inference_mode, False)
    print(f"{name}: no_grad, one block {one:.0%}, a block for each call {each:.0%}; inference mode {inference:.0%}")
    if name.startswith("eight") and not 0.4 <= one <= 0.6:
        raise SystemExit("control failed: the page's own model")
    if not 0.4 <= one <= 0.6 or not 0.4 <= each <= 0.6:
        odd.append(f"{name}: {one:.0%} under no_grad")
    if inference > 0.25:
        odd.append(f"{name}: {inference:.0%} in inference mode")
    del model
    torch.cuda.empty_cache()
if odd:
    print(f"REFUTED: shares of the FP32 weights depend on the model: {odd}")
else:
    print("NOT REFUTED: seven models between 40 and 60 %, and at most 25 % in inference mode")
