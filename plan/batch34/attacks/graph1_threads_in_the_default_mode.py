"""Claim attacked: work of another thread beside a capture comes out right or raises; here: in the default mode, with matmuls, backward and random kernels that take no new memory."""
import threading, torch
side = torch.cuda.Stream()
x = torch.ones(256, 256, device="cuda")
p = torch.nn.Parameter(torch.ones(256, 256, device="cuda"))
with torch.cuda.stream(side):
    out = torch.empty(256, 256, device="cuda"); torch.mm(x, x, out=out); (p * x).sum().backward(); p.grad.zero_()
a = torch.zeros(1000, device="cuda"); a += 1; a.zero_()
torch.cuda.synchronize()
wrong = errors = 0
for _ in range(30):
    found = {}
    def work():
        try:
            with torch.cuda.stream(side):
                out.zero_()
                for _ in range(50): torch.mm(x, x, out=out)
                side.synchronize()
                found["ok"] = (out == 256)
        except RuntimeError as e: found["error"] = str(e).splitlines()[0]
    g = torch.cuda.CUDAGraph(); t = threading.Thread(target=work)
    try:
        a.zero_()
        with torch.cuda.graph(g):
            t.start()
            for _ in range(200): a += 1
            t.join()
        g.replay()
        torch.cuda.synchronize()
        wrong += not bool((a == 200).all())
    except RuntimeError as e:
        errors += 1; print("capture:", str(e.__context__ or e).splitlines()[0]); break
    if "error" in found: errors += 1; print("thread:", found["error"])
    elif "ok" in found: wrong += not bool(found["ok"].all())
print("REFUTED: wrong without an error" if wrong else f"HOLDS ({errors} errors, no silent wrong result)")
