"""
Holes between live tensors cannot be joined
===========================================

Why does a tensor not fit into free memory that is several times as large? Free memory between
live tensors is in pieces, and none of them is large enough. Two options of the allocator help;
``empty_cache()`` does not.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap

# %%
# Sixteen tensors fill the segment of a larger one that is gone, and every second one is deleted:
# half of the memory is free, in eight pieces. Does a tensor of two pieces fit?

PROGRAM = textwrap.dedent("""
    import json, sys, torch
    MIB = 2**20

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(545 * MIB / total)
    first = make(512)
    del first
    pieces = [make(32) for _ in range(16)]
    del pieces[1::2]
    if sys.argv[1] == "emptied":
        torch.cuda.empty_cache()
    stats = torch.cuda.memory_stats()
    found = {
        "free_bytes": torch.cuda.memory_reserved() - torch.cuda.memory_allocated(),
        "calls": stats["num_device_alloc"],
    }
    try:
        larger = make(64)
        found["fits"] = True
    except torch.cuda.OutOfMemoryError:
        found["fits"] = False
    found["reserved_bytes"] = torch.cuda.memory_reserved()
    found["retries"] = torch.cuda.memory_stats()["num_alloc_retries"]
    print(json.dumps(found))
""")

# %%
# Each way is a fresh program.

WAYS = {
    "default": ("", ""),
    "emptied": ("", "emptied"),
    "garbage_collection": ("garbage_collection_threshold:0.5", ""),
    "roundup_power2": ("roundup_power2_divisions:4", ""),
    "max_split_size_mb": ("max_split_size_mb:64", ""),
    "expandable_segments": ("expandable_segments:True", ""),
}


def start(options, order):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM, order]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


running = {way: start(*settings) for way, settings in WAYS.items()}
table = []
for way, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{way}: {process.returncode}")
    table.append({"way": way} | json.loads(out))
    print(table[-1])

# %%
# Exact: bytes, calls of ``cudaMalloc``, and whether the last tensor fits. With expandable
# segments, the calls are those that map pages.

PIECE, LARGER, LIMIT = 32 * 2**20, 64 * 2**20, 545 * 2**20  # bytes, as above
measured = {
    "by_way": {"table": table},
    "piece_bytes": PIECE,
    "larger_bytes": LARGER,
    "limit_bytes": LIMIT,
}
