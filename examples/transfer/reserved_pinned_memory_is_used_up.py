"""
Reserved pinned memory is used up
=================================

Which options does the pinned-memory allocator have? And does a segment that is reserved
at startup save small tensors their first pinning? Yes, until it is used up: sizes are
still rounded up, and memory taken from the segment never goes back to it. Since PyTorch
2.13, other options stop the rounding.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap

# %%
# PyTorch reads ``PYTORCH_ALLOC_CONF`` at startup, so each option gets its own program.
# The program pins three small tensors of different sizes, and then a larger one three
# times, emptying the allocator each time. How often does it ask CUDA for memory?

PROGRAM = textwrap.dedent("""
    import json
    import torch
    torch.cuda.init()
    pinned = {"dtype": torch.uint8, "pin_memory": True}
    small = [torch.empty(kib * 2**10, **pinned) for kib in (4, 20, 100)]
    first = torch.cuda.host_memory_stats()
    for _ in range(3):
        large = torch.empty(5 * 2**20, **pinned)
        held = torch.cuda.host_memory_stats()
        del large
        torch._C._host_emptyCache()  # the public one needs memory of the GPU
    last = torch.cuda.host_memory_stats()
    print(json.dumps([first, held, last]))
""")

# %%
# Try no option, the segment, and two options that were added after PyTorch 2.11.

ASKED = 5 * 2**20  # bytes, of the larger tensor
SEGMENT = 16 * 2**20  # bytes: two of the larger tensors would fill it
OPTIONS = {
    "none": "",
    "pinned_reserve_segment_size_mb": f"{SEGMENT // 2**20}",
    "pinned_max_round_threshold_mb": "1",
    "pinned_max_cached_size_mb": "1",
}


def start(option, value):
    options = f"{option}:{value}" if value else ""
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    command = [sys.executable, "-c", PROGRAM]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, text=True, **pipes)


# %%
# Start all programs together. An option that PyTorch does not know ends the program
# when CUDA starts.

running = {option: start(option, value) for option, value in OPTIONS.items()}
replies, errors = {}, {}
for option, process in running.items():
    out, error = process.communicate()
    if process.returncode == 0:
        replies[option] = json.loads(out)
    else:
        errors[option] = error.strip().splitlines()[-1]
    print(f"{option:>30}: {errors.get(option, 'accepted')}")

# %%
# ``host_alloc_time`` counts the calls to CUDA. ``num_host_alloc`` counts blocks,
# including those that come from the segment without a call.


def counts(option):
    first, _, last = (stats["host_alloc_time.count"] for stats in replies[option])
    return first, last - first


def taken(option):
    first, held, _ = (stats["allocated_bytes.current"] for stats in replies[option])
    return held - first


default, reserved = counts("none"), counts("pinned_reserve_segment_size_mb")
small = replies["pinned_reserve_segment_size_mb"][0]  # after the small ones
print(f"calls for the small ones and for the larger: {default}, reserved {reserved}")
print(f"blocks of the small ones, from the segment: {small['num_host_alloc']}")

# %%
# Exact: counts and bytes.

options = [
    {"option": option, "accepted": known, "large_bytes": taken(option) if known else 0}
    for option, known in ((option, option in replies) for option in OPTIONS)
]
measured = {
    "options": {"table": options},
    "asked_bytes": ASKED,
    "segment_bytes": SEGMENT,
    "small_default": default[0],
    "small_reserved": reserved[0],
    "large_default": default[1],
    "large_reserved": reserved[1],
    "blocks_reserved": small["num_host_alloc"],
    "held_reserved_bytes": small["allocated_bytes.current"],
    "held_default_bytes": replies["none"][0]["allocated_bytes.current"],
}
