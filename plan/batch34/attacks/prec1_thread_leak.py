"""Attack: settings belong to the process: contextvars, streams, autograd thread, generators; and cudnn.flags in a thread."""
import torch, threading
from torch.backends import cuda, cudnn
a = torch.randn(1024, 1024, device="cuda"); x = torch.randn(8, 64, 32, 32, device="cuda"); w = torch.randn(64, 64, 3, 3, device="cuda")
full, conv = a @ a, torch.conv2d(x, w); bad = []
def other(f):
    t = threading.Thread(target=f); t.start(); t.join()
other(lambda: setattr(cuda.matmul, "fp32_precision", "tf32")); bad += ["matmul not reached"] * torch.equal(full, a @ a); cuda.matmul.fp32_precision = "none"
go, done = threading.Barrier(2), threading.Barrier(2)
def flags():
    with cudnn.flags(enabled=True, allow_tf32=False): go.wait(); done.wait()
t = threading.Thread(target=flags); t.start(); go.wait(); bad += ["conv not reached"] * torch.equal(conv, torch.conv2d(x, w)); done.wait(); t.join()
bad += ["conv not restored"] * (not torch.equal(conv, torch.conv2d(x, w)))
print("REFUTED" if bad else "HOLDS", bad)
