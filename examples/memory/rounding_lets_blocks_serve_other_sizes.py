"""
Rounding lets blocks serve other sizes
======================================

Does rounding save memory where sizes grow from step to step? It takes more for each tensor, but
a block then serves the next sizes, too. The value 1 rounds nothing; 2 rounds most. Smaller tensors
are rounded as well, but where they share segments, they need no more calls without it.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap

# %%
# One tensor a step, a little larger each time: no block that is free is large enough for the next
# one, unless the block was rounded up. Then the same with eight sizes in each of three smaller
# ranges, from an empty cache.

PROGRAM = textwrap.dedent("""
    import json, torch
    MIB = 2**20

    def make(mib):
        return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")

    def calls():
        return torch.cuda.memory_stats()["num_device_alloc"]

    tensor = make(33)
    found = {"one_bytes": torch.cuda.memory_allocated()}
    del tensor
    torch.cuda.empty_cache()
    before = calls()
    for mib in range(33, 65):
        make(mib)
    found["reserved_bytes"] = torch.cuda.memory_reserved()
    found["calls"] = calls() - before
    tensor = None
    torch.cuda.empty_cache()
    tensor = make(65)
    found["next_bytes"] = torch.cuda.memory_allocated()
    smaller = []
    for first, step in (260, 32), (4352, 512), (16896, 2048):  # KiB
        tensor = None
        torch.cuda.empty_cache()
        before = calls()
        tensor = make(first / 1024)
        smaller.append({"asked": tensor.nbytes, "given": torch.cuda.memory_allocated()})
        tensor = None
        for number in range(1, 8):
            make((first + number * step) / 1024)
        smaller[-1]["calls"] = calls() - before
    print(json.dumps([found, smaller]))
""")

# %%
# The value is the number of steps between one power of two and the next. A list sets it for
# each range of sizes, here one for the sizes of the steps, and another for the size after them.

VALUES = ("none", "1", "2", "4", "8", "[32:2,64:8]")


def start(value):
    options = "" if value == "none" else f"roundup_power2_divisions:{value}"
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


running = {value: start(value) for value in VALUES}
table, smaller = [], {}
for value, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{value}: {process.returncode}")
    name = "a list" if value.startswith("[") else value
    found, smaller[name] = json.loads(out)
    table.append({"divisions": name} | found)
    print(table[-1], smaller[name])

# %%
# Exact: bytes, and calls of ``cudaMalloc``.

ONE, NEXT, STEPS = 33 * 2**20, 65 * 2**20, 32  # bytes, bytes, steps, as above
WAYS = {"none": "none", "2": "two", "8": "eight", "a list": "list"}
ranges = []
for number, sizes in enumerate(("below 1 MiB", "1 to 10 MiB", "10 to 32 MiB")):
    ranges.append({"sizes": sizes, "asked_bytes": smaller["none"][number]["asked"]})
    for name, way in WAYS.items():
        one = smaller[name][number]
        ranges[-1] |= {f"{way}_bytes": one["given"], f"{way}_calls": one["calls"]}
measured = {
    "by_divisions": {"table": table},
    "by_sizes": {"table": ranges},
    "one_requested_bytes": ONE,
    "next_requested_bytes": NEXT,
    "steps": STEPS,
}
