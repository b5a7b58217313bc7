"""
A change keeps some options
===========================

A running program changes an option of the allocator by a private function. What happens to those
that the text leaves out? Some are taken back, and others stay. And some limits depend on another.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# A fresh program tells what is in force, changes something, and tells it again. The snapshot lacks
# two of the options, so that a small tensor and a large one show them.

PROGRAM = """
import json, sys, torch
GIB = 2**30
torch.empty(1, device="cuda")

def fits(size):
    try:
        torch.empty(size, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError:
        return False
    torch.cuda.empty_cache()
    return True

def state():
    found = torch.cuda.memory._snapshot()["allocator_settings"]
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    small = torch.empty(2 * 2**20, dtype=torch.uint8, device="cuda")
    found["large_segment_size_mb"] = (torch.cuda.memory_reserved() - before) // 2**20
    del small
    torch.cuda.empty_cache()
    found["per_process_memory_fraction"] = "all" if fits(2 * GIB) else "less than 2 GiB"
    found["max_split_size_mb"] = max(found.pop("max_split_size") // 2**20, 0)
    found["roundup_power2_divisions"] = max(found["roundup_power2_divisions"].values())
    return {key: str(value) for key, value in found.items()}

before = state()
torch._C._accelerator_setAllocatorSettings(sys.argv[1])
print(json.dumps([before, state()]))
"""

# %%
# Each option is set by the variable, in one program or another, and left out of the change.

VARIABLE = (
    "max_split_size_mb:64,garbage_collection_threshold:0.5,roundup_power2_divisions:4,"
    "large_segment_size_mb:12,per_process_memory_fraction:0.01,pinned_num_register_threads:8,"
    "release_lock_on_cudamalloc:True,graph_capture_record_stream_reuse:True,"
    "pinned_use_cuda_host_register:True"
)
OTHER = "pinned_use_background_threads:False"  # changes none of the others
CASES = {
    "none": ("", OTHER),
    "all": (VARIABLE, OTHER),
    "expandable": ("expandable_segments:True", OTHER),
    "named": ("expandable_segments:True", "expandable_segments:False"),
    "smaller": ("large_segment_size_mb:12,max_split_size_mb:19", OTHER),
    "larger": ("large_segment_size_mb:64,max_split_size_mb:20", OTHER),
    "alone": ("max_split_size_mb:19", OTHER),
}


def states(case):
    variable, change = CASES[case]
    environment = {k: v for k, v in os.environ.items() if not k.endswith("ALLOC_CONF")}
    if variable:
        environment["PYTORCH_ALLOC_CONF"] = variable
    command = [sys.executable, "-c", PROGRAM, change]
    pipes = {"capture_output": True, "text": True}
    done = subprocess.run(command, env=environment, **pipes)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1].partition(": ")[2]
    return json.loads(done.stdout)


with ThreadPoolExecutor(len(CASES)) as pool:
    found = dict(zip(CASES, pool.map(states, CASES)))

# %%
# An option is kept if the change leaves what the variable has set.

NAMES = [item.split(":")[0] for item in VARIABLE.split(",")] + ["expandable_segments"]
rows = []
for name in NAMES:
    before, after = found["expandable" if name == "expandable_segments" else "all"]
    row = {"option": name, "default": found["none"][0][name], "set": before[name]}
    rows.append(row | {"after": after[name], "kept": before[name] == after[name]})
print(*rows, sep="\n")
named = found["named"][1]["expandable_segments"]
print(f"named in the change: {named}; limits: {found['larger']}, {found['alone']}")

measured = {
    "by_option": {"table": rows},
    "options": len(rows),
    "kept": sum(row["kept"] for row in rows),
    "in_force": sum(row["set"] != row["default"] for row in rows),
    "named": named,
    "smaller_split_mib": int(found["smaller"][0]["max_split_size_mb"]),
    "larger_error": found["larger"],
    "alone_error": found["alone"],
}
