"""
A replay takes one place
========================

Do a thousand kernels always fill the queue? A captured graph has one place for all of its kernels,
so the host runs many times further ahead. Some events take far more than a kernel does: those
that let the host sleep while it waits.
"""

# sphinx_gallery_evidence = {"processes": 1}
import torch

x = torch.zeros(1, device="cuda")
x.add_(1)  # the first call loads the kernel
graphs = {}
for kernels in (20, 40):
    graphs[kernels] = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graphs[kernels]):
        for _ in range(kernels):
            x.add_(1)
graphs[20].replay()
print(x.item())

# %%
# How many calls return while a kernel that only sleeps holds the stream? (Its function is private
# to PyTorch and may change.) The count ends with the first call that returns after it. Behind a
# longer sleep it is the same, if the queue was full.

CALLS, HOLD, TRIES = 3000, 90_000_000, 3  # the second in cycles: tens of milliseconds
held, here = torch.cuda.Event(), torch.cuda.current_stream()
events = [here.record_event(torch.cuda.Event(blocking=True)) for _ in range(CALLS)]


def queued(call, cycles=HOLD):
    call(0)
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    held.record()
    for number in range(CALLS):
        call(number)
        if held.query():
            return number
    return CALLS


# %%
# Additions, replays, and events with ``blocking=True``, alone and after an addition each.

ways = {
    "add": lambda _: x.add_(1),
    "replay-20": lambda _: graphs[20].replay(),
    "replay-40": lambda _: graphs[40].replay(),
    "blocking-event": lambda number: events[number].record(),
    "add-blocking-event": lambda number: (x.add_(1), events[number].record()),
}
rows = []
for name, call in ways.items():
    counts = [queued(call) for _ in range(TRIES)]
    row = {"call": name, "queued": min(counts), "most_queued": max(counts)}
    rows.append({**row, "queued_longer": queued(call, 3 * HOLD)})
    print("{:>18}: {} to {} calls, {} longer".format(*rows[-1].values()))

# %%
# Were all of the kernels done that were queued? Count the additions of a hundred replays.

x.zero_()
torch.cuda._sleep(HOLD)
held.record()
for _ in range(100):
    graphs[40].replay()
ahead = not held.query()
measured = {"replays": 100, "ahead": ahead, "added": int(x.item())}
measured["by_call"] = {"table": rows}
