"""Claims: FP16 accumulation is not faster on an H200; reaches mm, bmm, linear; not conv, BF16."""
import torch
from torch.nn import functional as F
m = torch.backends.cuda.matmul
def t(f, n=20):
    f(); torch.cuda._sleep(10**6); s, e = (torch.cuda.Event(enable_timing=True) for _ in "ab"); s.record(); [f() for _ in range(n)]; e.record(); torch.cuda.synchronize(); return s.elapsed_time(e) / n
worst = 0
for r, k, c in ((8192, 8192, 8192), (4096, 4096, 4096), (1024, 1024, 1024), (256, 4096, 4096), (16, 4096, 4096), (4095, 4095, 4095), (2048, 65536, 2048)):
    a, b = torch.randn(r, k, device="cuda").half(), torch.randn(k, c, device="cuda").half(); ts = []
    for allowed in (False, True, False, True): m.allow_fp16_accumulation = allowed; ts.append(t(lambda: a @ b))
    ratio = (ts[0] + ts[2]) / (ts[1] + ts[3]); worst = max(worst, ratio); print((r, k, c), f"{ratio:.3f}")
x = torch.rand(256, 512, device="cuda").half(); img = torch.rand(4, 64, 32, 32, device="cuda").half()
for n, f in {"mv": lambda: x @ x[0], "einsum": lambda: torch.einsum("ik,jk->ij", x, x), "conv 1x1": lambda: F.conv2d(img, torch.ones(64, 64, 1, 1, device="cuda").half() / 7), "conv channels last": lambda: F.conv2d(img.to(memory_format=torch.channels_last), torch.ones(64, 64, 3, 3, device="cuda").half() / 7),
             "attention": lambda: F.scaled_dot_product_attention(x.view(1, 1, 256, 512)[..., :64], x.view(1, 1, 256, 512)[..., :64], x.view(1, 1, 256, 512)[..., :64])}.items():
    o = []
    for allowed in (False, True): m.allow_fp16_accumulation = allowed; o.append(f())
    print(n, "changes" if not torch.equal(*o) else "same")
print("REFUTED" if worst > 1.2 else "HOLDS", f"(largest gain {worst:.2f})")
