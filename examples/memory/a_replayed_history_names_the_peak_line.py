"""
A replayed history names the peak line
======================================

Which line needs the most memory? Record the history of the allocator, replay its events, and list
what was alive at the peak by the line that allocated it. The line at which the peak was reached is
not the one that holds most of it.
"""

# sphinx_gallery_quiet = "nothing"
import torch


def nearest(points, centres):
    differences = points[:, None] - centres
    squares = differences.square()
    distances = squares.sum(-1)
    return distances.argmin(1)


x, c = torch.rand(4096, 64, device="cuda"), torch.rand(256, 64, device="cuda")
torch.cuda.memory._record_memory_history(stacks="python")
nearest(x, c)
events = torch.cuda.memory._snapshot()["device_traces"][x.device.index]
torch.cuda.memory._record_memory_history(enabled=None)
print(len(events), "events, the last one:", events[-1])

# %%
# The replay: an allocation adds a block, and a request to free it takes the block away. The peak is
# the first moment at which the sum of the blocks is largest.


def at_peak(events):
    alive, total, most, held = {}, 0, -1, []
    for event in events:
        if event["action"] == "alloc":
            alive[event["addr"]] = event
            total += event["size"]
        elif event["action"] == "free_requested" and event["addr"] in alive:
            total -= alive.pop(event["addr"])["size"]
        if total > most:
            most, held = total, list(alive.values())
    return most, held


# %%
# The innermost frame of each block says which line of the function allocated it. The last block is
# the one with which the peak was reached.

NAMES = ("differences", "squares", "distances", "argmin")


def line_of(event):
    frame = event["frames"][0]
    assert frame["name"] == "nearest"
    return NAMES[frame["line"] - nearest.__code__.co_firstlineno - 1]


peak_bytes, held = at_peak(events)
by_line = [{"line": line_of(event), "held_bytes": event["size"]} for event in held]
print(f"{peak_bytes} bytes at the peak", *by_line, sep="\n")

# %%
# Is this the peak that the allocator counts? And what do readings of the current memory before and
# after the same computation show, written as one line, whose temporaries have no name?


def counted(function):
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = function(x, c)
    after = torch.cuda.memory_allocated()
    del result
    return after - before, torch.cuda.max_memory_allocated() - before


def chained(points, centres):
    return (points[:, None] - centres).square().sum(-1).argmin(1)


_, counted_bytes = counted(nearest)
chained_after_bytes, chained_peak_bytes = counted(chained)
print(f"counted: {counted_bytes} bytes; chained: {chained_peak_bytes} bytes")
print(f"before and after the chained line: {chained_after_bytes} bytes")

measured = {
    "by_line": {"table": by_line},
    "reached_at": by_line[-1]["line"],
    "peak_bytes": peak_bytes,
    "counted_bytes": counted_bytes,
    "chained_peak_bytes": chained_peak_bytes,
    "chained_after_bytes": chained_after_bytes,
}
