"""
Expandable segments fit more, or less
=====================================

Do expandable segments always help a program that runs out of memory? They do not round tensors up,
so more of them fit. But tensors share pages, and a page goes back only if no tensor is left in it.
"""

import json
import os
import subprocess
import sys
import textwrap

# %%
# One program makes tensors of one size until none fits. The other one makes pieces, deletes every
# second one, and makes a tensor that is smaller than what is free.

PROGRAM = textwrap.dedent("""
    import json, sys, torch
    MIB = 2**20
    LIMIT, LATER_LIMIT, PIECES, LARGER = 2400, 600, 560, 200
    kind, size = sys.argv[1], int(sys.argv[2])

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    def limit(mib):
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction((mib + 0.5) / (total / MIB))

    found = {"kind": kind, "size_mib": size}
    if kind == "fill":
        limit(LIMIT)
        kept = []
        try:
            while True:
                kept.append(make(size))
        except torch.cuda.OutOfMemoryError:
            found["tensors"] = len(kept)
        found["allocated_share"] = round(torch.cuda.memory_allocated() / (LIMIT * MIB), 3)
    else:
        limit(LATER_LIMIT)
        pieces = [make(size) for _ in range(PIECES // size)]
        del pieces[1::2]
        try:
            larger = make(LARGER)
            found["fits"] = True
        except torch.cuda.OutOfMemoryError:
            found["fits"] = False
        found["allocated_mib"] = torch.cuda.memory_allocated() // MIB
        found["reserved_mib"] = torch.cuda.memory_reserved() // MIB
    print(json.dumps(found))
""")

# %%
# Each way is a fresh program. Some sizes are whole pages, or are not rounded up.


def found(kind, size, options):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM, kind, str(size)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


FILL, HOLES = (11, 12, 33, 64), (10, 14, 18, 20, 40)  # sizes in MiB
WAYS = {"default": "", "expandable": "expandable_segments:True"}


def table(kind, sizes):
    rows = []
    for size in sizes:
        started = {way: found(kind, size, options) for way, options in WAYS.items()}
        row = {"size_mib": size}
        for way, process in started.items():
            out, _ = process.communicate()
            if process.returncode:
                raise RuntimeError(f"{kind} {size} {way}: {process.returncode}")
            values = json.loads(out)
            row |= {
                f"{way}_{k}": v
                for k, v in values.items()
                if k not in ("kind", "size_mib")
            }
        rows.append(row)
        print(row)
    return rows


# %%
# Exact: numbers of tensors, and whether one fits.

measured = {
    "fill": {"table": table("fill", FILL)},
    "holes": {"table": table("holes", HOLES)},
}
