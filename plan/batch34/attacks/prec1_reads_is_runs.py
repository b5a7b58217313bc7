"""Attack: what an operator's setting reads is what runs: other operators, shapes, backward, long random mixtures."""
import random, torch
from torch import backends
from torch.backends import cuda, cudnn
from torch.nn import functional as F
torch.manual_seed(0); random.seed(0)
d = dict(device="cuda")
a, b, batch = torch.randn(256, 384, **d), torch.randn(384, 512, **d), torch.randn(8, 128, 128, **d)
x2, w2 = torch.randn(8, 64, 32, 32, **d), torch.randn(64, 64, 3, 3, **d)
x1, w1 = torch.randn(8, 64, 256, **d), torch.randn(64, 64, 3, **d)
lstm, seq = torch.nn.LSTM(256, 256, 2, **d), torch.randn(16, 32, 256, **d)
def gw():
    w = b.clone().requires_grad_(); (g,) = torch.autograd.grad(a @ w, w, torch.ones(256, 512, **d)); return g
def gc():
    w = w2.clone().requires_grad_(); r = F.conv2d(x2, w); (g,) = torch.autograd.grad(r, w, torch.ones_like(r)); return g
OPS = {"mm": ("matmul", lambda: a @ b), "addmm": ("matmul", lambda: torch.addmm(torch.ones(512, **d), a, b, beta=.5)), "bmm": ("matmul", lambda: batch @ batch),
       "einsum": ("matmul", lambda: torch.einsum("bij,bkj->bik", batch, batch)), "mm.T": ("matmul", lambda: b.T @ a.T), "grad mm": ("matmul", gw),
       "conv2d": ("conv", lambda: F.conv2d(x2, w2)), "channels last": ("conv", lambda: F.conv2d(x2.to(memory_format=torch.channels_last), w2)),
       "conv1d": ("conv", lambda: F.conv1d(x1, w1)), "transposed": ("conv", lambda: F.conv_transpose2d(x2, w2)), "grad conv": ("conv", gc), "LSTM": ("rnn", lambda: lstm(seq)[0].detach())}
OWN = {"matmul": cuda.matmul, "conv": cudnn.conv, "rnn": cudnn.rnn}
def all_(word):
    for o in OWN.values(): o.fp32_precision = word
refs = {}
for word in ("ieee", "tf32"):
    all_(word); [f() for _, f in OPS.values()]; refs[word] = {n: f() for n, (_, f) in OPS.items()}
tells = {n: (refs["ieee"][n] - refs["tf32"][n]).abs().max().item() for n in OPS}
STATEMENTS = [f"{p}.fp32_precision = '{w}'" for p in ("backends", "cudnn", "cuda.matmul", "cudnn.conv", "cudnn.rnn") for w in ("none", "ieee", "tf32")]
STATEMENTS += [f"{p}.allow_tf32 = {v}" for p in ("cuda.matmul", "cudnn") for v in (True, False)] + [f"torch.set_float32_matmul_precision('{w}')" for w in ("highest", "high", "medium")]
bad = {}
for _ in range(40):
    for s in random.sample(STATEMENTS, 5): exec(s)
    for n, (kind, f) in OPS.items():
        r, read = f(), OWN[kind].fp32_precision
        e = [(r - refs[w][n]).abs().max().item() for w in ("ieee", "tf32")]
        if tells[n] > 0 and (e[1] < e[0]) != (read == "tf32"): bad[n] = bad.get(n, 0) + 1
print("differ between ieee and tf32 by", {n: f"{t:.1e}" for n, t in tells.items()})
print("REFUTED" if bad else "HOLDS", bad or "in 40 random mixtures", "; shapes that never used TF32:", [n for n, t in tells.items() if t == 0])
