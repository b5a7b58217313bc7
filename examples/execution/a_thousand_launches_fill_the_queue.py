"""
A thousand launches fill the queue
==================================

How far can the host run ahead of the GPU? A call that launches a kernel returns at once until
about a thousand launches wait in its stream. The next call returns when one of them is done.
"""

# sphinx_gallery_evidence = {"processes": 1}
import torch

x = torch.zeros(2**20, device="cuda")
x.add_(1)  # the first call loads the kernel, and may wait
torch.cuda.synchronize()

held = torch.cuda.Event()
torch.cuda._sleep(20_000_000)  # some milliseconds of work; private, and may change
held.record()
for _ in range(100):
    x.add_(1)  # queued, not done
print("is the GPU still busy with the first kernel?", not held.query())
print(x[0].item())  # waits for all hundred

# %%
# How many calls return while a kernel that only sleeps holds the stream? The count ends with the
# first call that returns after it. Behind a longer sleep it is the same, if the queue was full.

from torch.profiler import ProfilerActivity, profile

CALLS, HOLD, TRIES = 3000, 60_000_000, 3  # the second in cycles: tens of milliseconds
small, large = torch.zeros(1, device="cuda"), torch.zeros(2**26, device="cuda")
many = [torch.zeros(1, device="cuda") for _ in range(100)]
a, b, c = torch.zeros(3, 256, 256, device="cuda")
here = torch.cuda.current_stream()
events = [here.record_event() for _ in range(CALLS)]
timed = [here.record_event(torch.cuda.Event(enable_timing=True)) for _ in events]


def returned(call):
    for number in range(CALLS):
        call(number)
        if held.query():
            return number
    return CALLS


def queued(call, cycles=HOLD):
    call(0)
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    held.record()
    return returned(call)


# %%
# Each kernel takes one place, whatever its size; some calls launch several, and a view none.

ways = {
    "add": lambda _: small.add_(1),
    "large-add": lambda _: large.add_(1),
    "matmul": lambda _: torch.mm(a, b, out=c),
    "foreach": lambda _: torch._foreach_add_(many, 1),
    "memset": lambda _: large.zero_(),
    "event": lambda number: events[number].record(),
    "add-event": lambda number: (small.add_(1), events[number].record()),
    "timed-event": lambda number: timed[number].record(),
    "add-timed-event": lambda number: (small.add_(1), timed[number].record()),
    "three-adds": lambda _: (small.add_(1), small.add_(1), small.add_(1)),
    "view": lambda _: small.view(1, 1),
}
rows = []
for name, call in ways.items():
    counts = [queued(call) for _ in range(TRIES)]
    row = {"call": name, "queued": min(counts), "most_queued": max(counts)}
    rows.append({**row, "queued_longer": queued(call, 3 * HOLD)})

# %%
# Does each stream have its own queue? Almost fill one, and count the calls of another that waits.

TAKEN, side = 900, torch.cuda.Stream()  # places of the first queue


def queued_beside():
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    held.record()
    side.wait_event(held)
    for _ in range(TAKEN):
        small.add_(1)
    with torch.cuda.stream(side):
        return returned(lambda _: large[:1].add_(1))


beside = [queued_beside() for _ in range(TRIES)]
print(f"in a second stream, beside an almost full one: {beside}")

# %%
# What happens when the queue is full? The host waits, and no call is lost.

small.zero_()
torch.cuda.synchronize()
torch.cuda._sleep(HOLD)
for _ in range(CALLS):
    small.add_(1)
added = int(small.item())
print(f"{added} of {CALLS} additions were done")

# %%
# Last, the profiler counts what a call gives to the GPU: kernels, and memory to set.

for row in rows:
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        ways[row["call"]](0)
        torch.cuda.synchronize()
    names = [e.name for e in profiler.events() if e.device_type.name == "CUDA"]
    row["kernels"] = sum("Event" not in name for name in names)
    print("{:>10}: {} to {} calls, {} longer; {} kernels".format(*row.values()))

measured = {"calls": CALLS, "taken": TAKEN, "added": added}
measured |= {"beside_queued": min(beside), "by_call": {"table": rows}}
