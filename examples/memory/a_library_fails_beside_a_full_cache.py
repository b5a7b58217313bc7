"""
A library fails beside a full cache
===================================

Does PyTorch always empty its cache before it runs out of memory? Before its own requests, it does.
A library asks CUDA itself: its first call fails if the cache holds the whole GPU, and works after
``empty_cache()``.
"""

# sphinx_gallery_evidence = {"processes": 1}
import json
import subprocess
import sys

# %%
# The program fills the GPU with tensors, from large to small, and deletes them: all of the memory
# is in the cache, and free for tensors. Then it calls a library for the first time; once more with
# an empty cache; and once more beside a full one.

PROGRAM = """
import json, sys, torch
MIB = 2**20
sys.stdin.readline()  # its turn on the GPU
x = torch.ones(64, 64, device="cuda")
images, weights = torch.ones(1, 4, 16, 16, device="cuda"), torch.ones(4, 4, 3, 3, device="cuda")
torch.cuda.synchronize()

CALLS = {
    "matmul": lambda: x @ x,
    "convolution": lambda: torch.nn.functional.conv2d(images, weights),
    "svd": lambda: torch.linalg.svd(x),
    "fft": lambda: torch.fft.fft(x),
    "tensor": lambda: torch.empty(2048 * MIB, dtype=torch.uint8, device="cuda"),
}

def fill():
    kept = []
    for mib in (1024, 128, 20, 2, 1):
        try:
            while True:
                kept.append(torch.empty(mib * MIB, dtype=torch.uint8, device="cuda"))
        except torch.OutOfMemoryError:
            pass

def outcome():
    try:
        CALLS[sys.argv[1]]()
        torch.cuda.synchronize()
    except Exception as error:
        return type(error).__name__ + ": " + str(error).splitlines()[0]
    return "no error"

fill()
reserved, allocated = torch.cuda.memory_reserved(), torch.cuda.memory_allocated()
found = {"cached_share": (reserved - allocated) / torch.cuda.mem_get_info()[1]}
found["driver_free_bytes"] = torch.cuda.mem_get_info()[0]
found["first"] = outcome()
torch.cuda.empty_cache()
found["emptied"] = outcome()
fill()
found["again"] = outcome()
print("FOUND" + json.dumps(found), flush=True)
"""

# %%
# Each library has a process of its own. They start together, and take turns on the GPU, since each
# fills it. A tensor that is larger than every cached block is the control.

CALLS = ("matmul", "convolution", "svd", "fft", "tensor")
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
running = {
    call: subprocess.Popen([sys.executable, "-c", PROGRAM, call], **pipes)
    for call in CALLS
}
table = []
for call, process in running.items():
    out, _ = process.communicate("go\n")
    found = json.loads(out.partition("FOUND")[2] or "{}")
    row = {"call": call, "filled": found.get("cached_share", 0) > 0.9}
    row["nearly_full"] = found.get("driver_free_bytes", 2**40) < 32 * 2**20
    for when in ("first", "emptied", "again"):
        row[when] = found.get(when, "the process ended")
    row["first_failed"] = row["first"] != "no error"
    table.append(row)
    print(row)

# %%
# What each call raised, whether the cache held more than nine tenths of the GPU, and whether the
# driver had next to nothing left.

measured = {"by_call": {"table": table}}
