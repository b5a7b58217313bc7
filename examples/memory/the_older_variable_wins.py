"""
The older variable wins
=======================

``PYTORCH_ALLOC_CONF`` and ``PYTORCH_CUDA_ALLOC_CONF`` are both set: which one counts? And what
does a change in a running program do? The older variable wins, and a change at run time takes
back some options that it does not name.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

# %%
# The program reads what is in force from a snapshot. In between, it may run a line of its own:
# after ``import torch``, or after the first use of CUDA.

PROGRAM = textwrap.dedent("""
    import json, os, sys, torch
    MIB = 2**20
    change = torch._C._accelerator_setAllocatorSettings
    after_import, after_start = sys.argv[1:]
    exec(after_import)
    torch.empty(1, device="cuda")
    exec(after_start)
    settings = torch.cuda.memory._snapshot()["allocator_settings"]
    tensor = torch.empty(33 * MIB, dtype=torch.uint8, device="cuda")
    print(json.dumps({
        "split_mib": settings["max_split_size"] // MIB if settings["max_split_size"] > 0 else 0,
        "threshold": settings["garbage_collection_threshold"],
        "expandable": settings["expandable_segments"],
        "given_mib": torch.cuda.memory_allocated() // MIB,
    }))
""")

# %%
# Each case is a fresh program: the new variable, the old one, and the two lines of its own.

OLD, NEW = "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"
THREE = (
    "max_split_size_mb:64,garbage_collection_threshold:0.5,roundup_power2_divisions:2"
)
CASES = {
    "none": ({}, "", ""),
    "new": ({NEW: "max_split_size_mb:64"}, "", ""),
    "old": ({OLD: "max_split_size_mb:32"}, "", ""),
    "both": ({NEW: "max_split_size_mb:64", OLD: "max_split_size_mb:32"}, "", ""),
    "both, apart": (
        {NEW: "expandable_segments:True", OLD: "max_split_size_mb:32"},
        "",
        "",
    ),
    "old empty": ({NEW: "max_split_size_mb:64", OLD: ""}, "", ""),
    "set in time": ({}, f"os.environ['{NEW}'] = 'max_split_size_mb:64'", ""),
    "set late": ({}, "", f"os.environ['{NEW}'] = 'max_split_size_mb:64'"),
    "changed": ({NEW: "max_split_size_mb:64"}, "", "change('max_split_size_mb:32')"),
    "three": ({NEW: THREE}, "", ""),
    "three, one changed": ({NEW: THREE}, "", "change('max_split_size_mb:32')"),
}


def result(case):
    variables, after_import, after_start = CASES[case]
    environment = {
        k: v for k, v in os.environ.items() if k not in (OLD, NEW)
    } | variables
    command = [sys.executable, "-c", PROGRAM, after_import, after_start]
    pipes = {"capture_output": True, "text": True, "check": True}
    done = subprocess.run(command, env=environment, **pipes)
    warned = "is deprecated" in done.stderr
    return {"case": case} | json.loads(done.stdout) | {"warned": warned}


# %%
# The backend is chosen when the library is loaded. A program that names another one later stops,
# with an error whose last sentence tells why. All programs run at once.

LATE = f"""
import os, torch
os.environ["{NEW}"] = "backend:cudaMallocAsync"
torch.cuda.init()
print(torch.cuda.get_allocator_backend())
"""
clean = {k: v for k, v in os.environ.items() if k not in (OLD, NEW)}
pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
late = subprocess.Popen([sys.executable, "-c", LATE], env=clean, **pipes)
with ThreadPoolExecutor(len(CASES)) as pool:
    table = list(pool.map(result, CASES))
for row in table:
    print(row)
answer = late.communicate()[0].strip().splitlines()[-1]
print(answer)
error, _, reason = answer.partition(": ")

# %%
# Exact: everything.

measured = {
    "by_case": {"table": table},
    "late_backend_stops": late.returncode != 0,
    "late_backend_error": error,
    "late_backend_reason": reason.rpartition("PyTorch. ")[2],
}
