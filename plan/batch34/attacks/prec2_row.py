"""Claims: a row's place does not matter; padding keeps its bits (whatever fills the rest); row-wise operators keep them."""
import torch
from torch.nn import functional as F
torch.manual_seed(0); bad = []
for d in (torch.float64, torch.float32, torch.bfloat16, torch.half):
    for K, C in ((1024, 1024), (1000, 1001), (4096, 128), (64, 8192)):
        w = torch.randn(K, C, device="cuda").to(d); row = torch.randn(K, device="cuda").to(d)
        for N in (2, 33, 128, 1000, 4096):
            outs = []
            for place in {0, 1, N // 2, N - 1}:
                for fill in (torch.zeros, torch.randn):
                    x = fill(N, K, device="cuda").to(d); x[place] = row; outs.append((x @ w)[place])
            if not all(torch.equal(outs[0], o) for o in outs): bad.append(("mm", d, K, C, N))
    for name, f in {"layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]), "rms_norm": lambda x: F.rms_norm(x, x.shape[-1:]), "softmax": lambda x: x.softmax(-1), "log_softmax": lambda x: x.log_softmax(-1), "gelu": F.gelu, "exp": torch.exp, "sum": lambda x: x.sum(-1, keepdim=True), "mean": lambda x: x.mean(-1, keepdim=True), "cumsum": lambda x: x.cumsum(-1), "logsumexp": lambda x: x.logsumexp(-1, keepdim=True)}.items():
        for width in (31, 1000, 1024, 50257):
            x = torch.randn(512, width, device="cuda").to(d); whole = f(x)[0]
            if any(not torch.equal(f(x[:n])[0], whole) for n in (1, 2, 3, 16, 100, 511)): bad.append((name, d, width))
for b in bad: print(*b)
print("REFUTED" if any(b[0] in ("mm", "layer_norm", "softmax", "gelu") for b in bad) else "HOLDS")
