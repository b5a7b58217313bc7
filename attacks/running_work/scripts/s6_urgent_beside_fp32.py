"""Page: execution/streams.md. "Slow: a small matmul in a stream of the default priority waits until nearly all blocks of a large
FP32 matmul have been handed out" (>= 75 %) and "Fast: in a Stream(priority=-1), a small matmul is done after [<= 40 %] of the
time of a large FP32 matmul". Measured at 8192 cubed.
Attack: FP32 matmuls that take as long but have few, long blocks (2048 x 2048 x 131072, 1024 x ...), 4096, batches, TF32, and a
large one launched AFTER the small one's stream has other work. Refuted if beside one of at least 2 ms the urgent one needs
more than 40 %, or the equal one less than 75 %.
"""
from statistics import median
import torch

big, equal, urgent = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
small, small_out = torch.randn(2, 256, 256, device="cuda")
f = lambda *s: torch.randn(*s, device="cuda")
a, b, c, d, e = f(8192, 8192), f(2048, 131072), f(1536, 131072), f(16, 2048, 2048), f(4096, 4096)
LARGE = {"8192": lambda: torch.mm(a, a), "2048, K 131072": lambda: torch.mm(b, b.t()), "1536, K 131072": lambda: torch.mm(c, c.t()),
         "bmm 16x2048": lambda: torch.bmm(d, d), "4096": lambda: torch.mm(e, e)}
begin, big_done, small_done = (torch.cuda.Event(enable_timing=True) for _ in range(3))


def attempt(stream, large):
    torch.cuda.synchronize()
    torch.cuda._sleep(1_000_000)
    begin.record()
    with torch.cuda.stream(big):
        big.wait_event(begin)
        large()
        big_done.record()
    with torch.cuda.stream(stream):
        stream.wait_event(begin)
        torch.cuda._sleep(400_000)
        torch.mm(small, small, out=small_out)
        small_done.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(small_done) / begin.elapsed_time(big_done), begin.elapsed_time(big_done)


bad = []
for tf32 in (False, True):
    torch.backends.cuda.matmul.allow_tf32 = tf32
    for name, large in LARGE.items():
        row = {}
        for label, stream in {"equal": equal, "urgent": urgent}.items():
            attempt(stream, large)
            tries = [attempt(stream, large) for _ in range(4)]
            row[label], took = median(t[0] for t in tries), median(t[1] for t in tries)
        print(f"tf32 {tf32}, {name} ({took:.2f} ms): equal {row['equal']:.0%}, urgent {row['urgent']:.0%}")
        if not tf32 and took >= 2 and (row["urgent"] > 0.4 or row["equal"] < 0.75):
            bad.append(f"{name}: equal {row['equal']:.0%}, urgent {row['urgent']:.0%}")
print(f"REFUTED: other large FP32 matmuls behave otherwise: {bad}" if bad else f"NOT REFUTED: {list(LARGE)}")
