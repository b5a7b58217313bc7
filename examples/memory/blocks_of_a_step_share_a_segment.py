"""
Blocks of a step share a segment
================================

How does the allocator place the tensors of a training step? Here, one segment is large enough for
all of them. Memory that forward no longer needs is used again by backward and by the optimizer.
"""

# sphinx_gallery_quiet = "nothing"
import torch

MIB, WIDTH, ROWS = 2**20, 1024, 2048
torch.ones(16, 16, device="cuda", requires_grad=True).mm(
    torch.ones(16, 16, device="cuda")
).sum().backward()  # libraries take their workspaces before
torch.cuda.empty_cache()
del_me = torch.empty(160 * MIB, dtype=torch.uint8, device="cuda")
segment = del_me.data_ptr()
del del_me
torch.cuda.memory._record_memory_history(stacks="python")
print(torch.cuda.memory_reserved() // MIB, "MiB reserved")

# %%
# A step with two linear layers, written out, so that each line allocates what it says.


def step(x, first, second):
    hidden = x @ first
    active = hidden.relu()
    output = active @ second
    loss = output.square().mean()
    loss.backward()
    with torch.no_grad():
        first -= 0.01 * first.grad
        second -= 0.01 * second.grad


x = torch.randn(ROWS, WIDTH, device="cuda")
first, second = (
    torch.randn(WIDTH, WIDTH, device="cuda").requires_grad_() for _ in "12"
)
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
step(x, first, second)
peak_bytes = torch.cuda.max_memory_allocated()
torch.cuda.synchronize()
history = torch.cuda.memory._snapshot()["device_traces"][0]
torch.cuda.memory._record_memory_history(enabled=None)

# %%
# Each block from its allocation to its release, counted in events, and where it lies in the
# segment. Small blocks lie in another one. What is still alive ends with the history.

LINES = ("hidden", "active", "output", "loss", "backward", "update", "update", "update")
begun = step.__code__.co_firstlineno
events = [e for e in history if e["action"] in ("alloc", "free_requested")]
blocks, open_ = [], {}
for number, event in enumerate(events, 1):
    if event["action"] == "free_requested":
        if event["addr"] in open_:
            open_.pop(event["addr"])["end"] = number
        continue
    low = event["addr"] - segment
    if event["size"] < MIB:
        continue
    frames = [frame for frame in event.get("frames", ()) if frame["name"] == "step"]
    line = "before" if event.get("frames") else "backward"  # its thread has no lines
    if frames:
        line = LINES[frames[0]["line"] - begun - 1]
    block = {"block": len(blocks) + 1, "line": line, "begin": number}
    block |= {"end": len(events) + 1, "low_bytes": low}
    block |= {"high_bytes": low + event["size"]}
    blocks.append(block)
    open_[event["addr"]] = block
for block in blocks:
    print(block)

# %%
# How much of the segment do they use, and how much would they take without a second use?

inside = [block for block in blocks if 0 <= block["low_bytes"] < 160 * MIB]
sizes = [block["high_bytes"] - block["low_bytes"] for block in blocks]
held = max(block["high_bytes"] for block in inside)
reused = sum(
    any(
        b["end"] <= a["begin"]
        and b["low_bytes"] < a["high_bytes"]
        and a["low_bytes"] < b["high_bytes"]
        for b in blocks
    )
    for a in blocks
)


def alive_bytes(at):
    alive = (b for b in blocks if b["begin"] <= at["begin"] < b["end"])
    return sum(b["high_bytes"] - b["low_bytes"] for b in alive)


measured = {
    "blocks": {"table": blocks},
    "count": len(blocks),
    "inside": len(inside),
    "reused": reused,
    "segment_bytes": 160 * MIB,
    "used_bytes": held,
    "together_bytes": sum(sizes),
    "peak_line": max(blocks, key=alive_bytes)["line"],
    "peak_minus_before_bytes": peak_bytes - before,
}
