"""
Rounding lets blocks serve other sizes
======================================

Does rounding save memory where sizes grow from step to step? It takes more for each tensor, but
a block then serves the next sizes, too. The value 1 rounds nothing; 2 rounds most.
"""

import json
import os
import subprocess
import sys
import textwrap

# %%
# One tensor a step, a little larger each time: no block that is free is large enough for the next
# one, unless the block was rounded up.

PROGRAM = textwrap.dedent("""
    import json, torch
    MIB = 2**20

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    tensor = make(33)
    found = {"one_bytes": torch.cuda.memory_allocated()}
    del tensor
    torch.cuda.empty_cache()
    before = torch.cuda.memory_stats()["num_device_alloc"]
    for mib in range(33, 65):
        make(mib)
    found["reserved_bytes"] = torch.cuda.memory_reserved()
    found["calls"] = torch.cuda.memory_stats()["num_device_alloc"] - before
    tensor = None
    torch.cuda.empty_cache()
    tensor = make(65)
    found["next_bytes"] = torch.cuda.memory_allocated()
    print(json.dumps(found))
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
table = []
for value, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{value}: {process.returncode}")
    name = "a list" if value.startswith("[") else value
    table.append({"divisions": name} | json.loads(out))
    print(table[-1])

# %%
# Exact: bytes, and calls of ``cudaMalloc``.

ONE, NEXT, STEPS = 33 * 2**20, 65 * 2**20, 32  # bytes, bytes, steps, as above
measured = {
    "by_divisions": {"table": table},
    "one_requested_bytes": ONE,
    "next_requested_bytes": NEXT,
    "steps": STEPS,
}
