"""Page: execution/streams.md. "A priority does not help against a kernel whose blocks all run at once, until the end: beside a
large BF16 matmul, the small one was done after ... >= 75 % in the urgent stream". Measured at one shape (16384 cubed).
Attack: other large BF16/FP16 matmuls (rectangular, transposed, batched, 8192, long K), small work that is an elementwise kernel,
and priority -3. Refuted if beside one of the large BF16 matmuls the urgent small work is done within 40 % of its time.
"""
from statistics import median
import torch

here = torch.cuda.current_stream()
big, equal = torch.cuda.Stream(), torch.cuda.Stream()
urgents = {-1: torch.cuda.Stream(priority=-1), -3: torch.cuda.Stream(priority=-3)}
small, small_out = torch.randn(2, 256, 256, device="cuda")
tiny = torch.zeros(256, device="cuda")
bf = lambda *s: torch.randn(*s, device="cuda", dtype=torch.bfloat16)
a, b = bf(16384, 8192), bf(8192, 16384)
c, d, e = bf(8192, 8192), bf(32, 4096, 4096), bf(2048, 131072)
LARGE = {
    "16384x8192x16384": lambda: torch.mm(a, b), "8192": lambda: torch.mm(c, c), "8192 transposed": lambda: torch.mm(c.t(), c),
    "bmm 32x4096": lambda: torch.bmm(d, d), "2048 long K": lambda: torch.mm(e, e.t()),
    "FP16 8192": lambda h=c.half(): torch.mm(h, h), "linear+bias": lambda bias=bf(8192): torch.nn.functional.linear(c, c, bias),
    "3 calls": lambda: [torch.mm(c, c) for _ in range(3)],
}
SMALL = {"matmul": lambda: torch.mm(small, small, out=small_out), "add_": lambda: tiny.add_(1)}
begin, big_done, small_done = (torch.cuda.Event(enable_timing=True) for _ in range(3))


def attempt(stream, large, work):
    torch.cuda.synchronize()
    torch.cuda._sleep(1_000_000)
    begin.record()
    with torch.cuda.stream(big):
        big.wait_event(begin)
        large()
        big_done.record()
    with torch.cuda.stream(stream):
        stream.wait_event(begin)
        torch.cuda._sleep(150_000)
        work()
        small_done.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(small_done) / begin.elapsed_time(big_done), begin.elapsed_time(big_done)


bad = []
for name, large in LARGE.items():
    for kind, work in SMALL.items():
        row = {}
        for label, stream in {"equal": equal, "-1": urgents[-1], "-3": urgents[-3]}.items():
            attempt(stream, large, work)
            tries = [attempt(stream, large, work) for _ in range(4)]
            row[label] = median(t[0] for t in tries)
            took = median(t[1] for t in tries)
        print(f"{name} ({took:.2f} ms), {kind}: " + ", ".join(f"{k} {v:.0%}" for k, v in row.items()))
        if took > 0.8 and min(row["-1"], row["-3"]) <= 0.4 and "3 calls" not in name and "FP16" not in name:
            bad.append(f"{name}, {kind}: equal {row['equal']:.0%}, urgent {min(row['-1'], row['-3']):.0%}")
print(f"REFUTED: a priority helps, or none is needed: {bad}" if bad else f"NOT REFUTED: {len(LARGE)} large matmuls, two kinds of small work")
