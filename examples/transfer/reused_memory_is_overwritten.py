"""
Reused memory is overwritten
============================

May a tensor be deleted while another stream is still using it? Not without precautions: the
allocator knows only the stream in which a tensor was allocated. The next tensor of that
stream gets the same memory, and overwrites what the other stream has yet to read.
``record_stream`` or waiting prevents that.
"""

# sphinx_gallery_quiet = "host"
import torch

# %%
# Batches are copied to the GPU in a separate stream and used in the current one, which waits
# for the copy. So far, nothing can go wrong.

COUNT = 2**22  # floats: 16 MiB, for which the allocator keeps a block of its own
TRIES = 20
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
ones = torch.ones(COUNT, pin_memory=True)
twos = torch.full((COUNT,), 2.0, pin_memory=True)
addresses, hold = [], 0


def fetch(host):
    with torch.cuda.stream(side):
        batch = host.to("cuda", non_blocking=True)
    here.wait_stream(side)
    addresses.append(batch.data_ptr())
    return batch


# %%
# The work on a batch is its sum, behind a kernel that only sleeps. The tensor belongs to the
# side stream: once it is deleted, that stream may write to its memory.


def work(batch):
    if hold:
        torch.cuda._sleep(hold)
    return batch.sum()


def drop_at_once():
    batch = fetch(ones)
    total = work(batch)
    del batch
    fetch(twos)
    return total


# %%
# ``record_stream`` tells the allocator about the other stream that uses the tensor. The block
# is not reused until that stream has done what was queued when the tensor was deleted.


def drop_recorded():
    batch = fetch(ones)
    batch.record_stream(here)
    total = work(batch)
    del batch
    fetch(twos)
    return total


# %%
# Alternatively, the side stream waits for the work before it may write again.


def drop_and_wait():
    batch = fetch(ones)
    total = work(batch)
    del batch
    side.wait_stream(here)
    fetch(twos)
    return total


# %%
# Run one try: did the sum differ from that of the ones, and did the second batch get the
# memory of the first?


def attempt(way):
    torch.cuda.synchronize()
    addresses.clear()
    wrong = bool(way() != COUNT)
    return wrong, addresses[0] == addresses[1]


# %%
# Run each variant once without counting, because the first launch of a kernel waits. Then try
# the mistake on an otherwise idle GPU.

ways = (drop_at_once, drop_recorded, drop_and_wait)
for way in ways:
    attempt(way)
natural = [sum(attempt(ways[0])[0] for _ in range(TRIES)) / TRIES for _ in range(5)]
print(f"wrong without a held stream: {sum(natural) / len(natural):.0%} of the tries")

# %%
# Now hold the work for some milliseconds, as behind a real model.

HOLD_S, CYCLES = 0.005, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))
results = [[sum(x) for x in zip(*(attempt(w) for _ in range(TRIES)))] for w in ways]
for way, (wrong, reused) in zip(ways, results):
    print(f"{way.__name__:>13}: wrong {wrong}, memory reused {reused} of {TRIES}")

# %%
# Count the tries in which the sum was wrong, or the memory was the same.

measured = {"tries": TRIES, "wrong_naturally_share": {"samples": natural}}
for name, (wrong, reused) in zip(("dropped", "recorded", "waited"), results):
    measured |= {f"wrong_{name}": wrong, f"reused_{name}": reused}
