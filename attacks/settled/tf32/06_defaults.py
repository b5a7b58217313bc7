"""The wider switches from the real defaults, each in a fresh process; and cudnn.flags. (A3, A4, d, e)

Expect on 2.11: conv stays tf32 after generic ieee and after cudnn ieee, and its bits stay; only conv ieee changes them.
cudnn.flags(fp32_precision="ieee"): cuDNN off inside, conv reads tf32; afterwards all as before?
"""
import json, os, sys
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
def r(f):
    try: return f()
    except Exception as e: return type(e).__name__
def state(): return {k: r(v) for k, v in {"generic": lambda: b.fp32_precision, "cudnn": lambda: b.cudnn.fp32_precision, "matmul": lambda: b.cuda.matmul.fp32_precision, "conv": lambda: b.cudnn.conv.fp32_precision, "rnn": lambda: b.cudnn.rnn.fp32_precision, "old_matmul": lambda: b.cuda.matmul.allow_tf32, "old_cudnn": lambda: b.cudnn.allow_tf32, "precision": torch.get_float32_matmul_precision, "enabled": lambda: b.cudnn.enabled}.items()}
CASES = {
 "nothing": "pass",
 "generic ieee": "b.fp32_precision = 'ieee'",
 "cudnn ieee": "b.cudnn.fp32_precision = 'ieee'",
 "both ieee": "b.fp32_precision = 'ieee'; b.cudnn.fp32_precision = 'ieee'",
 "generic tf32": "b.fp32_precision = 'tf32'",
 "cudnn tf32": "b.cudnn.fp32_precision = 'tf32'",
 "conv ieee": "b.cudnn.conv.fp32_precision = 'ieee'",
 "conv none": "b.cudnn.conv.fp32_precision = 'none'",
 "conv none, generic ieee": "b.fp32_precision = 'ieee'; b.cudnn.conv.fp32_precision = 'none'",
 "old cudnn off": "b.cudnn.allow_tf32 = False",
 "old cudnn off, highest": "b.cudnn.allow_tf32 = False; torch.set_float32_matmul_precision('highest')",
 "three ieee": "b.cuda.matmul.fp32_precision = 'ieee'; b.cudnn.conv.fp32_precision = 'ieee'; b.cudnn.rnn.fp32_precision = 'ieee'",
 "high": "torch.set_float32_matmul_precision('high')",
 "high, old cudnn off": "torch.set_float32_matmul_precision('high'); b.cudnn.allow_tf32 = False",
 "flags ieee": "c = b.cudnn.flags(fp32_precision='ieee'); c.__enter__()",
 "flags enabled ieee": "c = b.cudnn.flags(enabled=True, fp32_precision='ieee'); c.__enter__()",
 "flags enabled tf32 off": "c = b.cudnn.flags(enabled=True, allow_tf32=False); c.__enter__()",
 "flags ieee, after": "c = b.cudnn.flags(fp32_precision='ieee'); c.__enter__(); c.__exit__(None, None, None)",
 "flags tf32 off, after": "c = b.cudnn.flags(enabled=True, allow_tf32=False); c.__enter__(); c.__exit__(None, None, None)",
}
sys.stdout.flush()
kids = []
for name, code in CASES.items():
    out = f"/tmp/tf32_case_{os.getpid()}_{len(kids)}"
    pid = os.fork()
    if pid == 0:
        with open(out, "w") as file:
            try:
                exec(code)
                s = state()
                torch.manual_seed(0)
                m = torch.randn(512, 512, device="cuda"); x = torch.randn(8, 64, 32, 32, device="cuda"); w = torch.randn(64, 64, 3, 3, device="cuda")
                e = lambda o, t: float(f"{(o - t).abs().max().item():.2g}")
                em = e(m @ m, m.double() @ m.double()); ec = e(torch.conv2d(x, w), torch.conv2d(x.double(), w.double()))
                rnn = torch.nn.GRU(256, 256).cuda(); q = torch.randn(16, 32, 256, device="cuda")
                o = rnn(q)[0].detach(); er = e(o, rnn.double()(q.double())[0].detach())
                file.write(json.dumps({"case": name, **s, "err_matmul": em, "err_conv": ec, "err_gru": er}))
            except Exception as err:
                file.write(json.dumps({"case": name, "error": type(err).__name__ + ": " + str(err)[:200]}))
        os._exit(0)
    kids.append((pid, out))
    if len(kids) % 5 == 0:
        for p, _ in kids[-5:]: os.waitpid(p, 0)
for p, o in kids:
    try: os.waitpid(p, 0)
    except ChildProcessError: pass
    print(open(o).read() if os.path.exists(o) else "?", flush=True); os.unlink(o)
