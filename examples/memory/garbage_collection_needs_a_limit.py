"""
Garbage collection needs a limit
================================

Does ``garbage_collection_threshold`` free memory that nothing uses? Only in a program that has a
memory limit. It then frees the blocks that have waited longest, before memory runs out, and keeps
those that are in use again and again.
"""

import json
import os
import subprocess
import sys
import textwrap

import torch

# %%
# Four blocks are cached, and two of them are used again in each round. Then a larger tensor is
# made, which takes the program over its threshold, and over its limit, if it has one.

PROGRAM = textwrap.dedent("""
    import json, sys, torch
    MIB, HOT = 2**20, (208, 212)

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    if sys.argv[1] == "limited":
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(1025 * MIB / total)
    blocks = [make(mib) for mib in (200, 204, *HOT)]
    del blocks
    for _ in range(5):
        hot = [make(mib) for mib in HOT]
        del hot
    larger = make(260)
    stats = torch.cuda.memory_stats()
    found = {
        "reserved_bytes": torch.cuda.memory_reserved(),
        "freed": stats["num_device_free"],
        "retries": stats["num_alloc_retries"],
    }
    hot = [make(mib) for mib in HOT]
    after = torch.cuda.memory_stats()
    found["new"] = after["num_device_alloc"] - stats["num_device_alloc"]
    print(json.dumps(found))
""")

# %%
# With and without the option, and with and without a limit. Without a limit, the threshold would be
# a share of the whole GPU, so it is set far below what the blocks take. The last program sets what
# the documentation gives as the default.

WAYS = {
    "none": ("", "limited"),
    "with a limit": ("garbage_collection_threshold:0.5", "limited"),
    "without a limit": ("garbage_collection_threshold:0.002", ""),
    "1.0": ("garbage_collection_threshold:1.0", "limited"),
}


def start(options, limited):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM, limited]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, text=True, **pipes)


running = {way: start(*settings) for way, settings in WAYS.items()}
table, errors = [], {}
for way, process in running.items():
    out, error = process.communicate()
    if process.returncode:
        errors[way] = error.strip().splitlines()[-1]
    else:
        table.append({"way": way} | json.loads(out))
print(table, errors)

# %%
# Exact: bytes and calls. ``freed`` counts blocks that went back to CUDA, ``new`` those that the
# two hot tensors then had to be given.

LIMIT = 1025 * 2**20  # bytes, as above
total = torch.cuda.get_device_properties(0).total_memory
measured = {
    "by_way": {"table": table},
    "one": errors.get("1.0", "accepted"),
    "limit_bytes": LIMIT,
    "threshold_bytes": {"samples": [0.002 * total]},
}
