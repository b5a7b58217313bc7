"""
A snapshot knows no shapes
==========================

What is in a memory snapshot? The segments that the allocator holds, the blocks in each, and, if it
was recorded, the history of events with their stacks. Shapes, types and categories of tensors are
not in it: the allocator deals in bytes.
"""

# sphinx_gallery_quiet = "nothing"
import torch

torch.cuda.memory._record_memory_history(stacks="python")
weight = torch.nn.Parameter(torch.zeros(300, 1000, device="cuda"))
small = torch.zeros(1, device="cuda")
del small
snapshot = torch.cuda.memory._snapshot()
held = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
torch.cuda.memory._record_memory_history(enabled=None)
for segment in snapshot["segments"]:
    print(hex(segment["address"]), segment["total_size"], segment["segment_type"])
    for block in segment["blocks"]:
        print("   ", block["state"], block["size"], block["requested_size"])

# %%
# All keys of each kind of entry, and which words of a tensor occur anywhere among keys and values.

segments = [s for s in snapshot["segments"] if s["device"] == weight.device.index]
history = snapshot["device_traces"][weight.device.index]
blocks = [block for segment in segments for block in segment["blocks"]]
frames = [frame for event in history for frame in event.get("frames", ())]
kinds = {"snapshot": [snapshot], "segment": segments, "block": blocks}
kinds |= {"event": history, "frame": frames}
keys = {kind: sorted(set().union(*entries)) for kind, entries in kinds.items()}
rows = [{"kind": kind, "keys": ", ".join(names)} for kind, names in keys.items()]
print(*rows, sep="\n")
WORDS = ("shape", "dtype", "category", "requires_grad")
every_key = set().union(*keys.values())
words_found = sum(any(word in key for key in every_key) for word in WORDS)

# %%
# Do the parts add up? Blocks fill their segment without gaps, and the sums are those that the
# allocator reports. The parameter's block is larger than what was requested.


def is_tiled(segment):
    at = segment["address"]
    for block in segment["blocks"]:
        if block["address"] != at:
            return False
        at += block["size"]
    return at == segment["address"] + segment["total_size"]


live = [block for block in blocks if block["state"] == "active_allocated"]
ours = next(block for block in live if block["address"] == weight.data_ptr())
before = torch.cuda.memory_allocated()
single = torch.zeros(1, device="cuda")
smallest_bytes = torch.cuda.memory_allocated() - before

# %%
# A block that another stream still uses is not free at once: ``record_stream`` makes it wait. (The
# sleeping kernel is private to PyTorch.) The peak of the allocator no longer counts such a block.

torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
side, late = torch.cuda.Stream(), torch.zeros(2**22, device="cuda")
address = late.data_ptr()
with torch.cuda.stream(side):
    torch.cuda._sleep(1_000_000_000)
late.record_stream(side)
allocated = torch.cuda.memory_allocated()
del late
dropped_bytes = allocated - torch.cuda.memory_allocated()


def state_and_events():
    found = torch.cuda.memory._snapshot()
    inside = [block for segment in found["segments"] for block in segment["blocks"]]
    state = next(b["state"] for b in inside if b["address"] == address)
    events = [
        e["action"] for e in found["device_traces"][0] if e.get("addr") == address
    ]
    return state, " ".join(event for event in events if "segment" not in event)


busy = state_and_events()
torch.cuda.synchronize()
torch.zeros(1, device="cuda")  # an allocation looks for streams that are done
done = state_and_events()
torch.cuda.memory._record_memory_history(enabled=None)
print(busy, done, sep="\n")

measured = {
    "keys": {"table": rows},
    "words": len(WORDS),
    "words_found": words_found,
    "segments": len(segments),
    "tiled": sum(map(is_tiled, segments)),
    "live_is_allocated": sum(block["size"] for block in live) == held[0],
    "total_is_reserved": sum(s["total_size"] for s in segments) == held[1],
    "requested_bytes": ours["requested_size"],
    "block_bytes": ours["size"],
    "tensor_bytes": weight.nbytes,
    "smallest_bytes": smallest_bytes,
    "dropped_bytes": dropped_bytes,
    "busy_state": busy[0],
    "busy_events": busy[1],
    "done_state": done[0],
    "done_events": done[1],
}
