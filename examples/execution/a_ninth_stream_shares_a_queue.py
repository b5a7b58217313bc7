"""
A ninth stream shares a queue
=============================

Does each stream have a queue of its own? The first few do. By default, the host hands its work to
the GPU over eight connections: a ninth stream shares one, and finds the places taken that the
first stream's launches take.
"""

# sphinx_gallery_evidence = {"processes": 1}
import torch

streams = [torch.cuda.Stream() for _ in range(9)]
numbers = [torch.zeros(1, device="cuda") for _ in streams]
for stream, number in zip(streams, numbers):
    with torch.cuda.stream(stream):
        number.add_(1)  # the first call loads the kernel, and may wait
torch.cuda.synchronize()
print(f"{len({stream.cuda_stream for stream in streams})} streams")

# %%
# All streams wait for a kernel that only sleeps, in the default stream (its function is private to
# PyTorch, and may change). Some get launches that leave a few places free, and others none. How
# many launches of the last one return while the kernel sleeps?

TAKEN, CALLS, HOLD, TRIES = 900, 3000, 300_000_000, 3  # the third in cycles
held = torch.cuda.Event()


def returned(busy):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    held.record()
    for stream in streams:
        stream.wait_event(held)
    for which in busy:
        with torch.cuda.stream(streams[which]):
            for _ in range(TAKEN):
                numbers[which].add_(1)
    assert not held.query(), "the kernel was over before the queues were filled"
    last = busy[-1] + 1
    with torch.cuda.stream(streams[last]):
        for count in range(CALLS):
            numbers[last].add_(1)
            if held.query():
                return count
    return CALLS


# %%
# The last is the second stream, the eighth, or the ninth. Before the ninth, all others are busy, or
# all but the first.

CASES = {
    "second": [0],
    "eighth": list(range(7)),
    "ninth": list(range(8)),
    "ninth, first idle": list(range(1, 8)),
}
rows = []
for case, busy in CASES.items():
    counts = [returned(busy) for _ in range(TRIES)]
    rows.append({"last": case, "queued": min(counts), "most_queued": max(counts)})
    print("{:>30}: {} to {} launches returned".format(*rows[-1].values()))

measured = {"taken": TAKEN, "by_case": {"table": rows}}
