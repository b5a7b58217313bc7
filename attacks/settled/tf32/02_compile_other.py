"""max-autotune after allow_tf32, after three times ieee, and with a convolution. (A1)

Expect: allow_tf32 compiles; matmul after three ieee compiles; conv after conv=ieee, rnn=ieee: unknown
(Inductor may read cudnn.allow_tf32, whose getter may raise). Which full-FP32 form works everywhere?
"""
import json, os, tempfile, time
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
def r(f):
    try: return f()
    except Exception as e: return type(e).__name__ + ": " + str(e)[:80]
b = torch.backends
torch.manual_seed(0)
a = torch.randn(128, 128, device="cuda"); x = torch.randn(2, 32, 16, 16, device="cuda"); w = torch.randn(32, 32, 3, 3, device="cuda")
def mm(): return a @ a
def conv(): return torch.conv2d(x, w)
def go(label, fn, mode="max-autotune-no-cudagraphs"):
    torch._dynamo.reset()
    t = time.perf_counter()
    truth = a.double() @ a.double() if fn is mm else torch.conv2d(x.double(), w.double())
    try:
        out = torch.compile(fn, mode=mode)()
        say(test=label, fn=fn.__name__, ok=True, s=round(time.perf_counter()-t, 2), error=(out-truth).abs().max().item(), eager=(fn()-truth).abs().max().item())
    except Exception as e:
        say(test=label, fn=fn.__name__, ok=False, s=round(time.perf_counter()-t, 2), type=type(e).__name__, text=str(e)[:300])
def state(): return {k: r(v) for k, v in {"matmul": lambda: b.cuda.matmul.fp32_precision, "conv": lambda: b.cudnn.conv.fp32_precision, "rnn": lambda: b.cudnn.rnn.fp32_precision, "old_matmul": lambda: b.cuda.matmul.allow_tf32, "old_cudnn": lambda: b.cudnn.allow_tf32, "precision": torch.get_float32_matmul_precision}.items()}
say(test="default", **state())
go("default", conv)
b.cuda.matmul.fp32_precision = "ieee"; b.cudnn.conv.fp32_precision = "ieee"; b.cudnn.rnn.fp32_precision = "ieee"
say(test="three ieee", **state())
go("three ieee", mm); go("three ieee", conv)
b.cuda.matmul.fp32_precision = "none"; b.cudnn.conv.fp32_precision = "tf32"; b.cudnn.rnn.fp32_precision = "tf32"
b.cuda.matmul.allow_tf32 = True
say(test="allow_tf32", **state())
go("allow_tf32", mm)
torch.set_float32_matmul_precision("highest"); b.cudnn.allow_tf32 = False
say(test="highest, cudnn off", **state())
go("highest, cudnn off", mm); go("highest, cudnn off", conv)
