"""Claims a-direct-copy-beats-the-host ("Through pinned host memory, it runs at 27 GB/s", direct
at least 8 times as fast) and a-copy-within-one-gpu-is-faster; the sentence "Through the host,
it crosses the PCIe link twice".

Attack: 256 MiB through pinned memory in chunks, the two legs at the same time (each GPU has a
link of its own); the direct copy from the other side, both directions at once, as a
transposed/gapped/casting copy, and into fresh memory; by the host's clock.

Refuted if the host route in chunks makes the direct one less than 8 times as fast, or a
contiguous direct copy runs below 200 GB/s, or it beats a copy within a GPU.
"""
import time
from statistics import median
import torch

SIZE = 2**28
a = [torch.ones(SIZE, dtype=torch.uint8, device=f"cuda:{i}") for i in range(2)]
b = [torch.zeros(SIZE, dtype=torch.uint8, device=f"cuda:{i}") for i in range(2)]
f = [torch.ones(8192, 8192, device=f"cuda:{i}") for i in range(2)]  # 256 MiB
g = [torch.ones(8192, 8192, device=f"cuda:{i}") for i in range(2)]
h = torch.ones(8192, 8192, dtype=torch.float64, device="cuda:1")
gaps = torch.ones(8192, 8192, 2, device="cuda:0")[..., 0]
pinned = torch.zeros(SIZE, dtype=torch.uint8, pin_memory=True)
sides = [torch.cuda.Stream(device=i) for i in range(2)]


def pipelined(chunks):
    def way():
        step = SIZE // chunks
        for k in range(chunks):
            part = slice(k * step, (k + 1) * step)
            with torch.cuda.stream(sides[0]):
                pinned[part].copy_(a[0][part], non_blocking=True)
                there = sides[0].record_event()
            sides[1].wait_event(there)
            with torch.cuda.stream(sides[1]):
                b[1][part].copy_(pinned[part], non_blocking=True)
    return way


def seconds(way):
    for i in range(2):
        torch.cuda.synchronize(i)
    begin = time.perf_counter()
    way()
    for i in range(2):
        torch.cuda.synchronize(i)
    return time.perf_counter() - begin


def both():
    with torch.cuda.stream(sides[0]), torch.cuda.stream(sides[1]):
        b[1].copy_(a[0])
    b[0].copy_(a[1])


def through_pinned():
    pinned.copy_(a[0])
    b[1].copy_(pinned, non_blocking=True)


WAYS = {
    "direct 0->1": lambda: b[1].copy_(a[0]), "direct 1->0": lambda: b[0].copy_(a[1]), "direct both at once (one way's bytes)": both,
    "direct by .to": lambda: a[0].to("cuda:1"), "direct transposed": lambda: f[1].copy_(f[0].T), "direct gaps": lambda: f[1].copy_(gaps),
    "direct float32 contiguous": lambda: f[1].copy_(f[0]), "direct to float64 (source bytes)": lambda: h.copy_(f[0]),
    "within 0": lambda: b[0].copy_(a[0]), "within 1": lambda: b[1].copy_(a[1]), "within transposed": lambda: g[0].copy_(f[0].T), "within gaps": lambda: g[0].copy_(gaps),
    "pinned as on the page": through_pinned, "pinned in 4 chunks": pipelined(4), "pinned in 16 chunks": pipelined(16), "pinned in 64 chunks": pipelined(64),
}
rate = {}
for name, way in WAYS.items():
    warm = time.perf_counter() + 0.08
    while time.perf_counter() < warm:
        seconds(way)
    rate[name] = SIZE / median(seconds(way) for _ in range(7)) / 1e9
    print(f"attack: a-direct-copy-beats-the-host: {name}: {rate[name]:.1f} GB/s")
for i in range(2):
    torch.cuda.synchronize(i)
b[1].zero_()
torch.cuda.synchronize(1)
pipelined(16)()
for i in range(2):
    torch.cuda.synchronize(i)
assert b[1].min().item() == 1, "the pipelined route lost bytes"
host = max(v for k, v in rate.items() if k.startswith("pinned in"))
direct = rate["direct 0->1"]
contiguous = [rate[k] for k in ("direct 0->1", "direct 1->0", "direct by .to", "direct both at once (one way's bytes)")]
reasons = []
if direct < 8 * host:
    reasons.append(f"through pinned memory in chunks {host:.1f} GB/s, direct only {direct / host:.1f} times as fast")
if min(contiguous) < 200:
    reasons.append(f"a contiguous direct copy at {min(contiguous):.0f} GB/s")
if max(contiguous) > min(rate["within 0"], rate["within 1"]):
    reasons.append("direct beats within")
slow = {k: round(v) for k, v in rate.items() if k.startswith("direct") and v < 200}
print(f"verdict: {'REFUTED' if reasons else 'NOT REFUTED'} a-direct-copy-beats-the-host: {'; '.join(reasons)} (direct below 200 GB/s: {slow})")
