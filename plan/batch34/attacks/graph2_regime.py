"""Sentence: usual against queued tells whether launching is the limit. Try training steps, an optimizer, and a step of 3,000 kernels
(more than the queue holds: the page says so), and a model that waits inside (.item())."""
import torch
def ms(step, held):
    b, e = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    step(); torch.cuda.synchronize(); torch.cuda._sleep(60_000_000 if held else 1)
    b.record(); step(); e.record(); torch.cuda.synchronize(); return b.elapsed_time(e)
L = torch.nn.Linear
small = torch.nn.Sequential(*[L(64, 64) for _ in range(20)]).cuda(); opt = torch.optim.AdamW(small.parameters(), fused=True)
big = torch.nn.Sequential(*[L(4096, 4096) for _ in range(4)]).cuda().bfloat16()
x, w = torch.randn(16, 64, device="cuda"), torch.randn(8192, 4096, device="cuda").bfloat16()
def train():
    opt.zero_grad(); small(x).sum().backward(); opt.step()
def long():
    for _ in range(75): small(x)
res = {n: ms(f, False) / ms(f, True) for n, f in {"train": train, "big": lambda: big(w), "1500 kernels": long}.items() for _ in range(3)}
print(res)
print("HOLDS" if res["train"] > 1.5 and 0.85 < res["big"] < 1.2 else "REFUTED", "(1500 kernels: the queue is full, ratio means nothing)")
