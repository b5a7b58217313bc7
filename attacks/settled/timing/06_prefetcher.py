"""The opening snippet of overlap.md: a prefetcher of 12 lines. Right with both waits, wrong without either? Gain, memory?

Expect: wrong 0 of 20 as it is (work held, copies held, both); wrong 20 of 20 without wait_event (copies held) and
without wait_stream (work held); 1.6 to 1.9 times as fast as copying and computing in turn when balanced; at most three
batches on the GPU at once; as fast as two fixed buffers. Refutes: any wrong with both waits, a gain below 1.35.
"""
import json, time
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
main, side = torch.cuda.current_stream(), torch.cuda.Stream()
def prefetched(batches, wait_stream=True, wait_event=True, record=False):
    def send(batch):
        if wait_stream: side.wait_stream(main)
        with torch.cuda.stream(side):
            return batch.to("cuda", non_blocking=True), side.record_event()
    sent = map(send, batches)
    ahead = next(sent, None)
    while ahead:
        (batch, copied), ahead = ahead, next(sent, None)
        if wait_event: main.wait_event(copied)
        if record: batch.record_stream(main)
        yield batch
N = 2**18
pin = [torch.full((N,), float(i + 1)).pin_memory() for i in range(8)]
RIGHT = [N * (i + 1) for i in range(8)]
HOLD = 10_000_000
def wrong(held=None, **k):
    torch.cuda.synchronize(); sums = []
    if held == "copies":
        with torch.cuda.stream(side): torch.cuda._sleep(HOLD)
    for batch in prefetched(pin, **k):
        if held in ("work", "first") and (held == "work" or not sums): torch.cuda._sleep(HOLD // 4 if held == "work" else HOLD)
        sums.append(batch.sum()); del batch
    return [float(s) for s in sums] != RIGHT
try:
    for h in (None, "copies", "work", "first"): wrong(h)
    for h in (None, "copies", "work", "first"):
        for k in ({}, {"wait_event": False}, {"wait_stream": False}, {"wait_stream": False, "record": True}):
            out(case="wrong", held=h, without=k, wrong=sum(wrong(h, **k) for _ in range(20)))
except Exception as e: out(error=repr(e))
try:
    side.synchronize(); torch.cuda.empty_cache()
    x = torch.ones(4096, 4096).pin_memory(); ring = [torch.empty_like(x, device="cuda") for _ in range(2)]
    w = torch.eye(4096, device="cuda"); o = torch.empty_like(w); B = [x] * 10
    def one():
        for b in B: yield b.to("cuda")
    def one_nb():
        for b in B: yield b.to("cuda", non_blocking=True)
    copied, consumed = [torch.cuda.Event() for _ in range(2)], [torch.cuda.Event() for _ in range(2)]
    def two_buffers():
        side.wait_stream(main)
        def send(i):
            side.wait_event(consumed[i % 2])
            with torch.cuda.stream(side): ring[i % 2].copy_(x, non_blocking=True); copied[i % 2].record()
        send(0)
        for i in range(10):
            if i < 9: send(i + 1)
            main.wait_event(copied[i % 2]); yield ring[i % 2]; consumed[i % 2].record(main)
    def loop(it, k):
        torch.cuda.synchronize(); t = time.perf_counter()
        for b in it:
            for _ in range(k): torch.mm(b[:1024], w, out=o[:1024])
        torch.cuda.synchronize(); return time.perf_counter() - t
    ways = {"one": one, "one_nb": one_nb, "snippet": lambda: prefetched(B), "record": lambda: prefetched(B, wait_stream=False, record=True), "ring": two_buffers}
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        for f in ways.values(): loop(f(), 2)
    for k in (0, 1, 2, 4, 8):
        rows = [{n: loop(f(), k) for n, f in ways.items()} for _ in range(5)]
        comp = median(loop(iter([ring[0]] * 10), k) for _ in range(3))
        cop = median(loop(one_nb(), 0) for _ in range(3))
        out(products=k, compute_over_copy=round(comp / cop, 2), copy_gbs=round(10 * x.nbytes / cop / 1e9, 1), **{n: round(median(r["one"] / r[n] for r in rows), 3) for n in ways})
    for n, f in ways.items():
        torch.cuda.synchronize(); torch.cuda.empty_cache(); torch.cuda.reset_peak_memory_stats(); a = torch.cuda.memory_allocated(); t = loop(f(), 4); t2 = loop(f(), 4)
        out(way=n, first_ms=round(t * 1e3, 2), second_ms=round(t2 * 1e3, 2), peak_batches=round((torch.cuda.max_memory_allocated() - a) / x.nbytes, 2), reserved_batches=round(torch.cuda.memory_reserved() / x.nbytes, 2))
except Exception as e: out(error=repr(e))
