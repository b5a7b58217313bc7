"""
One small tensor holds a large segment
======================================

Why does memory run out although almost none of it is in use? A small tensor was made inside the
memory of a large one that is gone. That memory is one segment, and a segment goes back to CUDA
only if nothing in it is in use.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap

# %%
# The program has a limit. It makes a large tensor, deletes it, makes a small one, empties the
# cache, and asks for a tensor that is larger than the first: too large for what is left beside it.

PROGRAM = textwrap.dedent("""
    import json, sys, torch
    MIB = 2**20
    order, small_mib = sys.argv[1], int(sys.argv[2])

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(1025 * MIB / total)
    small = make(small_mib) if order == "small first" else None
    large = make(768)
    del large
    if small is None:
        small = make(small_mib)
    torch.cuda.empty_cache()
    stats = torch.cuda.memory_stats()
    found = {
        "reserved_bytes": torch.cuda.memory_reserved(),
        "allocated_bytes": torch.cuda.memory_allocated(),
        "inactive_bytes": stats.get("inactive_split_bytes.all.current", 0),
    }
    try:
        larger = make(800)
        found["fits"] = True
    except torch.cuda.OutOfMemoryError:
        found["fits"] = False
    print(json.dumps(found))
""")

# %%
# Each way is a fresh program: another order, another size of the small tensor, or an option of
# the allocator.

WAYS = {
    "default": ("", "large first", 2),
    "small first": ("", "small first", 2),
    "1 MiB": ("", "large first", 1),
    "max_split_size_mb": ("max_split_size_mb:512", "large first", 2),
    "expandable_segments": ("expandable_segments:True", "large first", 2),
    "garbage_collection": ("garbage_collection_threshold:0.5", "large first", 2),
    "cudaMallocAsync": ("backend:cudaMallocAsync", "large first", 2),
}


def start(options, order, small_mib):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM, order, str(small_mib)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


# %%
# Start all programs together. None of them takes more than its limit.

running = {way: start(*settings) for way, settings in WAYS.items()}
table = []
for way, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{way}: {process.returncode}")
    table.append({"way": way} | json.loads(out))
    print(table[-1])

# %%
# Exact: bytes, and whether the last tensor fits.

LARGE, LARGER, LIMIT = 768 * 2**20, 800 * 2**20, 1025 * 2**20  # bytes, as above
measured = {
    "by_way": {"table": table},
    "large_bytes": LARGE,
    "larger_bytes": LARGER,
    "limit_bytes": LIMIT,
}
