"""
Another stream must wait for a replay
=====================================

When may another stream, or the host, read the result of a replay? ``replay()`` returns at once, and
the GPU is still at work. The reader waits for the replay, and the next replay for the reader, as it
writes to the same memory.
"""

import torch

eye, x = torch.eye(2048, device="cuda"), torch.zeros(2048, 2048, device="cuda")
x @ eye + 1  # the warm-up
graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
with torch.cuda.graph(graph):
    y = x
    for _ in range(10):
        y = y @ eye
    y = y + 1

here = torch.cuda.current_stream()
for value in range(3):
    x.fill_(value)
    graph.replay()
    side.wait_stream(here)  # before the other stream reads the result
    with torch.cuda.stream(side):
        copy = y.clone()
    here.wait_stream(side)  # before the next replay overwrites it
    print(copy[0, 0].item())

# %%
# Each way reads the result right after ``replay()``: in the other stream, without a wait and with
# one, or on the host. ``cpu()`` waits for the stream that is current, which has called the replay.

done, host = torch.cuda.Event(), torch.zeros(2048, pin_memory=True)


def at_once():
    with torch.cuda.stream(side):
        return y.clone()


def after_wait_stream():
    side.wait_stream(here)
    with torch.cuda.stream(side):
        return y.clone()


def after_wait_event():
    done.record()
    side.wait_event(done)
    with torch.cuda.stream(side):
        return y.clone()


def by_cpu():
    return y[0].cpu()


def host_at_once():
    host.copy_(y[0], non_blocking=True)
    return host.clone()


def host_after_an_event():
    host.copy_(y[0], non_blocking=True)
    done.record()
    done.synchronize()
    return host.clone()


# %%
# How many of the results are wrong? The first call of each way warms it up.

TRIES, WAYS = 20, (at_once, after_wait_stream, after_wait_event, by_cpu)
WAYS += (host_at_once, host_after_an_event)


def wrong(way):
    found = 0
    for value in range(TRIES + 1):
        torch.cuda.synchronize()
        host.fill_(-1)
        x.fill_(value)
        graph.replay()
        result = way()
        torch.cuda.synchronize()
        found += value > 0 and not (result == value + 1).all().item()
    return found


rows = [{"way": way.__name__, "wrong": wrong(way)} for way in WAYS]
print(*rows, sep="\n")

# %%
# A slow reader waits for the replay. Does the next replay wait for the reader? (``_sleep`` is
# private to PyTorch and may change.)


def overwritten(waits):
    found = 0
    for value in range(TRIES):
        x.fill_(value)
        graph.replay()
        side.wait_stream(here)
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)  # cycles: some tens of milliseconds
            copy = y.clone()
        if waits:
            here.wait_stream(side)
        x.fill_(value + 1)
        graph.replay()
        torch.cuda.synchronize()
        found += not (copy == value + 1).all().item()
    return found


measured = {"tries": TRIES, "by_way": {"table": rows}, "kept": overwritten(True)}
measured["overwritten"] = overwritten(False)
