"""Page: execution/streams.md. "Against the second [a host that is too slow], make fewer and larger calls, or replay a CUDA graph";
"The smallest kernels ... gain ... if they are queued beforehand" (>= 1.4), "Small kernels share the GPU".
Attack: the same FP32 matmuls (128, 256) in one stream and in two streams, both captured in a CUDA graph and replayed, with the
arms in both orders; also with distinct operands. Refuted if two branches in a graph gain less than 1.2: the remedy gives nothing,
or the gain was that of the gaps between launches.
"""
from statistics import median
import time
import torch

side = torch.cuda.Stream()
CALLS = 100


def work(pairs, streams):
    current = torch.cuda.current_stream()
    for stream in streams:
        if stream is not None:
            stream.wait_stream(current)
    for i in range(CALLS):
        stream = streams[i % 2]
        x, out = pairs[i % 2]
        if stream is None:
            torch.mm(x, x, out=out)
        else:
            with torch.cuda.stream(stream):
                torch.mm(x, x, out=out)
    for stream in streams:
        if stream is not None:
            current.wait_stream(stream)


gains = {}
for size in (128, 256):
    pairs = [tuple(torch.randn(2, size, size, device="cuda")) for _ in range(2)]
    graphs = {}
    for label, streams in {"one": (None, None), "two": (None, side)}.items():
        work(pairs, streams); torch.cuda.synchronize()
        graphs[label] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graphs[label]):
            work(pairs, streams)

    def seconds(run):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(10):
            run()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) / 10 / CALLS

    arms = {"one graph": graphs["one"].replay, "two graph": graphs["two"].replay,
            "one launched": lambda: work(pairs, (None, None)), "two launched": lambda: work(pairs, (None, side))}
    found = {name: [] for name in arms}
    for turn in range(9):
        for name in sorted(arms, reverse=turn % 2):
            found[name].append(seconds(arms[name]))
    found = {name: median(v[2:]) for name, v in found.items()}
    gains[size] = found["one graph"] / found["two graph"]
    print(size, {n: f"{v * 1e6:.2f} µs" for n, v in found.items()}, f"gain in a graph {gains[size]:.2f}, launched {found['one launched'] / found['two launched']:.2f}")
bad = {s: round(g, 2) for s, g in gains.items() if g < 1.2}
print(f"REFUTED: replayed as a graph, two branches gain {bad}" if bad else f"NOT REFUTED: gains in a graph {gains}")
