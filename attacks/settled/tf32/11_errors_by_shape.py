"""How stable are the page's factors over sizes? TF32 over FP32 error of products by K, and of convolutions by shape; the plain error of 10240. (bold sentences)

Expect: product 50 to 250, convolution 100 to 400. If a common shape lies far outside, the sentence needs its shape.
"""
import json
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0)
for K in (16, 64, 256, 1024, 4096, 16384):
    x, y = torch.randn(1024, K, device="cuda"), torch.randn(K, 1024, device="cuda"); t = x.double() @ y.double(); e = {}
    for p in ("ieee", "tf32"):
        b.cuda.matmul.fp32_precision = p; d = (x @ y) - t; e[p] = (d.abs().max().item(), d.pow(2).mean().sqrt().item())
    say(K=K, max_ratio=round(e["tf32"][0] / e["ieee"][0], 1), rms_ratio=round(e["tf32"][1] / e["ieee"][1], 1), tf32_rms_share=e["tf32"][1] / K**0.5)
for c, s, k, cl in ((16, 64, 3, False), (64, 32, 3, False), (64, 32, 3, True), (256, 16, 3, False), (256, 32, 1, False), (512, 8, 3, False), (3, 224, 7, False), (64, 32, 5, False)):
    x = torch.randn(8, c, s, s, device="cuda"); w = torch.randn(64, c, k, k, device="cuda")
    if cl: x, w = (v.to(memory_format=torch.channels_last) for v in (x, w))
    t = torch.conv2d(x.double(), w.double()); e = {}
    for p in ("ieee", "tf32"):
        b.cudnn.conv.fp32_precision = p; d = torch.conv2d(x, w) - t; e[p] = d.abs().max().item()
    say(conv=[c, s, k, cl], ratio=round(e["tf32"] / e["ieee"], 1), share=e["tf32"] / t.abs().mean().item(), ieee=e["ieee"])
