"""
Another stream must join the capture
====================================

Is work in another stream captured as well? Only if that stream waits for the capture. If it does
not, its work runs once, during the capture, and no replay repeats it. There is no error.
"""

import torch

# %%
# A replay should add one to both tensors. The second addition stands in another stream.

TRIES, REPLAYS = 10, 5
side = torch.cuda.Stream()
a, b = torch.zeros(2, 1000, device="cuda")
a.add_(1), torch.cuda._sleep(1)  # loads the kernels


def joined():
    here = torch.cuda.current_stream()
    side.wait_stream(here)
    a.add_(1)
    with torch.cuda.stream(side):
        b.add_(1)
    here.wait_stream(side)


def apart():
    a.add_(1)
    with torch.cuda.stream(side):
        b.add_(1)


def in_the_default_stream():
    a.add_(1)
    with torch.cuda.stream(torch.cuda.default_stream()):
        b.add_(1)


# %%
# How often was each addition executed, after the capture and after the replays?

rows = []
for way in (joined, apart, in_the_default_stream):
    found = {"way": way.__name__, "ran_at_once": 0, "not_replayed": 0, "right": 0}
    for _ in range(TRIES):
        a.zero_(), b.zero_()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            way()
        torch.cuda.synchronize()
        at_once = (b == 1).all().item()
        assert (a == 0).all().item()
        for _ in range(REPLAYS):
            graph.replay()
        torch.cuda.synchronize()
        found["ran_at_once"] += at_once
        found["not_replayed"] += (b == at_once).all().item()
        found["right"] += all((x == REPLAYS).all().item() for x in (a, b))
    rows.append(found)
print(*rows, sep="\n")

# %%
# A stream that has joined may run beside the other one. Two kernels that only sleep take as long as
# one, if they do. (``_sleep`` is private to PyTorch and may change.)

HOLD = 20_000_000  # cycles: about ten milliseconds


def asleep(streams):
    here = torch.cuda.current_stream()
    for stream in streams:
        stream.wait_stream(here)
        with torch.cuda.stream(stream):
            torch.cuda._sleep(HOLD)
    for stream in streams:
        here.wait_stream(stream)


first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def milliseconds(streams):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        asleep(streams)
    graph.replay()
    first.record()
    graph.replay()
    last.record()
    last.synchronize()
    return first.elapsed_time(last)


one, two = milliseconds([side]), milliseconds([side, torch.cuda.Stream()])
print(f"one sleeps {one:.1f} ms, two {two:.1f} ms")

measured = {
    "tries": TRIES,
    "replays": REPLAYS,
    "by_way": {"table": rows},
    "side_by_side": two < 1.5 * one,
}
