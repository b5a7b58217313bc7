"""
Small blocks serve no large tensor
==================================

Does freed memory serve every later tensor? Tensors of up to a MiB have segments of their own, and
larger ones have others. What is free in the one kind of segment serves no tensor of the other
kind, but whole free segments go back to CUDA before memory runs out.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# In each case, tensors are made, some of them are kept, and another tensor is made. How much does
# the allocator hold before and after? Some cases have a limit, which the first tensors fill.

PROGRAM = """
import json, torch
MIB = 2**20

def make(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

def limit(mib):
    total = torch.cuda.get_device_properties(0).total_memory
    fraction = (mib + 0.5) * MIB / total if mib else 1.0
    torch.cuda.set_per_process_memory_fraction(fraction)

def found(count, size, keep, asked, limited):
    torch.cuda.empty_cache()
    limit(count * size if limited else None)
    tensors = [make(size) for _ in range(count)]
    kept = [x for i, x in enumerate(tensors) if i % 4 in keep]
    del tensors
    reserved = torch.cuda.memory_reserved()
    free = reserved - torch.cuda.memory_allocated()
    try:
        make(asked)
        fits = True
    except torch.OutOfMemoryError:
        fits = False
    then = torch.cuda.memory_reserved()
    limit(None)
    held = {"free_bytes": free, "reserved_bytes": reserved, "then_reserved_bytes": then}
    return held | {"fits": fits}

"""
CASES = {
    # how many, of how many MiB, which of four are kept, MiB asked for, with a limit
    "small, then a large one": (64, 1, (), 16, False),
    "large, then a larger one": (8, 8, (), 16, False),
    "a large one, then a small one": (1, 64, (), 1, False),
    "a large one, then one of 2 MiB": (1, 64, (), 2, False),
    "small, at the limit": (64, 1, (), 16, True),
    "every second small one kept, at the limit": (64, 1, (0, 2), 16, True),
    "every second pair kept, at the limit": (64, 1, (0, 1), 16, True),
}
PROGRAM += f"print(json.dumps([found(*case) for case in {list(CASES.values())}]))"

# %%
# Two programs try all cases: one with the allocator as it is, one with expandable segments.


def start(options):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


running = {"default": start(""), "expandable": start("expandable_segments:True")}
table = [{"case": case} for case in CASES]
for setting, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{setting}: {process.returncode}")
    for row, values in zip(table, json.loads(out)):
        row |= {f"{setting}_{name}": value for name, value in values.items()}
for row in table:
    print(row)

# %%
# Exact: bytes, and whether the tensor fits.

measured = {"by_case": {"table": table}}
