"""Attack: 'matmuls repeat without any setting' with 40 streams, threads, biases, batches, FP8 and many shapes."""
import threading, torch
bad = []
streams = [torch.cuda.Stream() for _ in range(40)]
def check(name, call, n=200):
    first = call(); others = torch.zeros(len(streams), dtype=torch.int64, device="cuda"); torch.cuda.synchronize()
    for k in range(n):
        s = k % len(streams)
        with torch.cuda.stream(streams[s]): others[s] += (call() != first).any()
    torch.cuda.synchronize()
    if others.sum(): bad.append((name, others.sum().item()))
for kind in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
    for m, k, n in ((64, 65536, 64), (1, 8192, 8192), (8192, 64, 8192), (33, 12345, 77)):
        x, y, b = (torch.randn(s, device="cuda", dtype=kind) for s in ((m, k), (k, n), (n,)))
        check(("mm", kind, m, k, n), lambda: x @ y); check(("addmm", kind, m, k, n), lambda: torch.addmm(b, x, y))
    x, y = torch.randn(64, 128, 4096, device="cuda", dtype=kind), torch.randn(64, 4096, 32, device="cuda", dtype=kind)
    check(("bmm", kind), lambda: x @ y)
torch.set_float32_matmul_precision("high")
x, y = torch.randn(64, 65536, device="cuda"), torch.randn(65536, 64, device="cuda")
check("tf32", lambda: x @ y)
want = x @ y; wrong = []
def worker():
    s = torch.cuda.Stream(); s.wait_stream(torch.cuda.default_stream())
    with torch.cuda.stream(s):
        for _ in range(200):
            if not torch.equal(x @ y, want): wrong.append(1)
threads = [threading.Thread(target=worker) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
if wrong: bad.append(("threads", len(wrong)))
print(("REFUTED " + str(bad)) if bad else "HOLDS")
