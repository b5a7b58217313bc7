"""
A history names the line that failed
====================================

What held the memory when it ran out? An observer is called before the error is raised, while all
blocks are still there. A snapshot that is taken after the ``except`` block is too late for the
blocks, but its history still has every event, and the line that failed.
"""

# sphinx_gallery_quiet = "nothing"
import torch

MIB = 2**20
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(256 * MIB / total)


def grow():
    first = torch.empty(100 * MIB, dtype=torch.uint8, device="cuda")
    second = torch.empty(120 * MIB, dtype=torch.uint8, device="cuda")
    return first, second, torch.empty(90 * MIB, dtype=torch.uint8, device="cuda")


torch.cuda.memory._record_memory_history(stacks="python")
try:
    grow()
except torch.OutOfMemoryError as error:
    print(str(error).split(". ")[0])
events = torch.cuda.memory._snapshot()["device_traces"][0]
print([event for event in events if event["action"] == "oom"])

# %%
# The same with an observer, which takes a snapshot of its own. Observers are private to PyTorch, as
# is all of this history. An observer stays until the process ends.

seen = []


def observe(
    *arguments,
):  # the GPU, the bytes that were asked for, the limit, the free bytes
    seen.append({"snapshot": torch.cuda.memory._snapshot(), "asked": arguments[1]})


torch._C._cuda_attach_out_of_memory_observer(observe)
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
inside = None
try:
    grow()
except torch.OutOfMemoryError:
    inside = torch.cuda.memory._snapshot()
after = torch.cuda.memory._snapshot()
torch.cuda.memory._record_memory_history(enabled=None)

# %%
# How much do the blocks of each snapshot hold?


def live_bytes(snapshot):
    blocks = [block for segment in snapshot["segments"] for block in segment["blocks"]]
    return sum(b["size"] for b in blocks if b["state"] == "active_allocated")


snapshots = {"observer": seen[0]["snapshot"], "in except": inside, "after": after}
rows = [{"taken": name, "live_bytes": live_bytes(s)} for name, s in snapshots.items()]
print(*rows, sep="\n")

# %%
# The history of the last snapshot: the error's own event with the size that was asked for and the
# line, and the blocks that were alive before it, with theirs. Lines count from that of the ``def``.

history = after["device_traces"][0]
failed = next(n for n, event in enumerate(history) if event["action"] == "oom")
first = grow.__code__.co_firstlineno
alive = {}
for event in history[:failed]:
    if event["action"] == "alloc":
        alive[event["addr"]] = event
    elif event["action"] == "free_requested":
        alive.pop(event["addr"], None)
held = [
    {"line": event["frames"][0]["line"] - first, "held_bytes": event["size"]}
    for event in alive.values()
]
oom = history[failed]
torch.cuda.set_per_process_memory_fraction(1.0)
print("failed:", oom["size"], oom["frames"][0], *held, sep="\n")

measured = {
    "by_snapshot": {"table": rows},
    "held": {"table": held},
    "asked_bytes": oom["size"],
    "observer_asked_bytes": seen[0]["asked"],
    "failed_in": oom["frames"][0]["name"],
    "failed_line": oom["frames"][0]["line"] - first,
}
