"""Claim attacked: a replay draws what the same calls would draw without a graph, bit for bit."""
import torch
from torch import nn
F = nn.functional
dev = "cuda"
x = torch.rand(64, 64, device=dev)
q = torch.randn(2, 4, 128, 64, device=dev, dtype=torch.bfloat16)
lstm = nn.LSTM(64, 64, 2, dropout=0.5).cuda()
CASES = {
    "bf16 dropout": lambda: F.dropout(x.bfloat16(), 0.3),
    "odd size": lambda: F.dropout(torch.ones(12345, device=dev), 0.9),
    "large": lambda: torch.rand(2**26 + 3, device=dev),
    "dropout2d": lambda: F.dropout2d(torch.ones(2, 8, 16, 16, device=dev)),
    "alpha_dropout": lambda: F.alpha_dropout(x, 0.5, training=True),
    "randn": lambda: torch.randn(1000, device=dev),
    "randint": lambda: torch.randint(0, 100, (1000,), device=dev),
    "bernoulli": lambda: torch.bernoulli(x),
    "multinomial": lambda: torch.multinomial(x + 0.1, 3),
    "randperm small": lambda: torch.randperm(100, device=dev),
    "randperm large": lambda: torch.randperm(100000, device=dev),
    "exponential": lambda: torch.empty(1000, device=dev).exponential_(),
    "attention": lambda: F.scaled_dot_product_attention(q, q, q, dropout_p=0.5),
    "rrelu": lambda: F.rrelu(x - 0.5, training=True),
    "two in a row": lambda: torch.rand(7, device=dev) + torch.randn(7, device=dev),
    "lstm": lambda: lstm(x)[0],
}
bad = []
for name, draw in CASES.items():
    try:
        draw(); draw()
        torch.cuda.synchronize()
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g):
            y = draw()
        torch.manual_seed(5)
        want = [draw().clone() for _ in range(3)]
        torch.manual_seed(5)
        for w in want:
            g.replay()
            if not torch.equal(y, w):
                bad.append(name); break
    except RuntimeError as e:
        print(name, "cannot be captured:", str(e.__context__ or e).splitlines()[0])
        if "captur" in str(e) and "CUDA error" in str(e):
            print("stopping: the process is spoiled"); break
print("REFUTED: " + ", ".join(bad) if bad else "HOLDS for what was captured")
